<?php

declare(strict_types=1);

namespace Payframe\WooCommerce;

use Payframe\Exception\PayframeException;
use Payframe\Money;
use Payframe\OrderKeeper\OrderKeeper;
use Payframe\Runtime;

/**
 * What the order book carries out: for the keeper, and for the staff. Each piece of work leaves the row in one change with what it leads to.
 *
 * One worker at a time has a row, because WooCommerce sends its mails again if an order is marked as paid twice at the same time. Whoever
 * ends in the middle loses the row after a while.
 */
final class Outbox
{
    /** The gateway's code for a session that has ended: it is closed. */
    public const SESSION_OVER = 'PS0061';
    /** @var array<string, true> rows that this program works at */
    private array $working = [];
    private readonly string $worker;

    public function __construct(private readonly Book $book, private readonly Runtime $runtime)
    {
        $this->worker = bin2hex(random_bytes(12));
    }

    /** Does all work of a row that can be done now. What fails is reported, and tried again by `Book::wake`. */
    public function work(string $reference): void
    {
        if (isset($this->working[$reference]) || !$this->book->rows->known($reference)->hasWork() || !$this->claim($reference)) {
            return;
        }
        $this->working[$reference] = true;
        try {
            $this->workAll($reference);
            $this->book->rows->change($reference, static function (Row $row): void {
                $row->workAt = $row->hasWork() ? $row->workAt : null;
            });
        } finally {
            unset($this->working[$reference]);
        }
        $this->book->rows->leave($reference, $this->worker);
    }

    /** Whether an output stays in the row until it is carried out. The others are answered to whoever waits, or are the question. */
    public static function isWork(array $output): bool
    {
        return !\in_array($output['type'], ['OPEN_ATTEMPT', 'SHOW_FORM', 'REFUSE_ATTEMPT', 'ASK'], true);
    }

    /**
     * An outbox without an output.
     *
     * @param list<array<string, mixed>> $outputs
     * @return list<array<string, mixed>>
     */
    public static function without(array $outputs, ?array $output): array
    {
        return array_values(array_filter($outputs, static fn (array $one): bool => $one !== $output));
    }

    private function workAll(string $reference): void
    {
        $tried = [];
        do {
            $row = $this->book->rows->known($reference);
            $next = array_values(array_filter($row->outbox, static fn (array $one): bool => !\in_array($one, $tried, true)))[0] ?? null;
            if ($next !== null) {
                $tried[] = $next;
                $this->try($reference, fn () => $this->carryOut($row, $next));
            }
        } while ($next !== null);
        $this->try($reference, fn () => $this->capture($this->book->rows->known($reference)));
        $this->try($reference, fn () => $this->book->refunds->finish($this->book->rows->known($reference)));
        $this->try($reference, fn () => $this->tellGoods($this->book->rows->known($reference)));
    }

    /** @param \Closure(): void $work */
    private function try(string $reference, \Closure $work): void
    {
        if (!$this->claim($reference)) {
            return;
        }
        try {
            $work();
        } catch (\Exception $problem) {
            $this->book->log->failure($problem);
        }
    }

    private function carryOut(Row $row, array $output): void
    {
        $leave = static function (Row $newest) use ($output): void {
            $newest->outbox = self::without($newest->outbox, $output);
        };
        switch ($output['type']) {
            case 'FULFIL':
                $this->fulfil($row, $output);
                return;
            case 'CLOSE_ATTEMPT':
                $number = $output['number'];
                $this->close($row->sessionOf($number)['id'] ?? null, "close $row->reference $number");
                $this->book->happens($row->reference, ['type' => 'ATTEMPT_CLOSED', 'number' => $number], $output);
                return;
            case 'RELEASE_STOCK':
                $this->book->shop->giveUp($row);
                $this->book->rows->change($row->reference, static function (Row $newest) use ($leave): void {
                    $newest->untold = $newest->kept['attempts'] > 0 ? 'CANCELED' : '';
                    $leave($newest);
                });
                return;
            case 'GIVE_BACK':
                $this->giveBack($row, $output);
                break;
            case 'CALL_PERSON':
                $this->callPerson($row->reference, $output['why']);
                break;
        }
        $this->book->rows->change($row->reference, $leave);
    }

    /** Marks the shop's order as paid. If it can not be sold any more, the money goes back. */
    private function fulfil(Row $row, array $output): void
    {
        $operation = $row->operation !== '' ? $row->operation : $this->payingOperation($row);
        // What pays the order is known before the shop's hooks run, which may want it captured.
        $row = $this->book->rows->change($row->reference, static fn (Row $newest) => $newest->operation = $operation);
        try {
            if (!$this->claim($row->reference)) {
                return;
            }
            $this->book->shop->fulfil($row, $operation);
        } catch (NotForSale $why) {
            $this->book->log->warning("The money of $row->reference goes back: {$why->getMessage()}");
            /* translators: %s: why */
            $this->book->shop->note($row, sprintf(__('the money goes back. %s', 'payframe-woocommerce'), $why->getMessage()));
            $this->book->happens($row->reference, ['type' => 'STAFF_CANCEL'], $output, static function (Row $newest): void {
                $newest->isSuperseded = true;
                $newest->untold = 'CANCELED';
            });
            return;
        }
        $this->book->rows->change($row->reference, static function (Row $newest) use ($output): void {
            $newest->outbox = self::without($newest->outbox, $output);
            $newest->untold = 'FULFILLED';
            $newest->needsPerson = '';
        });
    }

    private function payingOperation(Row $row): string
    {
        $input = OrderKeeper::readInput(0, $this->book->payframe->orders->read($row->reference), $row->currency);
        foreach ($input['reading']['payments'] ?? [] as $payment) {
            if ($payment['outcome'] === 'APPROVED' && $payment['amount'] >= $row->due()) {
                return $payment['operation'];
            }
        }
        throw new \RuntimeException("The gateway names no payment of the paid order $row->reference.");
    }

    /**
     * Gives a payment back if the order is still the one on which the keeper decided. If it has changed, it is looked at again: somebody
     * else may have given another payment of it back, and the one that is left pays the order.
     */
    private function giveBack(Row $row, array $output): void
    {
        $refund = fn (?string $version): array => $this->book->payframe->operations->refund(
            $output['operation'],
            Money::of($output['amount'], $row->currency),
            "give back $output[operation]",
            $version,
        );
        try {
            $refund($row->orderVersion === '' ? null : $row->orderVersion);
        } catch (PayframeException $exception) {
            if ($exception->errorCode !== 'GW9012') {
                throw $exception;
            }
            $answer = $this->book->payframe->orders->read($row->reference);
            $isSold = !$row->isGivingBack() && $row->kept['goods'] !== 'RELEASED';
            $held = OrderKeeper::readInput(0, $answer, $row->currency)['reading']['held'] ?? 0;
            if ($held - $output['amount'] >= ($isSold ? $row->due() : 0)) {
                $refund($answer['orderVersion']);
            } else {
                $this->callPerson($row->reference, 'NOT_GIVEN_BACK');
            }
        }
    }

    private function close(?string $sessionId, string $key): void
    {
        if ($sessionId === null) {
            // Nobody has seen the form of an attempt whose session is not known.
            return;
        }
        try {
            $this->book->payframe->sessions->cancel($sessionId, $key);
        } catch (PayframeException $exception) {
            if ($exception->errorCode !== self::SESSION_OVER) {
                throw $exception;
            }
        }
    }

    /** Captures what is still held. The amount and the key are in the row before the call, so that it is made once. */
    private function capture(Row $row): void
    {
        if (($row->capture['state'] ?? '') !== 'WANTED') {
            return;
        }
        if ($row->capture['key'] === '') {
            $actions = array_column($this->book->payframe->operations->actions($row->operation), null, 'actionType');
            $amount = (int) ($actions['CAPTURE']['maxAmount'] ?? 0);
            $row = $this->book->rows->change($row->reference, static function (Row $newest) use ($amount): void {
                if ($newest->capture['key'] === '') {
                    $newest->capture['amount'] = $amount;
                    $newest->capture['key'] = "capture $newest->operation {$newest->capture['count']}";
                }
            });
        }
        if ($row->capture['amount'] > 0) {
            try {
                $sum = Money::of($row->capture['amount'], $row->currency);
                $this->book->payframe->operations->capture($row->operation, $sum, $row->capture['key']);
            } catch (PayframeException $exception) {
                if ($exception->isRetryable || $exception->outcomeUnknown) {
                    throw $exception;
                }
                $this->ended($row->reference, 'REFUSED');
                $this->callPerson($row->reference, 'CAPTURE_REFUSED');
                $this->book->shop->note($row, $exception->getMessage());
                return;
            }
        }
        $this->ended($row->reference, 'DONE');
    }

    private function ended(string $reference, string $state): void
    {
        $this->book->rows->change($reference, static fn (Row $newest) => $newest->capture['state'] = $state);
    }

    /** Tells the gateway what became of the goods. A refusal is reported and not repeated: it changes no money. */
    private function tellGoods(Row $row): void
    {
        $goods = $row->untold;
        if ($goods === '') {
            return;
        }
        try {
            $this->book->payframe->orders->tellFulfilment($row->reference, ['state' => $goods], "goods $goods $row->reference");
        } catch (PayframeException $exception) {
            if ($exception->isRetryable) {
                throw $exception;
            }
            $this->book->log->failure($exception);
        }
        $this->book->rows->change($row->reference, static fn (Row $newest) => $newest->untold = $newest->untold === $goods ? '' : $newest->untold);
    }

    private function callPerson(string $reference, string $why): void
    {
        $row = $this->book->rows->change($reference, static fn (Row $newest) => $newest->needsPerson = $why);
        $this->book->log->error("The payment $reference needs a person: $why");
        /* translators: %s: a word of the order keeper, such as TOO_MUCH */
        $this->book->shop->note($row, sprintf(__('somebody has to look at this payment: %s', 'payframe-woocommerce'), $why));
    }

    private function claim(string $reference): bool
    {
        $now = (int) $this->runtime->now();
        return $this->book->rows->claim($reference, $this->worker, $now, $now + self::LEASE_SECONDS);
    }

    /** Longer than a call of the gateway with its repetition. */
    private const LEASE_SECONDS = 120;
}
