<?php

declare(strict_types=1);

namespace Payframe;

use Payframe\Exception\PayframeException;

/**
 * Bodies in JSON: how they are written, and how they are read. It does not know what is in them.
 *
 * @internal
 */
final class Json
{
    /**
     * The JSON of a body. No member of the API has a fraction, so one is a sum in the major unit, or a rounding error: it is refused.
     *
     * @param array<string, mixed> $body
     */
    public static function of(array $body): string
    {
        self::check('body', $body);
        return json_encode((object) $body, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR);
    }

    /** What JSON in UTF-8 holds, with arrays for objects; null if it is none. */
    public static function parsed(string $text): mixed
    {
        return json_decode($text, true, 512, JSON_BIGINT_AS_STRING);
    }

    /**
     * A value, if it is an object or a list.
     *
     * @return array<array-key, mixed>
     */
    public static function members(mixed $value): array
    {
        return \is_array($value) ? $value : [];
    }

    private static function check(string $name, mixed $value): void
    {
        if (\is_float($value)) {
            throw PayframeException::refusedValue($name, 'must be text of digits, or a whole number: Money::of() makes sums');
        }
        if (\is_string($value) && preg_match('//u', $value) !== 1) {
            throw PayframeException::refusedValue($name, 'must be text in UTF-8');
        }
        if (\is_object($value) || \is_resource($value)) {
            throw PayframeException::refusedValue($name, 'must be what JSON has: text, a whole number, true, false, null or an array');
        }
        foreach (self::members($value) as $member => $inner) {
            self::check(\is_string($member) ? $member : $name, $inner);
        }
    }
}
