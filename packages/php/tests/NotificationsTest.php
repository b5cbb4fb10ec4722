<?php

declare(strict_types=1);

namespace Payframe\Tests;

use GuzzleHttp\Psr7\ServerRequest;
use Payframe\Exception\CallerException;
use Payframe\Exception\NotificationException;
use Payframe\NotificationVerifier;
use Payframe\Runtime;
use PHPUnit\Framework\TestCase;

/** Notifications, against one that the reference library of Standard Webhooks has signed. */
final class NotificationsTest extends TestCase
{
    private const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    private const OTHER_SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
    private const ID = '554ccc00-28fb-4344-a3fa-4bb8d1999bd5';
    private const BODY = '{"eventId":"' . self::ID . '","eventTime":"2030-01-31T09:59:59.000Z","eventType":"PAYMENT","securityToken":"2f0e",'
        . '"operation":{"operationId":"347074400000000001","orderId":"Fünf"}}';
    /** By the library `standardwebhooks` 1.1.1 from npm, with each of the secrets. */
    private const SIGNATURE = 'v1,i07o0wuYG8NKo37SgMU4DgbSz4k1p/hq/UJxmXHFLdI=';
    private const OTHER_SIGNATURE = 'v1,0yzQR94SC4iCzaXOJbIFfXrrsXFFgOyFCywmSRzn/DI=';
    private const HEADERS = ['webhook-id' => self::ID, 'webhook-timestamp' => '1896084000', 'webhook-signature' => self::SIGNATURE];

    /**
     * @param array<string, mixed> $headers beside the good ones
     * @param string|list<string> $secrets
     * @return array<string, mixed>
     */
    private static function verify(
        array $headers = [],
        string $body = self::BODY,
        string|array $secrets = self::SECRET,
        int $at = Stage::NOW,
        int $tolerance = 300,
    ): array {
        return (new NotificationVerifier($secrets, $tolerance, self::clock($at)))->verify($headers + self::HEADERS, $body);
    }

    private static function clock(int $at): Runtime
    {
        return new class ($at) extends Runtime {
            public function __construct(private readonly int $at)
            {
            }

            public function now(): float
            {
                return $this->at;
            }
        };
    }

    private static function assertRefused(string $code, callable $call): void
    {
        try {
            $call();
            self::fail("It was accepted, not refused with $code");
        } catch (NotificationException $exception) {
            self::assertSame($code, $exception->errorCode);
            $shown = $exception->getMessage() . json_encode($exception);
            foreach ([substr(self::SECRET, 6), substr(self::SIGNATURE, 3), self::BODY] as $hidden) {
                self::assertStringNotContainsString($hidden, $shown);
            }
        }
    }

    /** The headers of a body that is signed as the gateway would. @return array<string, string> */
    private static function signed(string $body): array
    {
        $key = (string) base64_decode(substr(self::SECRET, 6), true);
        $signature = base64_encode(hash_hmac('sha256', self::ID . ".1896084000.$body", $key, true));
        return ['webhook-signature' => "v1,$signature"];
    }

    public function testWhatTheReferenceLibrarySignsIsVerified(): void
    {
        $event = json_decode(self::BODY, true);
        self::assertSame($event, self::verify());
        self::assertSame(['webhook-signature' => self::SIGNATURE], self::signed(self::BODY));
        $request = new ServerRequest('POST', '/hook', self::HEADERS, self::BODY);
        self::assertSame($event, (new NotificationVerifier([self::SECRET], 300, self::clock(Stage::NOW)))->verifyRequest($request));
    }

    public function testHeadersAreAcceptedAsPhpAndFrameworksHaveThem(): void
    {
        $verifier = new NotificationVerifier(self::SECRET, 300, self::clock(Stage::NOW));
        $server = ['REQUEST_TIME' => 7, 'argv' => [], 'HTTP_ACCEPT' => '*/*'];
        foreach (self::HEADERS as $name => $value) {
            $server['HTTP_' . strtoupper(strtr($name, '-', '_'))] = $value;
        }
        $rows = [$server, array_change_key_case(self::HEADERS, CASE_UPPER), array_map(static fn (string $value): array => [$value, 'another'], self::HEADERS)];
        foreach ($rows as $headers) {
            self::assertSame(self::ID, $verifier->verify($headers, self::BODY)['eventId']);
        }
    }

    public function testDuringARotationEitherSecretIsEnoughOnBothSides(): void
    {
        $rows = [
            [[self::OTHER_SECRET, self::SECRET], self::SIGNATURE],
            [[self::SECRET], self::OTHER_SIGNATURE . ' ' . self::SIGNATURE],
            [substr(self::SECRET, 6), self::SIGNATURE],
            [self::OTHER_SECRET, self::OTHER_SIGNATURE],
        ];
        foreach ($rows as [$secrets, $signature]) {
            self::assertSame(self::ID, self::verify(['webhook-signature' => $signature], secrets: $secrets)['eventId']);
        }
        self::assertRefused('signature_mismatch', static fn () => self::verify(secrets: self::OTHER_SECRET));
        self::assertRefused('signature_mismatch', static fn () => self::verify(['webhook-signature' => self::OTHER_SIGNATURE]));
    }

    public function testWhateverTheGatewayDidNotSignIsRefused(): void
    {
        foreach ([str_replace('347', '348', self::BODY), ' ' . self::BODY, ''] as $body) {
            self::assertRefused('signature_mismatch', static fn () => self::verify(body: $body));
        }
        foreach ([['webhook-id' => 'another'], ['webhook-timestamp' => '1896084001']] as $headers) {
            self::assertRefused('signature_mismatch', static fn () => self::verify($headers));
        }
    }

    public function testSignaturesOfOtherVersionsAndMalformedOnesDoNotCount(): void
    {
        $good = self::SIGNATURE;
        $malformed = [strtr($good, ['v1,' => 'v1a,']), strtr($good, ['v1,' => 'v2,']), substr($good, 0, -1), substr($good, 3), "$good\n", 'v1,', 'v1', ',', ' '];
        foreach ($malformed as $signature) {
            self::assertRefused('signature_malformed', static fn () => self::verify(['webhook-signature' => $signature]));
        }
        $flipped = 'v1,j' . substr($good, 4);
        self::assertRefused('signature_mismatch', static fn () => self::verify(['webhook-signature' => $flipped]));
        self::assertSame(self::ID, self::verify(['webhook-signature' => "v2,x $flipped $good"])['eventId']);
        // No more than eight are compared.
        $late = str_repeat("$flipped ", 8) . $good;
        self::assertRefused('signature_mismatch', static fn () => self::verify(['webhook-signature' => $late]));
    }

    public function testANotificationFromAnotherTimeIsRefusedOnEitherSide(): void
    {
        foreach ([-300, 0, 300] as $seconds) {
            self::assertSame(self::ID, self::verify(at: Stage::NOW + $seconds)['eventId']);
        }
        self::assertRefused('timestamp_too_old', static fn () => self::verify(at: Stage::NOW + 301));
        self::assertRefused('timestamp_too_new', static fn () => self::verify(at: Stage::NOW - 301));
        self::assertSame(self::ID, self::verify(at: Stage::NOW + 3600, tolerance: 3600)['eventId']);
        self::assertRefused('timestamp_too_old', static fn () => self::verify(at: Stage::NOW + 1, tolerance: 0));
        foreach (['-1', '1.5', '2030-01-31', '1e9', '0x10', ' 1', "1\n", str_repeat('1', 13)] as $timestamp) {
            self::assertRefused('timestamp_malformed', static fn () => self::verify(['webhook-timestamp' => $timestamp]));
        }
    }

    public function testAMissingHeaderIsRefused(): void
    {
        foreach (array_keys(self::HEADERS) as $name) {
            foreach ([null, '', [], 7] as $value) {
                self::assertRefused('header_missing', static fn () => self::verify([$name => $value]));
            }
        }
    }

    public function testABodyThatIsSignedButIsNoNotificationIsRefused(): void
    {
        $event = json_decode(self::BODY, true);
        $bodies = ['', '[]', 'null', '{', '{"eventId":"x"}', str_repeat('[', 100_000), mb_convert_encoding(self::BODY, 'ISO-8859-1', 'UTF-8')];
        foreach ([['eventId' => 'another'], ['operation' => null], ['operation' => []], ['eventType' => 1]] as $change) {
            $bodies[] = (string) json_encode($change + $event);
        }
        foreach ($bodies as $body) {
            self::assertRefused('body_malformed', static fn () => self::verify(self::signed($body), $body));
        }
    }

    public function testWhatIsNotAboutMoneyHasNoOperationAndUnknownKindsAreVerifiedToo(): void
    {
        foreach ([['eventType' => 'TERMINAL_ATTACK', 'attack' => ['terminalId' => '91000001', 'state' => 'BEGUN']], ['eventType' => 'NEW']] as $more) {
            $event = ['eventId' => self::ID, 'eventTime' => '2030-01-31T09:59:59.000Z'] + $more;
            $body = (string) json_encode($event);
            self::assertSame($event, self::verify(self::signed($body), $body));
        }
    }

    public function testWrongArgumentsAreTheFaultOfTheCaller(): void
    {
        foreach ([[], '', 'whsec_', 'whsec_%', ['short'], [self::SECRET, ''], [7]] as $secrets) {
            try {
                self::verify(secrets: $secrets);
                self::fail((string) json_encode($secrets));
            } catch (CallerException $exception) {
                self::assertSame('secrets', $exception->member);
            }
        }
        $this->expectException(CallerException::class);
        self::verify(tolerance: -1);
    }
}
