<?php

declare(strict_types=1);

namespace Payframe\WooCommerce;

use Payframe\ErrorKind;
use Payframe\Exception\PayframeException;

/**
 * The table of the order book, in the shop's database, which several servers share.
 *
 * A row is changed if it is still the one that was read: each change counts its revision up. It needs no transaction, so that it holds in
 * every storage engine, and inside whatever WooCommerce has begun.
 */
final class Rows
{
    public function __construct(private readonly \wpdb $database)
    {
    }

    public function table(): string
    {
        return $this->database->prefix . 'payframe_orders';
    }

    /** The table, for `dbDelta`, which is particular about its form. */
    public function definition(): string
    {
        return "CREATE TABLE {$this->table()} (
            reference varchar(27) NOT NULL,
            order_id bigint(20) unsigned NOT NULL,
            number int(10) unsigned NOT NULL,
            currency char(3) NOT NULL,
            revision bigint(20) unsigned NOT NULL DEFAULT 0,
            state longtext NOT NULL,
            needs_person varchar(32) NOT NULL DEFAULT '',
            created_at bigint(20) unsigned NOT NULL,
            wake_at bigint(20) unsigned DEFAULT NULL,
            busy_until bigint(20) unsigned NOT NULL DEFAULT 0,
            busy_by varchar(32) NOT NULL DEFAULT '',
            PRIMARY KEY  (reference),
            KEY order_id (order_id),
            KEY wake_at (wake_at),
            KEY needs_person (needs_person)
        ) {$this->database->get_charset_collate()};";
    }

    /** A new row. If there is one with its reference already, that one. */
    public function insert(Row $row): Row
    {
        $silent = $this->database->suppress_errors();
        $this->database->insert($this->table(), [
            'reference' => $row->reference,
            'order_id' => $row->orderId,
            'number' => $row->number,
            'currency' => $row->currency,
            'state' => $row->state(),
            'created_at' => $row->createdAt,
            'wake_at' => $row->wakeAt(),
        ]);
        $this->database->suppress_errors($silent);
        return $this->known($row->reference);
    }

    public function find(string $reference): ?Row
    {
        $sql = $this->database->prepare("SELECT * FROM {$this->table()} WHERE reference = %s", $reference);
        $columns = $this->database->get_row($sql, ARRAY_A);
        return \is_array($columns) ? Row::of($columns) : null;
    }

    /** @throws PayframeException with the code `order_unknown` */
    public function known(string $reference): Row
    {
        return $this->find($reference)
            ?? throw PayframeException::of(ErrorKind::Caller, 'order_unknown', "There is no payment $reference.");
    }

    /** The rows of an order of the shop, the newest first. @return list<Row> */
    public function ofOrder(int $orderId): array
    {
        return $this->read($this->database->prepare("SELECT * FROM {$this->table()} WHERE order_id = %d ORDER BY number DESC", $orderId));
    }

    /** The row whose money pays an order of the shop. */
    public function paying(int $orderId, string $operation): ?Row
    {
        foreach ($this->ofOrder($orderId) as $row) {
            if ($operation !== '' && $row->operation === $operation) {
                return $row;
            }
        }
        return null;
    }

    /** References of rows that have something to do, those that wait longest first. @return list<string> */
    public function due(int $now, int $most): array
    {
        $sql = "SELECT reference FROM {$this->table()} WHERE wake_at <= %d ORDER BY wake_at LIMIT %d";
        return array_map(strval(...), $this->database->get_col($this->database->prepare($sql, $now, $most)));
    }

    /** Rows that have an attempt and can still get money. @return list<Row> */
    public function open(): array
    {
        $all = $this->read("SELECT * FROM {$this->table()} WHERE wake_at IS NOT NULL");
        return array_values(array_filter($all, static fn (Row $row): bool => $row->kept['attempts'] > 0 && !$row->isOver()));
    }

    /** Rows that somebody has to look at. @return list<Row> */
    public function needingPerson(int $most): array
    {
        $sql = "SELECT * FROM {$this->table()} WHERE needs_person <> '' ORDER BY created_at DESC LIMIT %d";
        return $this->read($this->database->prepare($sql, $most));
    }

    /**
     * Changes a row. If another server has changed it meanwhile, the change is made again with the newest.
     *
     * @param \Closure(Row): void $change has no effect but on the row
     */
    public function change(string $reference, \Closure $change): Row
    {
        for ($tries = 0; $tries < self::MOST_TRIES; $tries++) {
            $row = $this->known($reference);
            $change($row);
            $wakeAt = $row->wakeAt();
            $sql = "UPDATE {$this->table()} SET revision = revision + 1, state = %s, needs_person = %s, wake_at = "
                . ($wakeAt === null ? 'NULL' : '%d') . ' WHERE reference = %s AND revision = %d';
            $values = [$row->state(), $row->needsPerson, ...($wakeAt === null ? [] : [$wakeAt]), $reference, $row->revision];
            $changed = $this->database->query($this->database->prepare($sql, ...$values));
            if ($changed === false) {
                break;
            }
            if ($changed === 1) {
                return $row;
            }
        }
        throw PayframeException::of(ErrorKind::Operator, 'row_not_written', "The payment $reference could not be written.", isRetryable: true);
    }

    /** Takes a row for work, or keeps it. False if another worker has it. */
    public function claim(string $reference, string $worker, int $now, int $until): bool
    {
        $sql = "UPDATE {$this->table()} SET busy_by = %s, busy_until = %d, revision = revision + 1
            WHERE reference = %s AND (busy_until <= %d OR busy_by = %s)";
        return $this->database->query($this->database->prepare($sql, $worker, $until, $reference, $now, $worker)) === 1;
    }

    public function leave(string $reference, string $worker): void
    {
        $sql = "UPDATE {$this->table()} SET busy_by = '', busy_until = 0 WHERE reference = %s AND busy_by = %s";
        $this->database->query($this->database->prepare($sql, $reference, $worker));
    }

    public function drop(): void
    {
        $this->database->query("DROP TABLE IF EXISTS {$this->table()}");
    }

    /** @return list<Row> */
    private function read(string $sql): array
    {
        return array_map(Row::of(...), $this->database->get_results($sql, ARRAY_A) ?: []);
    }

    private const MOST_TRIES = 20;
}
