<?php

declare(strict_types=1);

namespace Payframe\OrderKeeper;

use Payframe\ErrorKind;
use Payframe\Exception\PayframeException;
use Payframe\Json;

/** The gateway's order as a shop reads it: which payments there are, and how much money is held. */
final class OrderReading
{
    /**
     * What an answer of `orders->read()` says of the money of an order in this currency: `held` is approved minus released and refunded;
     * payments are oldest first, and have money (APPROVED), may get it (UNDECIDED), or had it (RETURNED).
     *
     * @param array<string, mixed> $answer
     * @return array{held: int, payments: list<array{operation: string, outcome: string, amount: int}>}
     * @throws PayframeException with the code `order_currency`, `order_form`, `order_unknown` or `order_totals`
     */
    public static function of(array $answer, string $currency): array
    {
        $status = Json::members($answer['orderStatus'] ?? null);
        if ((Json::members($status['order'] ?? null)['currency'] ?? null) !== $currency) {
            throw self::unreadable('order_currency', "Its currency is not that of the shop's order.");
        }
        $held = self::amount($status['authorizedAmount'] ?? null) - self::amount($status['refundedAmount'] ?? null);
        if ($held < 0) {
            throw self::unreadable('order_totals', 'More is refunded than was approved.');
        }
        $operations = $answer['operations'] ?? null;
        if (!\is_array($operations)) {
            throw self::malformed();
        }
        $payments = [];
        // The gateway has the newest first.
        foreach (array_reverse($operations) as $given) {
            $operation = Json::members($given);
            $outcome = self::outcome($operation);
            if ($outcome !== null) {
                $payments[] = [
                    'operation' => self::id($operation['operationId'] ?? null),
                    'outcome' => $outcome,
                    'amount' => self::amount($operation['operationAmount'] ?? null),
                ];
            }
        }
        if ($held > 0 && !\in_array('APPROVED', array_column($payments, 'outcome'), true)) {
            throw self::unreadable('order_totals', 'The held money belongs to no payment.');
        }
        return ['held' => $held, 'payments' => $payments];
    }

    /**
     * Null without money of its own.
     *
     * @param array<array-key, mixed> $operation
     */
    private static function outcome(array $operation): ?string
    {
        $type = $operation['operationType'] ?? null;
        $result = $operation['operationResult'] ?? null;
        if (\in_array($type, self::FOLLOW_UPS, true)) {
            return null;
        }
        if ($type !== 'AUTHORIZATION' || !\is_string($result) || !\array_key_exists($result, self::OUTCOMES)) {
            throw self::unreadable('order_unknown', 'It has an operation or a result that the contract does not have.');
        }
        return self::OUTCOMES[$result];
    }

    private static function amount(mixed $text): int
    {
        if (!\is_string($text) || !preg_match('/^[0-9]{1,12}$/D', $text)) {
            throw self::malformed();
        }
        return (int) $text;
    }

    private static function id(mixed $text): string
    {
        if (!\is_string($text) || !preg_match('/^[0-9]{18}$/D', $text)) {
            throw self::malformed();
        }
        return $text;
    }

    private static function malformed(): PayframeException
    {
        return self::unreadable('order_form', 'An amount or an id does not have the form of the contract.');
    }

    private static function unreadable(string $code, string $message): PayframeException
    {
        return PayframeException::of(ErrorKind::Gateway, $code, "The order can not be used. $message");
    }

    /** Operations that follow a payment. The sums of the order include them. */
    private const FOLLOW_UPS = ['CAPTURE', 'VOID', 'REFUND', 'CANCEL', 'CARD_VERIFICATION'];
    /** Null: refused. */
    private const OUTCOMES = [
        'AUTHORIZED' => 'APPROVED',
        'EXECUTED' => 'APPROVED',
        'PENDING' => 'UNDECIDED',
        'VOIDED' => 'RETURNED',
        'REFUNDED' => 'RETURNED',
        'DECLINED' => null,
        'DENIED_BY_RISK' => null,
        'THREEDS_VALIDATED' => null,
        'THREEDS_FAILED' => null,
        'CANCELED' => null,
        'FAILED' => null,
    ];
}
