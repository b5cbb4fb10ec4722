<?php

declare(strict_types=1);

namespace Payframe;

use Payframe\Exception\PayframeException;
use Psr\Http\Message\RequestInterface;

/**
 * Notifications of the gateway, verified by the headers of Standard Webhooks 1.0.0. A notification that is verified comes from the gateway,
 * and is not older than the tolerance. It may come more than once: heed each `eventId` once. It does not replace `orders->read()`.
 */
final class NotificationVerifier
{
    /** @var list<Secret> */
    private readonly array $keys;

    /**
     * @param string|list<string> $secrets as the gateway printed them, `whsec_…`: the present one, and while it changes also the next
     * @param int $toleranceSeconds how far the time of sending may be from now: 0 to 86400
     */
    public function __construct(
        #[\SensitiveParameter] string|array $secrets,
        private readonly int $toleranceSeconds = 300,
        private readonly Runtime $runtime = new Runtime(),
    ) {
        if ($toleranceSeconds < 0 || $toleranceSeconds > 86_400) {
            throw PayframeException::refusedValue('toleranceSeconds', 'must be a number from 0 to 86400');
        }
        $this->keys = array_map(self::key(...), array_values((array) $secrets));
        if ($this->keys === []) {
            throw PayframeException::refusedValue('secrets', self::SECRET);
        }
    }

    /**
     * The event of a request as PSR-7 has it.
     *
     * @return array<string, mixed>
     * @throws PayframeException of kind `notification`: answer 400
     */
    public function verifyRequest(RequestInterface $request): array
    {
        return $this->verify($request->getHeaders(), (string) $request->getBody());
    }

    /**
     * The event of a notification.
     *
     * @param array<string, mixed> $headers by name, in any letter case; each a text or a list of texts. `$_SERVER` is understood too
     * @param string $body as it arrived (`file_get_contents('php://input')`), before any JSON parser
     * @return array<string, mixed>
     * @throws PayframeException of kind `notification`: answer 400
     */
    public function verify(array $headers, string $body): array
    {
        $named = self::named($headers);
        $id = self::header($named, 'webhook-id');
        $timestamp = self::header($named, 'webhook-timestamp');
        $given = self::signatures(self::header($named, 'webhook-signature'));
        $this->checkTime($timestamp);
        if (!$this->isSigned("$id.$timestamp.$body", $given)) {
            throw self::refused('signature_mismatch', 'No signature fits. Check the secret, and that the body is as it arrived.');
        }
        return self::event($body, $id);
    }

    private static function key(#[\SensitiveParameter] mixed $secret): Secret
    {
        $encoded = \is_string($secret) ? preg_replace('/^whsec_/', '', $secret) : '';
        $bytes = preg_match('~^[A-Za-z0-9+/]+={0,2}$~D', (string) $encoded) ? base64_decode((string) $encoded, true) : false;
        if ($bytes === false || \strlen($bytes) < 16) {
            throw PayframeException::refusedValue('secrets', self::SECRET);
        }
        return new Secret($bytes);
    }

    /**
     * The first header of each name, in small letters.
     *
     * @param array<string, mixed> $headers
     * @return array<string, string>
     */
    private static function named(array $headers): array
    {
        $named = [];
        foreach ($headers as $name => $value) {
            $first = \is_array($value) ? reset($value) : $value;
            // $_SERVER has "HTTP_WEBHOOK_ID" for "webhook-id".
            $plain = preg_replace('/^http-/', '', strtr(strtolower((string) $name), '_', '-'));
            $named += [(string) $plain => \is_string($first) ? $first : ''];
        }
        return $named;
    }

    /** @param array<string, string> $named */
    private static function header(array $named, string $name): string
    {
        $text = $named[$name] ?? '';
        if ($text === '') {
            throw self::refused('header_missing', "The header $name is missing. The terminal may have no notification secret.");
        }
        return $text;
    }

    private function checkTime(string $text): void
    {
        if (!preg_match('/^[0-9]{1,12}$/D', $text)) {
            throw self::refused('timestamp_malformed', 'The header webhook-timestamp is not a time in seconds.');
        }
        $age = $this->runtime->now() - (int) $text;
        if ($age > $this->toleranceSeconds) {
            throw self::refused('timestamp_too_old', "The notification was sent more than $this->toleranceSeconds seconds ago.");
        }
        if ($age < -$this->toleranceSeconds) {
            throw self::refused(
                'timestamp_too_new',
                "The notification is dated more than $this->toleranceSeconds seconds ahead. Check the clock.",
            );
        }
    }

    /**
     * The signatures of version 1. Others are left out.
     *
     * @return list<string>
     */
    private static function signatures(string $text): array
    {
        $found = preg_grep('~^v1,[A-Za-z0-9+/]{43}=$~D', explode(' ', $text)) ?: [];
        if ($found === []) {
            throw self::refused('signature_malformed', 'The header webhook-signature has no signature of version 1.');
        }
        return array_map(static fn (string $part): string => substr($part, 3), \array_slice($found, 0, self::MOST_SIGNATURES));
    }

    /** @param list<string> $given */
    private function isSigned(string $signed, array $given): bool
    {
        $fits = false;
        foreach ($this->keys as $key) {
            // The key is used to compute the signature.
            $expected = base64_encode(hash_hmac('sha256', $signed, $key->expose(), true));
            foreach ($given as $signature) {
                // All are compared, each in constant time: how long it takes tells nothing of the secrets.
                $fits = hash_equals($expected, $signature) || $fits;
            }
        }
        return $fits;
    }

    /** @return array<string, mixed> */
    private static function event(string $body, string $id): array
    {
        $event = Json::members(Json::parsed($body));
        $operation = Json::members($event['operation'] ?? null);
        $isNamed = ($event['eventId'] ?? null) === $id && \is_string($event['eventType'] ?? null);
        $isWhole = !\array_key_exists('operation', $event ?? []) || \is_string($operation['operationId'] ?? null);
        if (!$isNamed || !$isWhole) {
            throw self::refused('body_malformed', 'The body is no notification of the gateway.');
        }
        return $event;
    }

    private static function refused(string $code, string $message): PayframeException
    {
        return PayframeException::of(ErrorKind::Notification, $code, $message);
    }

    private const SECRET = 'must be secrets as the gateway printed them: whsec_ and base64';
    /** The gateway sends one for each valid secret. */
    private const MOST_SIGNATURES = 8;
}
