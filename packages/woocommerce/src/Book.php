<?php

declare(strict_types=1);

namespace Payframe\WooCommerce;

use Payframe\Exception\PayframeException;
use Payframe\OrderKeeper\OrderKeeper;
use Payframe\Payframe;
use Payframe\Runtime;

/**
 * The rows of the shop's payments, each kept by the order keeper.
 *
 * What happens is given to the keeper, and what it answers is carried out, also after a crash. Nothing is asked of the gateway while a row
 * is being changed. `wake()` has to be called now and then: `Schedule` does.
 */
final class Book
{
    private readonly Outbox $outbox;
    public readonly Refunds $refunds;

    public function __construct(
        public readonly Payframe $payframe,
        public readonly Rows $rows,
        public readonly Shop $shop,
        public readonly Log $log,
        private readonly Options $options,
        private readonly Runtime $runtime = new Runtime(),
    ) {
        $this->refunds = new Refunds($this, $runtime);
        $this->outbox = new Outbox($this, $runtime);
    }

    /**
     * The form for a buyer who wants to pay an order: the one that is open, or a new one.
     *
     * @param string $customer the gateway's id of the customer who is logged in; empty for a guest
     * @param \Closure(string): array<string, mixed> $request body of `POST /orders/build` for a reference
     */
    public function form(\WC_Order $order, string $customer, \Closure $request): Formed
    {
        $due = $this->shop->due($order);
        for ($tries = 0; $tries < self::MOST_REFERENCES; $tries++) {
            $row = $this->current($order, $due);
            if ($row === null) {
                return Formed::refused('ALREADY_PAID');
            }
            $formed = $this->openForm($row->reference, $customer) ?? $this->newForm($row->reference, $customer, $request);
            if ($formed->refused !== 'TOO_MANY_ATTEMPTS') {
                return $formed;
            }
            $this->supersede($row->reference);
        }
        return Formed::refused('NEEDS_PERSON');
    }

    /**
     * It ends when everything that can be done at once is done.
     *
     * @param array<string, mixed> $input of the order keeper
     * @param array<string, mixed>|null $done the output that the input answers: it leaves the outbox
     * @param (\Closure(Row): void)|null $before a change in the same step
     * @param array<string, mixed>|null $answer the gateway's order that the input was made of
     * @return list<array<string, mixed>> what the keeper answers
     * @throws PayframeException with the code `order_unknown` if there is no such row
     */
    public function happens(string $reference, array $input, ?array $done = null, ?\Closure $before = null, ?array $answer = null): array
    {
        $outputs = $this->give($reference, $input, $done, $before, $answer);
        $this->outbox->work($reference);
        foreach ($outputs as $output) {
            if ($output['type'] === 'ASK' && $output['seconds'] === 0) {
                $this->read($reference, $output['ticket']);
                break;
            }
        }
        return $outputs;
    }

    /** The row for somebody who waits: the gateway is asked, also if a notification asks at the same time. */
    public function look(string $reference): Row
    {
        for ($looks = 0; $looks < self::MOST_LOOKS; $looks++) {
            $this->happens($reference, ['type' => 'RETURN_PAGE']);
            $row = $this->rows->known($reference);
            if ($row->kept['asked'] === null || $row->askAt === null || $row->askAt > $this->now()) {
                break;
            }
        }
        return $this->rows->known($reference);
    }

    /** An order of the shop is cancelled: its forms are closed, and all money goes back. */
    public function cancel(int $orderId): void
    {
        foreach ($this->rows->ofOrder($orderId) as $row) {
            if (!$row->isOver() && !$row->isGivingBack()) {
                $this->happens($row->reference, ['type' => 'STAFF_CANCEL'], before: self::goodsCanceled(...));
            }
        }
    }

    /** The shop's own limit is over. Answers whether the order can be given up: no money is held for it, and nobody can pay it any more. */
    public function timeOut(int $orderId): bool
    {
        foreach ($this->rows->ofOrder($orderId) as $row) {
            if (!$row->isOver()) {
                $this->happens($row->reference, ['type' => 'TIME_OUT'], before: static function (Row $row): void {
                    $row->payBy = null;
                });
            }
        }
        return array_filter($this->rows->ofOrder($orderId), static fn (Row $row): bool => !$row->isOver()) === [];
    }

    /** The goods are on their way, or somebody asks for the money: what is held is captured, once. */
    public function capture(int $orderId): void
    {
        foreach ($this->rows->ofOrder($orderId) as $row) {
            if ($row->operation !== '' && $row->kept['status'] === 'PAID' && !$row->isGivingBack()) {
                $this->rows->change($row->reference, function (Row $row): void {
                    $this->wantCapture($row);
                });
                $this->outbox->work($row->reference);
            }
        }
    }

    /** Somebody has seen to it: the order is read again, and a person is called again if need be. */
    public function lookAgain(int $orderId): void
    {
        foreach ($this->rows->ofOrder($orderId) as $row) {
            $this->happens($row->reference, ['type' => 'STAFF_LOOK_AGAIN'], before: static function (Row $row): void {
                $row->needsPerson = '';
            });
        }
    }

    /** Does what is due: questions, time-outs, what failed or was interrupted, and what a hook has not told. */
    public function wake(): void
    {
        foreach ($this->rows->due($this->now(), self::MOST_AT_ONCE) as $reference) {
            try {
                $this->wakeRow($this->rows->known($reference));
            } catch (\Exception $problem) {
                // One row must not hold up the others.
                $this->log->failure($problem);
            }
        }
    }

    private function wakeRow(Row $row): void
    {
        [$now, $reference] = [$this->now(), $row->reference];
        if ($row->visitAt !== null && $row->visitAt <= $now) {
            $this->visit($row);
        }
        if ($row->payBy !== null && $row->payBy <= $now) {
            $this->happens($reference, ['type' => 'TIME_OUT'], before: static function (Row $row): void {
                $row->payBy = null;
            });
        }
        if ($row->workAt !== null && $row->workAt <= $now) {
            $this->rows->change($reference, fn (Row $row) => $row->workAt = $row->hasWork() ? $this->now() + self::RETRY_SECONDS : null);
            $this->outbox->work($reference);
        }
        if ($row->askAt !== null && $row->askAt <= $now) {
            $newest = $this->rows->change($reference, function (Row $row): void {
                // Asked again if this program ends before the answer.
                $row->askAt = $row->kept['asked'] === null ? null : $this->now() + self::ANSWER_SECONDS;
            });
            if ($newest->kept['asked'] !== null) {
                $this->read($reference, $newest->kept['asked']);
            }
        }
    }

    /** Compares a row with the shop's order. A program that ended between saving an order and its hooks has not told us. */
    private function visit(Row $row): void
    {
        $now = $this->now();
        $this->rows->change($row->reference, static function (Row $row) use ($now): void {
            // Each time when it has become twice as old, so that a large shop has few of them.
            $age = $now - $row->createdAt;
            $isOld = $age > self::VISITED_DAYS * 86_400;
            $row->visitAt = $row->isOver() || $isOld ? null : $now + max($age, self::VISIT_SECONDS);
        });
        $standing = $this->shop->standing($row);
        $isUnsold = $row->kept['goods'] !== 'FULFILLED';
        if ($standing === 'CANCELLED' || ($standing === 'GONE' && $isUnsold)) {
            $this->cancel($row->orderId);
        } elseif ($standing === 'COMPLETED' && $row->capture === null) {
            $this->capture($row->orderId);
        }
    }

    /** The row with which an order is paid now, made if there is none. Null if it is paid, or its money is going to the shop. */
    private function current(\WC_Order $order, array $due): ?Row
    {
        $rows = $this->rows->ofOrder($order->get_id());
        $newest = $rows[0] ?? null;
        if ($newest !== null && !$newest->isOver() && !$newest->isSuperseded && !$newest->isGivingBack()) {
            if ([$newest->due(), $newest->currency] === $due) {
                return $newest;
            }
            if ($newest->kept['status'] === 'PAID' || $newest->kept['status'] === 'PARTLY_PAID') {
                return null;
            }
            $this->supersede($newest->reference);
        }
        for ($number = ($newest->number ?? 0) + 1; ; $number++) {
            $reference = $this->reference($order->get_id(), $number);
            $known = $this->rows->find($reference);
            if ($known === null && $this->isOfOthers($reference)) {
                // Somebody may have made the row in this moment, in another tab.
                $known = $this->rows->find($reference);
                if ($known === null) {
                    continue;
                }
            }
            return $known ?? $this->place($reference, $order->get_id(), $number, $due);
        }
    }

    /** @param array{int, string} $due */
    private function place(string $reference, int $orderId, int $number, array $due): Row
    {
        $row = new Row($reference, $orderId, $number, $due[1], $this->now());
        $row->kept = OrderKeeper::newOrder($due[0]);
        $row->payBy = $this->now() + 60 * $this->options->payWithinMinutes;
        $row->visitAt = $this->now() + self::VISIT_SECONDS;
        return $this->rows->insert($row);
    }

    /** The id of an order at the gateway: that of a further try has a number behind it. */
    private function reference(int $orderId, int $number): string
    {
        return $this->options->referencePrefix . $orderId . ($number === 1 ? '' : "-$number");
    }

    /** Whether the gateway knows an order that this shop has not made: of another shop, or of a database before this. */
    private function isOfOthers(string $reference): bool
    {
        try {
            $this->payframe->orders->read($reference);
            return true;
        } catch (PayframeException $exception) {
            return $exception->errorCode === 'not_found' ? false : throw $exception;
        }
    }

    /** Another sum is due: nobody pays this row any more, and what was paid goes back. */
    private function supersede(string $reference): void
    {
        $this->happens($reference, ['type' => 'STAFF_CANCEL'], before: static function (Row $row): void {
            $row->isSuperseded = true;
        });
    }

    /** The form of the newest attempt, if this buyer can still pay in it. */
    private function openForm(string $reference, string $customer): ?Formed
    {
        $row = $this->rows->known($reference);
        $newest = end($row->kept['open']);
        $session = $newest !== false && !$newest['isClosing'] ? $row->sessionOf($newest['number']) : null;
        // Whoever has the address of the page must not see the cards of somebody else.
        if ($session === null || $session['customer'] !== $customer || $row->kept['statusDetail'] !== 'BUYER') {
            return null;
        }
        try {
            if ($this->payframe->sessions->read($session['id'])['state'] !== 'PAYMENT_COMPLETE') {
                return new Formed($session['id']);
            }
        } catch (PayframeException $exception) {
            if ($exception->errorCode !== Outbox::SESSION_OVER) {
                throw $exception;
            }
        }
        $this->happens($reference, ['type' => 'FEED']);
        return null;
    }

    /** @param \Closure(string): array<string, mixed> $request */
    private function newForm(string $reference, string $customer, \Closure $request): Formed
    {
        $wanted = $this->happens($reference, ['type' => 'ATTEMPT_WANTED'])[0];
        if ($wanted['type'] !== 'OPEN_ATTEMPT') {
            return Formed::refused($wanted['why'] ?? 'NOT_FOR_SALE');
        }
        $number = $wanted['number'];
        try {
            $session = $this->payframe->sessions->create($request($reference), "build $reference $number");
        } catch (PayframeException $exception) {
            if ($exception->errorCode !== 'GW9006') {
                throw $exception;
            }
            // Another attempt has paid the order, or waits for its issuer.
            $this->happens($reference, ['type' => 'FEED']);
            return Formed::refused($this->rows->known($reference)->kept['status'] === 'PAID' ? 'ALREADY_PAID' : 'UNDECIDED');
        }
        $keep = static function (Row $row) use ($number, $session, $customer): void {
            $row->sessions[(string) $number] = ['id' => $session['sessionId'], 'customer' => $customer];
        };
        $outputs = $this->happens($reference, ['type' => 'ATTEMPT_OPENED', 'number' => $number], before: $keep);
        return \in_array('SHOW_FORM', array_column($outputs, 'type'), true)
            ? new Formed($session['sessionId'], $session['form']['html'] ?? '')
            : Formed::refused('NOT_FOR_SALE');
    }

    /**
     * One input, in one change with what it answers.
     *
     * @return list<array<string, mixed>>
     */
    private function give(string $reference, array $input, ?array $done, ?\Closure $before, ?array $answer): array
    {
        $outputs = [];
        $this->rows->change($reference, function (Row $row) use ($input, $done, $before, $answer, &$outputs): void {
            if ($before !== null) {
                $before($row);
            }
            if ($answer !== null && $input['type'] === 'READ' && $input['ticket'] === $row->kept['asked']) {
                $row->orderVersion = (string) ($answer['orderVersion'] ?? '');
            }
            $called = $row->kept['called'];
            $step = OrderKeeper::step($row->kept, $input);
            $row->kept = $step->order;
            $outputs = $step->outputs;
            if ($called !== null && $row->kept['called'] === null && $row->needsPerson === $called) {
                $row->needsPerson = '';
            }
            $row->outbox = [...Outbox::without($row->outbox, $done), ...array_filter($outputs, Outbox::isWork(...))];
            $row->workAt = $row->hasWork() ? $this->now() + self::RETRY_SECONDS : null;
            $this->setQuestion($row, $outputs);
            if ($row->isOver()) {
                [$row->payBy, $row->visitAt] = [null, null];
            }
        });
        return $outputs;
    }

    /** @param list<array<string, mixed>> $outputs */
    private function setQuestion(Row $row, array $outputs): void
    {
        if ($row->kept['asked'] === null) {
            $row->askAt = null;
        }
        foreach ($outputs as $output) {
            if ($output['type'] === 'ASK') {
                $row->askAt = $this->now() + $output['seconds'];
            }
        }
    }

    private function read(string $reference, int $ticket): void
    {
        $row = $this->rows->known($reference);
        [$input, $answer] = [['type' => 'READ_FAILED', 'ticket' => $ticket], null];
        try {
            $answer = $this->payframe->orders->read($reference);
            $input = OrderKeeper::readInput($ticket, $answer, $row->currency);
        } catch (PayframeException $exception) {
            if ($exception->errorCode === 'not_found') {
                $input = OrderKeeper::readInput($ticket, null, $row->currency);
            } else {
                $this->log->failure($exception);
            }
        }
        $this->happens($reference, $input, answer: $answer);
        if ($answer !== null && $input['type'] === 'READ') {
            $this->refunds->record($reference, $answer);
        }
    }

    private function wantCapture(Row $row): void
    {
        if (($row->capture['state'] ?? '') !== 'WANTED') {
            $row->capture = ['state' => 'WANTED', 'key' => '', 'amount' => 0, 'count' => ($row->capture['count'] ?? 0) + 1];
            $row->workAt = $this->now() + self::RETRY_SECONDS;
        }
    }

    private static function goodsCanceled(Row $row): void
    {
        if ($row->kept['goods'] === 'FULFILLED') {
            $row->untold = 'CANCELED';
        }
    }

    private function now(): int
    {
        return (int) $this->runtime->now();
    }

    /** After which time work that failed or was interrupted is done again. */
    public const RETRY_SECONDS = 30;
    private const ANSWER_SECONDS = 120;
    private const VISIT_SECONDS = 6 * 3600;
    /** Money is held for five days, and back offices capture for longer. */
    private const VISITED_DAYS = 60;
    private const MOST_AT_ONCE = 100;
    private const MOST_LOOKS = 5;
    private const MOST_REFERENCES = 5;
}
