<?php

declare(strict_types=1);

namespace Payframe\Tests\Live;

use Payframe\ErrorKind;
use Payframe\Exception\CallerException;
use Payframe\Exception\NotificationException;
use Payframe\Exception\PayframeException;
use Payframe\NotificationVerifier;
use PHPUnit\Framework\TestCase;

/** The package against a gateway that runs in the sandbox, with faults allowed. `Sandbox` has the variables. */
final class GatewayTest extends TestCase
{
    public function testAPaymentSessionOtherSumCardCloseOrderCaptureRefund(): void
    {
        $payframe = Sandbox::payframe();
        $orderId = Sandbox::newOrderId();
        $session = $payframe->sessions->create(Sandbox::session($orderId, 'PREAUTH'));
        $sessionId = $session['sessionId'];
        self::assertStringStartsWith('<payment-form ', $session['form']['html']);
        self::assertMatchesRegularExpression('/^[0-9a-f]{32}$/D', $session['securityToken']);
        self::assertSame('3000', $payframe->sessions->change(['sessionId' => $sessionId, 'amount' => '3000'])['orderAmount']);
        Sandbox::enterCard($sessionId);
        self::assertSame('READY_FOR_PAYMENT', $payframe->sessions->read($sessionId)['state']);
        self::assertSame(substr(Sandbox::APPROVED, -4), $payframe->sessions->readCard($sessionId)['lastFourDigits']);
        $authorization = $payframe->sessions->finalize($sessionId)['operation']['operationId'];

        $capture = $payframe->operations->capture($authorization, ['amount' => '2000', 'currency' => 'EUR'])['operationId'];
        self::assertSame('CAPTURE', $payframe->operations->read($capture)['operationType']);
        $key = "refund of $orderId";
        $first = $payframe->operations->refund($capture, ['amount' => '500'], $key);
        self::assertSame($first['operationId'], $payframe->operations->refund($capture, ['amount' => '500'], $key)['operationId']);
        $exception = self::exception(static fn () => $payframe->operations->refund($capture, ['amount' => '501'], $key));
        self::assertSame(['PS0025', 'Idempotency-Key', false], [$exception->errorCode, $exception->member, $exception->outcomeUnknown]);

        $status = $payframe->orders->read($orderId)['orderStatus'];
        self::assertSame(['3000', '2000', '500'], [$status['authorizedAmount'], $status['capturedAmount'], $status['refundedAmount']]);
        self::assertSame(['REFUND 500', 'CAPTURE 2000', 'AUTHORIZATION 3000'], Sandbox::typesAndAmounts($orderId));
        self::assertCount(1, $payframe->orders->list(['orderId' => $orderId]));
        $refunds = array_column($payframe->operations->list(['operationType' => 'REFUND']), 'operationId');
        self::assertContains($first['operationId'], $refunds);
    }

    public function testADeclinedPaymentIsAnAnswerAndASessionCanBeGivenUp(): void
    {
        $payframe = Sandbox::payframe();
        $sessionId = $payframe->sessions->create(Sandbox::session(Sandbox::newOrderId()))['sessionId'];
        Sandbox::enterCard($sessionId, Sandbox::NO_FUNDS);
        self::assertSame('DECLINED', $payframe->sessions->finalize($sessionId)['operation']['operationResult']);
        $other = $payframe->sessions->create(Sandbox::session(Sandbox::newOrderId()))['sessionId'];
        self::assertSame('CANCELED', $payframe->sessions->cancel($other)['operation']['operationResult']);
    }

    public function testAVoidReleasesWhatIsHeldAndNeverTouchesCapturedMoney(): void
    {
        $payframe = Sandbox::payframe();
        $orderId = Sandbox::newOrderId();
        $operationId = Sandbox::authorized($orderId);
        $payframe->operations->capture($operationId, ['amount' => '1000']);
        $void = $payframe->operations->void($operationId)['operationId'];
        self::assertSame('VOID', $payframe->operations->read($void)['operationType']);
        self::assertSame(['VOID 2545', 'CAPTURE 1000', 'AUTHORIZATION 3545'], Sandbox::typesAndAmounts($orderId));
        self::assertSame('nothing_to_void', self::exception(static fn () => $payframe->operations->void($operationId))->errorCode);

        $another = Sandbox::authorized(Sandbox::newOrderId());
        $payframe->operations->capture($another, ['amount' => '2000']);
        self::assertSame('void_ambiguous', self::exception(static fn () => $payframe->operations->void($another))->errorCode);
    }

    public function testACaptureIsCancelledOnItsDay(): void
    {
        $payframe = Sandbox::payframe();
        $orderId = Sandbox::newOrderId();
        $capture = $payframe->operations->capture(Sandbox::authorized($orderId), ['amount' => '3545'])['operationId'];
        $payframe->operations->cancel($capture, 'ordered twice');
        self::assertSame('0', $payframe->orders->read($orderId)['orderStatus']['capturedAmount']);
    }

    public function testACaptureWhoseAnswerIsLostOnTheWayIsMadeOnce(): void
    {
        foreach ([['timeout', 2, ['true']], ['drop', 35, ['']], ['500', 35, ['', '']]] as [$fault, $timeout, $replayed]) {
            $orderId = Sandbox::newOrderId();
            $authorization = Sandbox::authorized($orderId);
            $faulty = new FaultyClient($fault, $timeout);
            $capture = Sandbox::payframe($faulty)->operations->capture($authorization, ['amount' => '3545'])['operationId'];
            self::assertSame(['CAPTURE 3545', 'AUTHORIZATION 3545'], Sandbox::typesAndAmounts($orderId));
            self::assertSame($capture, Sandbox::payframe()->orders->read($orderId)['operations'][0]['operationId']);
            self::assertSame($replayed, $faulty->replayed, $fault);
        }
    }

    public function testACaptureWithoutAnyAnswerTellsTheKeyAndTheKeyTellsTheOutcome(): void
    {
        $orderId = Sandbox::newOrderId();
        $authorization = Sandbox::authorized($orderId);
        $unlucky = Sandbox::payframe(new FaultyClient('timeout', 2), 0);
        $exception = self::exception(static fn () => $unlucky->operations->capture($authorization, ['amount' => '3545']));
        self::assertSame(
            ['unreachable', ErrorKind::Network, true, true],
            [$exception->errorCode, $exception->kind, $exception->outcomeUnknown, $exception->isRetryable],
        );
        Sandbox::payframe()->operations->capture($authorization, ['amount' => '3545'], $exception->idempotencyKey);
        self::assertSame(['CAPTURE 3545', 'AUTHORIZATION 3545'], Sandbox::typesAndAmounts($orderId));
    }

    public function testRefusalsNameTheMemberTheFaultAndTheIdOfTheCall(): void
    {
        $payframe = Sandbox::payframe();
        $wrong = ['merchantUrl' => 'https://shop.example', 'order' => ['orderId' => 'A1'], 'paymentSession' => ['amount' => '1']];
        $missing = self::exception(static fn () => $payframe->sessions->create($wrong));
        self::assertInstanceOf(CallerException::class, $missing);
        self::assertSame(['PS0026', 400, 'order.amount'], [$missing->errorCode, $missing->status, $missing->member]);
        self::assertMatchesRegularExpression('/^[0-9a-f-]{36}$/D', (string) $missing->requestId);
        $unknown = self::exception(static fn () => $payframe->orders->read('no-such-order'));
        self::assertSame(['not_found', 404], [$unknown->errorCode, $unknown->status]);
        $denied = self::exception(static fn () => Sandbox::payframe(apiKey: 'no-such-key')->orders->list());
        self::assertSame(['GW9020', 401, 'X-API-KEY'], [$denied->errorCode, $denied->status, $denied->member]);
    }

    public function testLinksAndHostedPages(): void
    {
        $payframe = Sandbox::payframe();
        $orderId = Sandbox::newOrderId();
        $pages = ['amount' => '12000', 'language' => 'eng', 'resultUrl' => 'https://shop.example/ok', 'cancelUrl' => 'https://shop.example/ko'];
        $linkId = $payframe->links->create([
            'order' => ['orderId' => $orderId, 'amount' => '12000', 'currency' => 'EUR'],
            'paymentSession' => $pages,
            'expirationDate' => gmdate('Y-m-d', time() + 7 * 86_400),
        ])['paymentLink']['linkId'];
        self::assertSame('ACTIVE', $payframe->links->read($linkId)['paymentLink']['status']);
        self::assertSame([$linkId], array_column($payframe->links->list(['orderId' => $orderId]), 'linkId'));
        self::assertSame(1, $payframe->links->renew($linkId)['renewals']);
        self::assertSame('CANCELED', $payframe->links->cancel($linkId)['status']);
        $order = ['orderId' => Sandbox::newOrderId(), 'amount' => '12000', 'currency' => 'EUR'];
        $page = $payframe->hostedPages->create(['order' => $order, 'paymentSession' => $pages])['hostedPage'];
        self::assertStringStartsWith(Sandbox::gateway() . '/pay/', $page);
    }

    public function testAnyOtherCallOfTheApi(): void
    {
        self::assertNotEmpty(Sandbox::payframe()->call('GET', '/payment_methods')['paymentMethods']);
    }

    public function testANotificationOfTheGatewayIsVerifiedAndRefusedOnceItWasChanged(): void
    {
        $receiver = new Receiver();
        $orderId = Sandbox::newOrderId();
        $payframe = Sandbox::payframe();
        $sessionId = $payframe->sessions->create(Sandbox::session($orderId, notificationUrl: "$receiver->address/hook"))['sessionId'];
        Sandbox::enterCard($sessionId);
        $payframe->sessions->finalize($sessionId);
        [$headers, $body] = $receiver->next(static fn (): int => 204);
        $verifier = new NotificationVerifier(Sandbox::secret());
        $event = $verifier->verify($headers, $body);
        self::assertSame(
            ['PAYMENT', $orderId, 'EXECUTED'],
            [$event['eventType'], $event['operation']['orderId'], $event['operation']['operationResult']],
        );
        $changed = str_replace('EXECUTED', 'DECLINED', $body);
        $exception = self::exception(static fn () => $verifier->verify($headers, $changed));
        self::assertInstanceOf(NotificationException::class, $exception);
        self::assertSame('signature_mismatch', $exception->errorCode);
    }

    public function testTheKindsOfErrorsAreThoseOfThisGateway(): void
    {
        $document = json_decode((string) file_get_contents(Sandbox::gateway() . '/api/openapi.json'), true, 512, JSON_THROW_ON_ERROR);
        $pattern = '/^\| `(\w+)` \| (\d{3})[^|]*\| [^|]+ \| ([^|]+) \|/m';
        self::assertGreaterThan(40, preg_match_all($pattern, $document['info']['description'], $rows, PREG_SET_ORDER));
        $kinds = [
            'who calls' => 'caller', 'the buyer' => 'buyer', 'issuer, network or method' => 'issuer', 'the gateway' => 'gateway',
            "the gateway's operator" => 'operator',
        ];
        foreach ($rows as [, $code, $status, $fault]) {
            self::assertSame($kinds[$fault], ErrorKind::ofCode($code, (int) $status)->value, $code);
        }
    }

    private static function exception(callable $call): PayframeException
    {
        try {
            $call();
        } catch (PayframeException $exception) {
            return $exception;
        }
        self::fail('The call succeeded');
    }
}
