<?php

declare(strict_types=1);

namespace Payframe;

use Payframe\Exception\PayframeException;

/** Sums as the gateway has them: text in the minor unit, with a currency. It does no arithmetic. */
final class Money
{
    /**
     * A sum for a request: `Money::of(3545, 'EUR')` is 35.45 EUR.
     *
     * @param int|string $amountMinor whole, not negative, in the minor unit of the currency, with at most 12 digits
     * @param string $currency three letters of ISO 4217
     * @return array{amount: string, currency: string}
     */
    public static function of(int|string $amountMinor, string $currency): array
    {
        if (!preg_match('/^[A-Z]{3}$/D', $currency)) {
            throw PayframeException::refusedValue('currency', 'must be three capital letters of ISO 4217, such as EUR');
        }
        $amount = (string) $amountMinor;
        if (!preg_match('/^(0|[1-9][0-9]{0,11})$/D', $amount)) {
            throw PayframeException::refusedValue(
                'amountMinor',
                'must be a whole number of at most 12 digits, in the minor unit of the currency (3545 for 35.45 EUR)',
            );
        }
        return ['amount' => $amount, 'currency' => $currency];
    }
}
