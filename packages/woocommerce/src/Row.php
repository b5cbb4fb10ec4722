<?php

declare(strict_types=1);

namespace Payframe\WooCommerce;

/** An order at the gateway, kept by the order keeper. Only `Book` and what it calls change one, in `Rows::change`. */
final class Row
{
    /** @var array<string, mixed> the order as the order keeper has it */
    public array $kept = [];
    /** @var list<array<string, mixed>> what is to be carried out */
    public array $outbox = [];
    /** @var array<string, array{id: string, customer: string}> sessions of the gateway by the number of their attempt, and for which customer */
    public array $sessions = [];
    /** When the gateway is asked. */
    public ?int $askAt = null;
    /** Until when somebody can pay. */
    public ?int $payBy = null;
    /** When work that failed or was interrupted is done again. */
    public ?int $workAt = null;
    /** When the row is compared with the shop's order: a hook of WooCommerce may never have come. */
    public ?int $visitAt = null;
    /** The state of the goods that the gateway is to be told. */
    public string $untold = '';
    /** Of the newest answer of the gateway that the keeper was given. */
    public string $orderVersion = '';
    /** The authorization that pays the order. */
    public string $operation = '';
    /** @var list<array<string, mixed>> refunds of the staff: `key`, `amount`, `state` (PLANNED, WANTED, DONE, REFUSED), `at`, `version`, `operation` (of the refund) */
    public array $refunds = [];
    /** @var array{state: string, key: string, amount: int, count: int}|null the capture that the staff wants: state WANTED, DONE or REFUSED */
    public ?array $capture = null;
    /** Whether another row has taken its place: the sum of the order has changed. */
    public bool $isSuperseded = false;
    /** Why somebody has to look at it; empty if nobody has to. */
    public string $needsPerson = '';

    public function __construct(
        public readonly string $reference,
        public readonly int $orderId,
        public readonly int $number,
        public readonly string $currency,
        public readonly int $createdAt,
        public readonly int $revision = 0,
    ) {
    }

    /** What it costs, in the minor unit. */
    public function due(): int
    {
        return $this->kept['due'];
    }

    /** Whether nobody can pay with it any more, and no money is held. */
    public function isOver(): bool
    {
        return \in_array($this->kept['status'], ['GIVEN_UP', 'REFUNDED'], true);
    }

    public function isGivingBack(): bool
    {
        return $this->kept['intent'] === 'GIVE_BACK';
    }

    public function hasWork(): bool
    {
        return $this->outbox !== [] || $this->untold !== '' || ($this->capture['state'] ?? '') === 'WANTED' || $this->openRefunds() !== [];
    }

    /** @return list<array<string, mixed>> refunds of which the outcome is not known */
    public function openRefunds(): array
    {
        return array_values(array_filter($this->refunds, static fn (array $refund): bool => $refund['state'] !== 'DONE'));
    }

    /** @return array{id: string, customer: string}|null */
    public function sessionOf(int $number): ?array
    {
        return $this->sessions[(string) $number] ?? null;
    }

    /** The first time at which there is something to do. */
    public function wakeAt(): ?int
    {
        $times = array_filter([$this->askAt, $this->payBy, $this->workAt, $this->visitAt], is_int(...));
        return $times === [] ? null : min($times);
    }

    public function state(): string
    {
        $state = [];
        foreach (self::STORED as $name) {
            $state[$name] = $this->$name;
        }
        return json_encode($state, JSON_THROW_ON_ERROR);
    }

    /** @param array<string, string|null> $columns */
    public static function of(array $columns): self
    {
        $row = new self(
            (string) $columns['reference'],
            (int) $columns['order_id'],
            (int) $columns['number'],
            (string) $columns['currency'],
            (int) $columns['created_at'],
            (int) $columns['revision'],
        );
        foreach (json_decode((string) $columns['state'], true, 512, JSON_THROW_ON_ERROR) as $name => $value) {
            if (\in_array($name, self::STORED, true)) {
                $row->$name = $value;
            }
        }
        return $row;
    }

    private const STORED = [
        'kept', 'outbox', 'sessions', 'askAt', 'payBy', 'workAt', 'visitAt', 'untold', 'orderVersion', 'operation', 'refunds', 'capture',
        'isSuperseded', 'needsPerson',
    ];
}
