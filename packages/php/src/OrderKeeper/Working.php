<?php

declare(strict_types=1);

namespace Payframe\OrderKeeper;

/**
 * An order in the middle of a step, and its outputs so far.
 *
 * @internal
 */
final class Working
{
    public readonly int $due;
    public string $status;
    public ?string $statusDetail;
    public string $intent;
    public string $goods;
    /** @var list<array{number: int, isClosing: bool}> */
    public array $open;
    public int $attempts;
    /** @var list<string> */
    public array $returning;
    public ?int $asked;
    public int $tickets;
    public int $reads;
    public ?string $called;
    /** @var list<array<string, mixed>> */
    public array $outputs = [];

    /** @param array<string, mixed> $order which was checked */
    public function __construct(array $order)
    {
        foreach (StoredOrder::MEMBERS as $member) {
            $this->$member = $order[$member];
        }
    }

    /** @return array<string, mixed> */
    public function order(): array
    {
        $order = [];
        foreach (StoredOrder::MEMBERS as $member) {
            $order[$member] = $this->$member;
        }
        return $order;
    }

    public function setStatus(string $status, ?string $detail = null): void
    {
        $this->status = $status;
        $this->statusDetail = $detail;
    }

    /** Whether this answers the newest request, which is then no longer open. */
    public function takes(int $ticket): bool
    {
        $isNewest = $this->asked === $ticket;
        if ($isNewest) {
            $this->asked = null;
        }
        return $isNewest;
    }

    public function closeAll(): void
    {
        foreach ($this->open as $at => $one) {
            if (!$one['isClosing']) {
                $this->outputs[] = ['type' => 'CLOSE_ATTEMPT', 'number' => $one['number']];
                $this->open[$at]['isClosing'] = true;
            }
        }
    }

    public function askNow(): void
    {
        $this->ask(0);
    }

    /** Reads the order again after an answer without a result. */
    public function askLater(): void
    {
        $this->reads = min($this->reads + 1, self::READS_UNTIL_PERSON);
        $this->askLaterUncounted();
    }

    public function askLaterUncounted(): void
    {
        $this->ask(self::ASK_AFTER_SECONDS[$this->reads] ?? self::LAST_SECONDS);
    }

    private function ask(int $seconds): void
    {
        $this->tickets++;
        $this->asked = $this->tickets;
        $this->outputs[] = ['type' => 'ASK', 'ticket' => $this->tickets, 'seconds' => $seconds];
    }

    public function needsPerson(string $why): void
    {
        $this->setStatus('NEEDS_PERSON', $why);
        $this->call($why);
    }

    /** Calls a person, once for each cause in a row. */
    public function call(string $why): void
    {
        if ($this->called !== $why) {
            $this->called = $why;
            $this->outputs[] = ['type' => 'CALL_PERSON', 'why' => $why];
        }
    }

    public function fulfil(): void
    {
        if ($this->goods === 'RESERVED') {
            $this->goods = 'FULFILLED';
            // Shipping is first in the list, so that the buyer does not wait for the other outputs.
            array_unshift($this->outputs, ['type' => 'FULFIL']);
        }
    }

    /** An order whose stock is released is never sold. */
    public function release(): void
    {
        if ($this->intent === 'SELL') {
            $this->intent = 'GIVE_UP';
        }
        if ($this->goods === 'RESERVED') {
            $this->goods = 'RELEASED';
            $this->outputs[] = ['type' => 'RELEASE_STOCK'];
        }
    }

    /** A person is called after this number of answers in a row without a result. The requests continue. */
    public const READS_UNTIL_PERSON = 6;
    /** Seconds until the next request, by the number of answers without a result. */
    private const ASK_AFTER_SECONDS = [5, 15, 60, 300, 1800];
    private const LAST_SECONDS = 7200;
}
