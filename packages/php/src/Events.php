<?php

declare(strict_types=1);

namespace Payframe;

/** The feed of events: everything that notifications tell of, in order and without a gap. */
final class Events
{
    /** @internal */
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * A page of the feed, the oldest event first. For the next page repeat the call with `after` = `nextCursor`. A cursor whose event
     * is no longer in the feed is refused with the code `GW9011`.
     *
     * @param array<string, string|int|bool|null> $query of `GET /events`
     * @return array<string, mixed>
     */
    public function list(array $query = []): array
    {
        return $this->transport->call('GET', '/events', query: $query);
    }

    /**
     * The events behind a cursor that are there now, page by page; without one from the oldest event on. Store the `cursor` of an event
     * once it is processed, and begin there the next time.
     *
     * @return \Generator<int, array<string, mixed>>
     */
    public function since(?string $cursor = null): \Generator
    {
        $after = $cursor;
        do {
            $page = $this->list(['after' => $after]);
            foreach ($page['events'] as $event) {
                yield $event;
            }
            $after = $page['nextCursor'];
        } while ($page['hasMore']);
    }
}
