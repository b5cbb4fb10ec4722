<?php

declare(strict_types=1);

namespace Payframe\OrderKeeper;

use Payframe\Exception\PayframeException;

/**
 * Stored orders: which are possible.
 *
 * @internal
 */
final class StoredOrder
{
    /**
     * An order, if this package can have made it. Members that it does not know are left out.
     *
     * @param array<string, mixed> $order
     * @return array<string, mixed>
     */
    public static function checked(array $order): array
    {
        if (!self::hasForm($order)) {
            throw PayframeException::refusedValue('order', 'must be an order as it was stored: OrderKeeper::newOrder() makes the first');
        }
        $impossible = self::impossibility($order);
        if ($impossible !== null) {
            throw PayframeException::refusedValue('order', "must be an order that the keeper made: $impossible");
        }
        // JSON has no order of members, and the comparison of attempts needs one.
        $attempt = static fn (array $one): array => ['number' => $one['number'], 'isClosing' => $one['isClosing']];
        return ['open' => array_map($attempt, $order['open'])] + array_intersect_key($order, array_flip(self::MEMBERS));
    }

    /** @param array<string, mixed> $order */
    private static function hasForm(array $order): bool
    {
        foreach (self::MEMBERS as $member) {
            if (!\array_key_exists($member, $order)) {
                return false;
            }
        }
        $isList = static fn (mixed $value): bool => \is_array($value) && array_is_list($value);
        return self::areCounts([$order['due'], $order['attempts'], $order['tickets'], $order['reads'], $order['asked'] ?? 0])
            && $order['due'] <= self::LARGEST_AMOUNT
            && \in_array($order['called'], [null, ...self::CAUSES], true)
            && \in_array($order['status'], self::STATUSES, true)
            && \in_array($order['statusDetail'], self::details($order['status']), true)
            && \in_array($order['intent'], ['SELL', 'GIVE_UP', 'GIVE_BACK'], true)
            && \in_array($order['goods'], ['RESERVED', 'FULFILLED', 'RELEASED'], true)
            && $isList($order['open']) && self::areAttempts($order['open'])
            && $isList($order['returning']) && self::areOperations($order['returning']);
    }

    /** @return list<string|null> */
    private static function details(string $status): array
    {
        return match ($status) {
            'PAYING' => ['BUYER', 'ISSUER'],
            'NEEDS_PERSON' => self::CAUSES,
            default => [null],
        };
    }

    /** @param list<mixed> $values */
    private static function areCounts(array $values): bool
    {
        return array_filter($values, static fn (mixed $value): bool => !\is_int($value) || $value < 0) === [];
    }

    /** @param list<mixed> $values */
    private static function areAttempts(array $values): bool
    {
        foreach ($values as $value) {
            if (!\is_array($value) || !self::areCounts([$value['number'] ?? null]) || !\is_bool($value['isClosing'] ?? null)) {
                return false;
            }
        }
        return true;
    }

    /** @param list<mixed> $values */
    private static function areOperations(array $values): bool
    {
        foreach ($values as $value) {
            if (!\is_string($value) || !preg_match('/^[0-9]{18}$/D', $value)) {
                return false;
            }
        }
        return true;
    }

    /** @param array<string, mixed> $order */
    private static function impossibility(array $order): ?string
    {
        $numbers = array_column($order['open'], 'number');
        $ascending = array_unique($numbers);
        sort($ascending);
        $wereMade = array_filter($numbers, static fn (int $number): bool => $number < 1 || $number > $order['attempts']) === [];
        $expected = $order['statusDetail'] === 'ISSUER' ? null : self::GOODS[$order['status']] ?? null;
        return match (true) {
            $order['due'] === 0 => 'FREE',
            $numbers !== $ascending || !$wereMade => 'ATTEMPTS',
            $order['asked'] === 0 || $order['asked'] > $order['tickets'] => 'TICKET',
            $order['reads'] > Working::READS_UNTIL_PERSON => 'READS',
            $expected !== null && $order['goods'] !== $expected => 'GOODS',
            default => null,
        };
    }

    public const MEMBERS = [
        'due', 'status', 'statusDetail', 'intent', 'goods', 'open', 'attempts', 'returning', 'asked', 'tickets', 'reads', 'called',
    ];
    private const STATUSES = ['UNPAID', 'PAYING', 'PAID', 'PARTLY_PAID', 'REFUNDED', 'GIVEN_UP', 'NEEDS_PERSON'];
    private const CAUSES = [
        'UNDECIDED', 'NOT_GIVEN_BACK', 'TOO_MUCH', 'TOO_LITTLE', 'PAID_AFTER_RELEASE', 'FULFILLED_UNPAID', 'UNREADABLE',
    ];
    /** Where the goods of an order must be. */
    private const GOODS = ['UNPAID' => 'RESERVED', 'PAYING' => 'RESERVED', 'PAID' => 'FULFILLED', 'GIVEN_UP' => 'RELEASED'];
    private const LARGEST_AMOUNT = 999_999_999_999;
}
