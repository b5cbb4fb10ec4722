<?php

declare(strict_types=1);

namespace Payframe\Tests\Live;

use GuzzleHttp\Client;
use GuzzleHttp\Psr7\HttpFactory;
use Payframe\Payframe;
use Payframe\Runtime;
use PHPUnit\Framework\Assert;
use Psr\Http\Client\ClientInterface;

/**
 * The gateway of the live tests, and what is prepared there. PAYFRAME_API is the address of its API, PAYFRAME_API_KEY a key, and
 * PAYFRAME_NOTIFICATION_SECRET a secret of the key's terminal. The cards are test cards of the sandbox, and of nobody.
 */
final class Sandbox
{
    public const APPROVED = '4761730000000003';
    public const NO_FUNDS = '4761730000001167';

    public static function gateway(): string
    {
        return (string) preg_replace('~/api$~D', '', self::variable('PAYFRAME_API'));
    }

    public static function secret(): string
    {
        return self::variable('PAYFRAME_NOTIFICATION_SECRET');
    }

    private static function variable(string $name): string
    {
        return getenv($name) ?: Assert::fail("These tests need a gateway: set $name");
    }

    /** A client. With one that is given, its pauses take no time. */
    public static function payframe(?ClientInterface $http = null, int $maxRetries = 2, ?string $apiKey = null): Payframe
    {
        $factory = new HttpFactory();
        $runtime = $http === null ? null : new class () extends Runtime {
            public function sleep(float $seconds): void
            {
            }
        };
        return new Payframe(
            self::gateway(),
            $apiKey ?? self::variable('PAYFRAME_API_KEY'),
            $http ?? new Client(['timeout' => 35]),
            $factory,
            $factory,
            maxRetries: $maxRetries,
            runtime: $runtime,
        );
    }

    public static function newOrderId(): string
    {
        return bin2hex(random_bytes(9));
    }

    /** A session whose payment the shop's server closes. @return array<string, mixed> */
    public static function session(string $orderId, string $action = 'PAY', string $notificationUrl = 'https://shop.example/hook'): array
    {
        return [
            'version' => '3',
            'merchantUrl' => 'https://shop.example',
            'order' => ['orderId' => $orderId, 'amount' => '3545', 'currency' => 'EUR'],
            'paymentSession' => [
                'actionType' => $action,
                'amount' => '3545',
                'paymentService' => 'CARDS',
                'resultUrl' => 'https://shop.example/ok',
                'cancelUrl' => 'https://shop.example/ko',
                'notificationUrl' => $notificationUrl,
            ],
            'form' => ['closing' => 'SERVER'],
        ];
    }

    /** Holds the money of an order, and answers the operation. */
    public static function authorized(string $orderId): string
    {
        $payframe = self::payframe();
        $sessionId = $payframe->sessions->create(self::session($orderId, 'PREAUTH'))['sessionId'];
        self::enterCard($sessionId);
        $operation = $payframe->sessions->finalize($sessionId)['operation'];
        Assert::assertSame('AUTHORIZED', $operation['operationResult']);
        return $operation['operationId'];
    }

    /** Takes the money of an order, and answers the operation. */
    public static function captured(string $orderId): string
    {
        $payframe = self::payframe();
        $sessionId = $payframe->sessions->create(self::session($orderId))['sessionId'];
        self::enterCard($sessionId);
        $operation = $payframe->sessions->finalize($sessionId)['operation'];
        Assert::assertSame('EXECUTED', $operation['operationResult']);
        return $operation['operationId'];
    }

    /** @return list<string> */
    public static function typesAndAmounts(string $orderId): array
    {
        $operations = self::payframe()->orders->read($orderId)['operations'];
        return array_map(static fn (array $one): string => "$one[operationType] $one[operationAmount]", $operations);
    }

    /** What the form does for a buyer: it submits a card. With the shown sum it closes the payment. */
    public static function enterCard(string $sessionId, string $card = self::APPROVED, ?string $shownSum = null): void
    {
        $fields = [
            'CARD_NUMBER' => $card,
            'EXPIRATION_DATE' => '12' . gmdate('y', time() + 366 * 86_400),
            'SECURITY_CODE' => '123',
            'CARDHOLDER_NAME' => 'Ada Lovelace',
        ];
        $rows = array_map(static fn (string $id, string $value): array => ['id' => $id, 'value' => $value], array_keys($fields), $fields);
        self::asFrame($sessionId, 'fe/build/text', $rows);
        // There is no device to check.
        self::asFrame($sessionId, 'fe/build/skip_gdi', new \stdClass());
        if ($shownSum !== null) {
            self::asFrame($sessionId, 'build/finalize_payment', ['shownSum' => $shownSum]);
        }
    }

    private static function asFrame(string $sessionId, string $path, mixed $body): void
    {
        $id = bin2hex(random_bytes(16));
        $answer = (new Client())->post(self::gateway() . "/api/$path", [
            'headers' => ['session' => $sessionId, 'correlation-id' => $id, 'idempotency-key' => $id],
            'json' => $body,
            'http_errors' => false,
            'timeout' => 35,
        ]);
        if ($answer->getStatusCode() !== 200) {
            throw new RefusedByGateway("$path: {$answer->getBody()}");
        }
    }
}
