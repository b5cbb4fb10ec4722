<?php

declare(strict_types=1);

namespace Payframe\OrderKeeper;

use Payframe\Exception\PayframeException;

/**
 * A shop's order that always agrees with the gateway about its money: `crates/order-keeper` of the project in PHP, held to the same vectors.
 *
 * It is pure: it has no clock, does no I/O and knows no database. `docs/order-keeper.md` says how to store the order, which inputs and outputs
 * there are, and what to do for each output.
 *
 * An order is an array to be stored as it is, as JSON or as columns:
 *
 * - `due`: what it costs, in the minor unit
 * - `status`: UNPAID, PAYING, PAID, PARTLY_PAID, REFUNDED, GIVEN_UP or NEEDS_PERSON
 * - `statusDetail`: whose turn it is in PAYING (BUYER, ISSUER), why in NEEDS_PERSON, or null
 * - `intent`: SELL, GIVE_UP or GIVE_BACK; `goods`: RESERVED, FULFILLED or RELEASED
 * - `open`: attempts that are not known to be over, each `number` and `isClosing`; `attempts`: how many there were
 * - `returning`: operations that are given back
 * - `asked`: the ticket of the open request, or null; `tickets`: how many there were
 * - `reads`: answers in a row without a result; `called`: why a person was called last, or null
 */
final class OrderKeeper
{
    /**
     * A new order of which nothing is paid. Its stock is reserved.
     *
     * @param int $due what it costs, in the minor unit: above 0, at most 12 digits
     * @return array<string, mixed>
     */
    public static function newOrder(int $due): array
    {
        return StoredOrder::checked([
            'due' => $due,
            'status' => 'UNPAID',
            'statusDetail' => null,
            'intent' => 'SELL',
            'goods' => 'RESERVED',
            'open' => [],
            'attempts' => 0,
            'returning' => [],
            'asked' => null,
            'tickets' => 0,
            'reads' => 0,
            'called' => null,
        ]);
    }

    /**
     * The input that the answer of `orders->read()` is: READ, or READ_UNREADABLE if the answer can not be understood.
     *
     * @param int $ticket of the ASK that this answers
     * @param array<string, mixed>|null $answer null if the gateway has no such order (`not_found`)
     * @param string $currency of the shop's order
     * @return array<string, mixed>
     */
    public static function readInput(int $ticket, ?array $answer, string $currency): array
    {
        try {
            $reading = $answer === null ? ['held' => 0, 'payments' => []] : OrderReading::of($answer, $currency);
            return ['type' => 'READ', 'ticket' => $ticket, 'reading' => $reading];
        } catch (PayframeException) {
            return ['type' => 'READ_UNREADABLE', 'ticket' => $ticket];
        }
    }

    /**
     * The order after an input, and what to carry out.
     *
     * @param array<string, mixed> $order as it was stored
     * @param array<string, mixed> $input `type`, and `number`, `ticket` or `reading` where the type has them
     * @throws PayframeException of kind `caller` if `$order` is none that this class made, or if there is no such input
     */
    public static function step(array $order, array $input): Step
    {
        $working = new Working(StoredOrder::checked($order));
        switch ($input['type'] ?? null) {
            case 'ATTEMPT_WANTED':
                self::wanted($working);
                break;
            case 'ATTEMPT_OPENED':
                self::opened($working, self::counted($input, 'number'));
                break;
            case 'ATTEMPT_CLOSED':
                self::closed($working, self::counted($input, 'number'));
                break;
            case 'RETURN_PAGE':
            case 'NOTIFICATION':
            case 'FEED':
                $working->askNow();
                break;
            case 'READ':
                if ($working->takes(self::counted($input, 'ticket'))) {
                    Evaluation::apply($working, $input['reading']);
                }
                break;
            case 'READ_FAILED':
                if ($working->takes(self::counted($input, 'ticket'))) {
                    $working->askLater();
                }
                break;
            case 'READ_UNREADABLE':
                if ($working->takes(self::counted($input, 'ticket'))) {
                    $working->needsPerson('UNREADABLE');
                    $working->askLater();
                }
                break;
            case 'TIME_OUT':
                if ($working->intent === 'SELL' && $working->goods === 'RESERVED') {
                    self::end($working, 'GIVE_UP');
                }
                break;
            case 'STAFF_CANCEL':
                self::end($working, 'GIVE_BACK');
                break;
            case 'STAFF_LOOK_AGAIN':
                $working->reads = 0;
                $working->called = null;
                $working->askNow();
                break;
            default:
                throw PayframeException::refusedValue('input', 'must have one of the types of docs/order-keeper.md');
        }
        return new Step($working->order(), $working->outputs);
    }

    private static function wanted(Working $working): void
    {
        $why = self::refusal($working);
        if ($why !== null) {
            $working->outputs[] = ['type' => 'REFUSE_ATTEMPT', 'why' => $why];
            return;
        }
        $working->attempts++;
        $working->open[] = ['number' => $working->attempts, 'isClosing' => false];
        $working->setStatus('PAYING', 'BUYER');
        $working->outputs[] = ['type' => 'OPEN_ATTEMPT', 'number' => $working->attempts];
    }

    private static function refusal(Working $working): ?string
    {
        return match (true) {
            \in_array($working->status, ['PAID', 'PARTLY_PAID'], true) => 'ALREADY_PAID',
            \in_array($working->status, ['REFUNDED', 'GIVEN_UP'], true) => 'NOT_FOR_SALE',
            $working->status === 'NEEDS_PERSON' => 'NEEDS_PERSON',
            $working->statusDetail === 'ISSUER' => 'UNDECIDED',
            $working->intent !== 'SELL' => 'NOT_FOR_SALE',
            \count($working->open) >= self::MAX_OPEN_ATTEMPTS => 'TOO_MANY_ATTEMPTS',
            default => null,
        };
    }

    /** An attempt may have been closed during its call. Then its form is never shown. */
    private static function opened(Working $working, int $number): void
    {
        if ($number === 0 || $number > $working->attempts) {
            return;
        }
        $isOpen = \in_array(['number' => $number, 'isClosing' => false], $working->open, true);
        if ($working->intent === 'SELL' && $working->statusDetail === 'BUYER' && $isOpen) {
            $working->outputs[] = ['type' => 'SHOW_FORM', 'number' => $number];
            $working->reads = 0;
            $working->askLaterUncounted();
            return;
        }
        $working->outputs[] = ['type' => 'CLOSE_ATTEMPT', 'number' => $number];
        $open = array_column($working->open, null, 'number');
        $open[$number] = ['number' => $number, 'isClosing' => true];
        ksort($open);
        $working->open = array_values($open);
    }

    /** When the last attempt is closed, nothing new can happen at the gateway: a later answer is final. */
    private static function closed(Working $working, int $number): void
    {
        $before = \count($working->open);
        $isOther = static fn (array $one): bool => $one['number'] !== $number || !$one['isClosing'];
        $working->open = array_values(array_filter($working->open, $isOther));
        if ($working->open === [] && $before > 0) {
            $working->askNow();
        }
    }

    private static function end(Working $working, string $intent): void
    {
        $working->intent = $intent;
        $working->reads = 0;
        $working->closeAll();
        $working->askNow();
    }

    /** @param array<string, mixed> $input */
    private static function counted(array $input, string $member): int
    {
        $value = $input[$member] ?? null;
        if (!\is_int($value) || $value < 0) {
            throw PayframeException::refusedValue($member, 'must be a whole number from 0');
        }
        return $value;
    }

    /** Further attempts are refused until the shop has closed some. */
    private const MAX_OPEN_ATTEMPTS = 8;
}
