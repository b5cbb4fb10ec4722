<?php

declare(strict_types=1);

namespace Payframe\Tests;

use GuzzleHttp\Psr7\HttpFactory;
use Payframe\Exception as Thrown;
use Payframe\Exception\PayframeException;
use Payframe\Payframe;
use PHPUnit\Framework\TestCase;
use Psr\Http\Message\ResponseInterface;

/** What exceptions hold, and what they never show. */
final class ErrorsTest extends TestCase
{
    private static function exception(ResponseInterface|\Exception $step): PayframeException
    {
        return (new Stage([$step], 0))->exception(static fn (Payframe $p) => $p->sessions->finalize('a-secret-session'));
    }

    public function testARefusalKeepsCodeStatusSentenceMemberAndTheIdsForTheOperator(): void
    {
        $exception = self::exception(Stage::refusal(400, 'PS0026', 'order.amount is missing'));
        self::assertInstanceOf(Thrown\CallerException::class, $exception);
        self::assertSame([
            'message' => 'PS0026: order.amount is missing', 'kind' => 'caller', 'code' => 'PS0026', 'status' => 400, 'member' => 'order.amount',
            'requestId' => Stage::CID, 'correlationId' => 'id-1', 'idempotencyKey' => 'id-2', 'isRetryable' => false, 'outcomeUnknown' => false,
        ], $exception->jsonSerialize());
        self::assertNull($exception->getPrevious());
    }

    public function testTheMemberIsReadFromTheSentence(): void
    {
        $rows = [
            ['PS0026', 'order.installments[0].date is missing', 'order.installments[0].date'],
            ['PS0036', 'order.amount must be 1 to 12 digits, in the minor unit', 'order.amount'],
            ['PS0007', 'paymentSession.amount is above order.amount', 'paymentSession.amount'],
            ['PS0041', 'script in order.description', 'order.description'],
            ['PS0026', 'delivery holds a card number: card data is taken by the form only', 'delivery'],
            ['PS0025', 'header Idempotency-Key was used for another request', 'Idempotency-Key'],
            ['PS0035', 'the body must be JSON', null],
            ['PS0026', 'the body must be an object', null],
            ['GW9003', 'the session is in READY_FOR_PAYMENT, which does not allow this call', null],
            ['PS0061', 'build session expired', null],
        ];
        foreach ($rows as [$code, $description, $member]) {
            self::assertSame($member, self::exception(Stage::refusal(400, $code, $description))->member, $description);
        }
    }

    public function testALongSentenceIsCut(): void
    {
        $exception = self::exception(Stage::refusal(400, 'PS0026', str_repeat('ü', 9000)));
        self::assertLessThan(1200, \strlen($exception->getMessage()));
        self::assertNotFalse(json_encode($exception));
    }

    public function testTheClassAndTheKindSayWhoseFaultItIs(): void
    {
        $rows = [
            [Stage::refusal(400, 'PS0026', 'x is missing'), Thrown\CallerException::class, 'caller', 'PS0026'],
            [Stage::refusal(400, 'PS0061', 'build session expired'), Thrown\BuyerException::class, 'buyer', 'PS0061'],
            [Stage::refusal(400, 'PS0004', 'the card could not be verified'), Thrown\IssuerException::class, 'issuer', 'PS0004'],
            [Stage::refusal(400, 'GW9009', 'the terminal has no acquirer'), Thrown\OperatorException::class, 'operator', 'GW9009'],
            [Stage::refusal(500, 'PS0000', 'a failure of ours'), Thrown\GatewayException::class, 'gateway', 'PS0000'],
            [Stage::refusal(503, 'GW9013', 'the gateway has no access to its data now'), Thrown\GatewayException::class, 'gateway', 'GW9013'],
            [Stage::answer([], 503, []), Thrown\GatewayException::class, 'gateway', 'http_503'],
            [Stage::text('', 404), Thrown\CallerException::class, 'caller', 'not_found'],
            [Stage::text('', 404, []), Thrown\CallerException::class, 'caller', 'http_404'],
            [Stage::text('['), Thrown\GatewayException::class, 'gateway', 'unreadable_answer'],
            [Stage::text('null'), Thrown\GatewayException::class, 'gateway', 'unreadable_answer'],
            [Stage::lost(), Thrown\NetworkException::class, 'network', 'unreachable'],
        ];
        foreach ($rows as [$step, $class, $kind, $code]) {
            $exception = self::exception($step);
            self::assertSame([$class, $kind, $code], [$exception::class, $exception->kind->value, $exception->errorCode]);
        }
    }

    public function testNothingShowsTheApiKeyTheSessionOrWhatAProxyWrote(): void
    {
        $page = '<html>' . Stage::API_KEY . ' a-secret-session';
        $steps = [
            Stage::lost(), Stage::text($page), Stage::text($page, 502), Stage::text($page, 302, ['location' => 'https://x.example/' . Stage::API_KEY]),
            Stage::answer(['errors' => $page], 400), Stage::answer(['errors' => [['code' => $page, 'description' => $page]]], 400),
            Stage::refusal(401, 'GW9020', 'no such key: ' . Stage::API_KEY),
        ];
        foreach ($steps as $step) {
            $exception = self::exception($step);
            $shown = [$exception->getMessage(), (string) json_encode($exception), $exception->getTraceAsString(), (string) $exception];
            foreach ($shown as $text) {
                self::assertStringNotContainsString(Stage::API_KEY, $text);
                self::assertStringNotContainsString('<html>', $text);
                // PHP 8.1 does not know of arguments that traces must not show.
                if (PHP_VERSION_ID >= 80_200) {
                    self::assertStringNotContainsString('a-secret', $text);
                }
            }
        }
    }

    public function testAClientDoesNotShowItsKeyAndIsNotSerialized(): void
    {
        $stage = new Stage([Stage::answer()]);
        ob_start();
        var_dump($stage->payframe);
        $shown = ob_get_clean() . print_r($stage->payframe, true) . var_export(new \Payframe\Secret(Stage::API_KEY), true);
        self::assertStringNotContainsString(Stage::API_KEY, $shown);
        $this->expectException(\Exception::class);
        serialize($stage->payframe);
    }

    public function testWrongOptionsAreNamed(): void
    {
        $rows = [
            ['apiKey', ['apiKey' => 'two words']], ['apiKey', ['apiKey' => '']], ['apiKey', ['apiKey' => "line\n"]], ['apiKey', ['apiKey' => 'kéy']],
            ['maxRetries', ['maxRetries' => -1]], ['maxRetries', ['maxRetries' => 11]],
        ];
        $gateways = [
            '', 'gateway.example', 'ftp://gateway.example', 'https://', 'https://gateway.example/api', 'https://gateway.example?x', 'https://a@b',
            'https://gateway.example:70000', 'http://gateway.example', 'http://127.0.0.1.example', 'http://127.example', "https://a\n", 'https://a b',
        ];
        foreach ($gateways as $gateway) {
            $rows[] = ['gateway', ['gateway' => $gateway]];
        }
        foreach ($rows as [$member, $options]) {
            try {
                self::client($options);
                self::fail((string) json_encode($options));
            } catch (Thrown\CallerException $exception) {
                self::assertSame($member, $exception->member);
                self::assertStringNotContainsString('two words', $exception->getMessage());
            }
        }
        foreach (['https://gateway.example/', 'HTTPS://Gateway.Example:8443', 'http://localhost:8080', 'http://127.0.0.1', 'http://[::1]:8080', 'http://a.localhost'] as $gateway) {
            self::assertInstanceOf(Payframe::class, self::client(['gateway' => $gateway]));
        }
    }

    /** @param array<string, mixed> $options */
    private static function client(array $options): Payframe
    {
        $factory = new HttpFactory();
        $http = new Stage([Stage::answer()]);
        return new Payframe(...$options + [
            'gateway' => Stage::GATEWAY, 'apiKey' => Stage::API_KEY, 'http' => $http, 'requests' => $factory, 'streams' => $factory,
        ]);
    }
}
