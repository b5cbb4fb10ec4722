<?php

declare(strict_types=1);

namespace Payframe;

/** Settlements: the clearing files of acquirers that the operator imported, each line held against the gateway's operations. */
final class Settlements
{
    /** @internal */
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * A page of clearing files with their sums, the newest first. For the next page repeat the call with `after` = `nextCursor`, until
     * there is none.
     *
     * @param array<string, string|int|bool|null> $query of `GET /settlements`
     * @return array{settlements: list<array<string, mixed>>, nextCursor?: string}
     */
    public function list(array $query = []): array
    {
        /** @var array{settlements: list<array<string, mixed>>, nextCursor?: string} */
        return $this->transport->call('GET', '/settlements', query: $query);
    }

    /**
     * All clearing files, page by page, the newest first.
     *
     * @param array<string, string|int|bool|null> $query of `GET /settlements`
     * @return \Generator<int, array<string, mixed>>
     */
    public function all(array $query = []): \Generator
    {
        do {
            $page = $this->list($query);
            foreach ($page['settlements'] as $settlement) {
                yield $settlement;
            }
            $query['after'] = $page['nextCursor'] ?? null;
        } while ($query['after'] !== null);
    }

    /**
     * A clearing file, with its payouts and a page of its lines. For more lines repeat the call with `after` = `nextCursor`, until there
     * is none.
     *
     * @param array<string, string|int|bool|null> $query of `GET /settlements/{settlementId}`
     * @return array{settlement: array<string, mixed>, payouts: list<array<string, mixed>>, lines: list<array<string, mixed>>, nextCursor?: string}
     */
    public function read(string $settlementId, array $query = []): array
    {
        /** @var array{settlement: array<string, mixed>, payouts: list<array<string, mixed>>, lines: list<array<string, mixed>>, nextCursor?: string} */
        return $this->transport->call('GET', '/settlements/' . Path::segment($settlementId, 'settlementId'), query: $query);
    }

    /**
     * All lines of a clearing file, page by page, in the order of the file.
     *
     * @param array<string, string|int|bool|null> $query of `GET /settlements/{settlementId}`
     * @return \Generator<int, array<string, mixed>>
     */
    public function lines(string $settlementId, array $query = []): \Generator
    {
        do {
            $page = $this->read($settlementId, $query);
            foreach ($page['lines'] as $line) {
                yield $line;
            }
            $query['after'] = $page['nextCursor'] ?? null;
        } while ($query['after'] !== null);
    }
}
