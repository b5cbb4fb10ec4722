<?php

declare(strict_types=1);

namespace Payframe\WooCommerce;

use Payframe\Exception\PayframeException;

/**
 * Sums: WooCommerce has them as decimal texts, the gateway as whole minor units. No floating point number is in between.
 *
 * How many digits a minor unit has is ISO 4217's word, as at the gateway. How many the shop shows is another number.
 */
final class Amounts
{
    /** A sum in the minor unit. One with a fraction of it is refused, and never rounded. */
    public static function minorOf(string|int|float $amount, string $currency): int
    {
        // WooCommerce calculates with floating point numbers in places. Six places are the sum without their noise.
        $text = \is_float($amount) ? number_format($amount, 6, '.', '') : (string) $amount;
        $digits = self::digits($currency);
        $isSum = preg_match('/^([0-9]{1,12})(?:\.([0-9]+))?$/D', $text, $parts) === 1;
        $fraction = rtrim($parts[2] ?? '', '0');
        if (!$isSum || \strlen($fraction) > $digits) {
            throw PayframeException::refusedValue('amount', "must be a sum of whole minor units. $text $currency is none");
        }
        return (int) ($parts[1] . str_pad($fraction, $digits, '0'));
    }

    /** A sum as WooCommerce takes it. */
    public static function majorOf(int $minor, string $currency): string
    {
        $digits = self::digits($currency);
        if ($digits === 0) {
            return (string) $minor;
        }
        $padded = str_pad((string) $minor, $digits + 1, '0', STR_PAD_LEFT);
        return substr($padded, 0, -$digits) . '.' . substr($padded, -$digits);
    }

    private static function digits(string $currency): int
    {
        return \in_array($currency, self::NONE, true) ? 0 : (\in_array($currency, self::THREE, true) ? 3 : 2);
    }

    private const NONE = ['BIF', 'BYR', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'];
    private const THREE = ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'];
}
