<?php

declare(strict_types=1);

namespace Payframe;

use Payframe\Exception\PayframeException;

/**
 * The options of a client, checked. Messages name the option and what it accepts, and never hold the API key.
 *
 * @internal
 */
final class Settings
{
    /** Where the API is, without a slash at the end. */
    public readonly string $base;
    public readonly Secret $apiKey;
    public readonly int $maxRetries;

    public function __construct(string $gateway, #[\SensitiveParameter] string $apiKey, int $maxRetries)
    {
        if (!preg_match('/^[A-Za-z0-9_-]+$/D', $apiKey)) {
            throw PayframeException::refusedValue(
                'apiKey',
                'must be an API key as the gateway printed it: letters, digits, - and _',
            );
        }
        if ($maxRetries < 0 || $maxRetries > 10) {
            throw PayframeException::refusedValue('maxRetries', 'must be a whole number from 0 to 10');
        }
        $this->base = self::originOf($gateway) . '/api';
        $this->apiKey = new Secret($apiKey);
        $this->maxRetries = $maxRetries;
    }

    /** The origin of a gateway, in small letters and without a slash at the end. */
    private static function originOf(string $gateway): string
    {
        if (!preg_match(self::ORIGIN, strtolower($gateway), $parts) || (int) ($parts['port'] ?? 0) > 65_535) {
            throw PayframeException::refusedValue(
                'gateway',
                'must be an origin without a path, such as https://gateway.example',
            );
        }
        if ($parts['scheme'] === 'http' && !self::isLoopback($parts['host'])) {
            throw PayframeException::refusedValue(
                'gateway',
                'must be https: over http the API key could be read on the way. Only loopback addresses may be http',
            );
        }
        return $parts['origin'];
    }

    private static function isLoopback(string $host): bool
    {
        $isNamed = $host === 'localhost' || str_ends_with($host, '.localhost') || $host === '[::1]';
        return $isNamed || (str_starts_with($host, '127.') && filter_var($host, FILTER_VALIDATE_IP, FILTER_FLAG_IPV4) !== false);
    }

    private const ORIGIN = '~^(?<origin>(?<scheme>https?)://(?<host>[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::(?<port>[0-9]{1,5}))?)/?$~D';
}
