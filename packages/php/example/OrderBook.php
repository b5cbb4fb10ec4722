<?php

declare(strict_types=1);

namespace Payframe\Example;

use Payframe\Exception\PayframeException;
use Payframe\OrderKeeper\OrderKeeper;
use Payframe\Payframe;
use Payframe\Runtime;

/**
 * The shop's orders, each kept by the order keeper: what happens to an order is given to it, and what it answers is carried out.
 *
 * A row is a file, and a transaction is the time for which the file is locked. A real shop has them in its database; see
 * docs/order-keeper.md. PHP ends after each request, so what is to be done later is in the row, and `due()` does it: run it every few seconds.
 */
final class OrderBook
{
    /** @param \Closure(string): void $report hears of what failed, and of orders that need a person */
    public function __construct(
        private readonly Payframe $payframe,
        private readonly string $folder,
        private readonly \Closure $report,
        private readonly Runtime $runtime = new Runtime(),
    ) {
    }

    /**
     * A new order. Its row is there before the gateway hears of it.
     *
     * @param array{amount: string, currency: string} $price
     */
    public function place(string $orderId, array $price, int $payWithinSeconds): void
    {
        $row = [
            'order' => OrderKeeper::newOrder((int) $price['amount']),
            'currency' => $price['currency'],
            'payUntil' => $this->now() + $payWithinSeconds,
            'outbox' => [],
            'question' => null,
            'sessions' => [],
        ];
        file_put_contents($this->path($orderId), json_encode($row, JSON_THROW_ON_ERROR), LOCK_EX);
    }

    /** @return array<string, mixed>|null the order as the keeper has it */
    public function order(string $orderId): ?array
    {
        $isThere = preg_match('/^[0-9a-f]{1,32}$/D', $orderId) && is_file($this->path($orderId));
        return $isThere ? $this->transaction($orderId, static fn (array $row): array => $row)['order'] : null;
    }

    /**
     * The buyer presses Pay: the session to show, or why there is none. The form is shown only if the keeper says so.
     *
     * @param \Closure(): array<string, mixed> $build `POST /orders/build`
     * @return array<string, mixed>|string
     */
    public function pay(string $orderId, \Closure $build): array|string
    {
        $answer = $this->happens($orderId, ['type' => 'ATTEMPT_WANTED'])[0];
        if ($answer['type'] === 'REFUSE_ATTEMPT') {
            return $answer['why'];
        }
        $number = $answer['number'];
        try {
            $session = $build();
        } catch (PayframeException $exception) {
            if ($exception->errorCode === 'GW9006') {
                // Another attempt has paid the order.
                $this->happens($orderId, ['type' => 'FEED']);
            }
            throw $exception;
        }
        $this->transaction($orderId, static function (array $row) use ($number, $session): array {
            $row['sessions'][$number] = $session['sessionId'];
            return $row;
        });
        $outputs = $this->happens($orderId, ['type' => 'ATTEMPT_OPENED', 'number' => $number]);
        return \in_array('SHOW_FORM', array_column($outputs, 'type'), true) ? $session : 'NOT_FOR_SALE';
    }

    /**
     * It ends when everything that can be done at once is done.
     *
     * @param array<string, mixed> $input
     * @param array<string, mixed>|null $answered the output that the input answers: it leaves the outbox
     * @return list<array<string, mixed>>
     */
    public function happens(string $orderId, array $input, ?array $answered = null): array
    {
        $outputs = [];
        $this->transaction($orderId, function (array $row) use ($input, $answered, &$outputs): array {
            $row = self::without($row, $answered);
            if ($input['type'] === 'TIME_OUT') {
                $row['payUntil'] = null;
            }
            $step = OrderKeeper::step($row['order'], $input);
            $outputs = $step->outputs;
            $row['order'] = $step->order;
            foreach ($outputs as $output) {
                if ($output['type'] === 'ASK') {
                    // One question at a time: a new one replaces the one before.
                    $row['question'] = ['ticket' => $output['ticket'], 'at' => $this->now() + $output['seconds']];
                } elseif (!\in_array($output['type'], self::AT_ONCE, true)) {
                    $row['outbox'][] = $output;
                }
            }
            return $row;
        });
        $this->work($orderId);
        return $outputs;
    }

    /** Does for every order what is due: the limit of its time, a question, what could not be carried out before. */
    public function due(): void
    {
        foreach (glob("$this->folder/*.json") ?: [] as $path) {
            $orderId = basename($path, '.json');
            $payUntil = $this->transaction($orderId, static fn (array $row): array => $row)['payUntil'];
            if ($payUntil !== null && $payUntil <= $this->now()) {
                $this->happens($orderId, ['type' => 'TIME_OUT']);
            } else {
                $this->work($orderId);
            }
        }
    }

    /** Carries out the outbox, and asks the question if it is time. An output leaves the outbox when it was carried out. */
    private function work(string $orderId): void
    {
        $row = $this->transaction($orderId, static fn (array $row): array => $row);
        foreach ($row['outbox'] as $output) {
            try {
                $this->carryOut($orderId, $row, $output);
            } catch (PayframeException $exception) {
                ($this->report)($exception->getMessage());
                break;
            }
            if ($output['type'] === 'CLOSE_ATTEMPT') {
                $this->happens($orderId, ['type' => 'ATTEMPT_CLOSED', 'number' => $output['number']], $output);
            } else {
                $this->transaction($orderId, static fn (array $row): array => self::without($row, $output));
            }
        }
        $question = $this->takeQuestion($orderId);
        if ($question !== null) {
            $this->happens($orderId, $this->read($orderId, $question['ticket'], $row['currency']));
        }
    }

    /**
     * @param array<string, mixed> $row
     * @param array<string, mixed> $output
     */
    private function carryOut(string $orderId, array $row, array $output): void
    {
        switch ($output['type']) {
            case 'FULFIL':
                file_put_contents("$this->folder/shipments", "$orderId\n", FILE_APPEND | LOCK_EX);
                $this->tell($orderId, 'FULFILLED');
                break;
            case 'RELEASE_STOCK':
                // This shop has enough of everything.
                $this->tell($orderId, 'CANCELED');
                break;
            case 'CLOSE_ATTEMPT':
                $this->close($row['sessions'][$output['number']] ?? null, "close $orderId $output[number]");
                break;
            case 'GIVE_BACK':
                $sum = ['amount' => (string) $output['amount'], 'currency' => $row['currency']];
                $this->payframe->operations->refund($output['operation'], $sum, "give back $output[operation]");
                break;
            case 'CALL_PERSON':
                ($this->report)("Order $orderId needs a person: $output[why]");
                break;
            default:
                // The others are answered at once, and never in an outbox.
        }
    }

    /**
     * Tells the gateway what became of the goods. If that fails, `payframe-gateway reconcile` finds it.
     *
     * @param 'FULFILLED'|'CANCELED' $state
     */
    private function tell(string $orderId, string $state): void
    {
        try {
            $this->payframe->orders->tellFulfilment($orderId, ['state' => $state]);
        } catch (PayframeException $exception) {
            ($this->report)($exception->getMessage());
        }
    }

    private function close(?string $sessionId, string $key): void
    {
        if ($sessionId === null) {
            return;
        }
        try {
            $this->payframe->sessions->cancel($sessionId, $key);
        } catch (PayframeException $exception) {
            // A session that is over is closed.
            if ($exception->errorCode !== 'PS0061') {
                throw $exception;
            }
        }
    }

    /**
     * A row whose outbox has an output no more.
     *
     * @param array<string, mixed> $row
     * @param array<string, mixed>|null $output
     * @return array<string, mixed>
     */
    private static function without(array $row, ?array $output): array
    {
        $at = array_search($output, $row['outbox'], true);
        if ($at !== false) {
            array_splice($row['outbox'], $at, 1);
        }
        return $row;
    }

    /**
     * A question that is due, for one worker alone. The time is moved on, so that it is asked again if this program ends before the answer.
     *
     * @return array{ticket: int, at: int}|null
     */
    private function takeQuestion(string $orderId): ?array
    {
        $question = null;
        $this->transaction($orderId, function (array $row) use (&$question): array {
            $isOpen = $row['question'] !== null && $row['question']['ticket'] === $row['order']['asked'];
            if ($isOpen && $row['question']['at'] <= $this->now()) {
                $question = $row['question'];
                $row['question']['at'] = $this->now() + 60;
            }
            return $row;
        });
        return $question;
    }

    /** @return array<string, mixed> the input that the answer is */
    private function read(string $orderId, int $ticket, string $currency): array
    {
        try {
            return OrderKeeper::readInput($ticket, $this->payframe->orders->read($orderId), $currency);
        } catch (PayframeException $exception) {
            if ($exception->errorCode === 'not_found') {
                return OrderKeeper::readInput($ticket, null, $currency);
            }
            ($this->report)($exception->getMessage());
            return ['type' => 'READ_FAILED', 'ticket' => $ticket];
        }
    }

    /**
     * @param \Closure(array<string, mixed>): array<string, mixed> $change
     * @return array<string, mixed> the row after it
     */
    private function transaction(string $orderId, \Closure $change): array
    {
        $file = fopen($this->path($orderId), 'r+') ?: throw new \RuntimeException('There is no such order');
        flock($file, LOCK_EX);
        $row = $change(json_decode((string) stream_get_contents($file), true, 512, JSON_THROW_ON_ERROR));
        rewind($file);
        ftruncate($file, 0);
        fwrite($file, json_encode($row, JSON_THROW_ON_ERROR));
        fclose($file);
        return $row;
    }

    private function now(): int
    {
        return (int) $this->runtime->now();
    }

    private function path(string $orderId): string
    {
        return "$this->folder/$orderId.json";
    }

    /** Answers to the caller who waits. */
    private const AT_ONCE = ['OPEN_ATTEMPT', 'SHOW_FORM', 'REFUSE_ATTEMPT'];
}
