<?php

declare(strict_types=1);

namespace Payframe\WooCommerce;

use Payframe\Exception\PayframeException;

/** The feed of events: it names every order whose money has moved, also if a notification was lost. */
final class Feed
{
    /** The option with the place up to which events were read. */
    public const CURSOR = 'payframe_feed_cursor';

    public function __construct(private readonly Book $book)
    {
    }

    /** Has every order that new events name read again. */
    public function read(): void
    {
        for ($pages = 0; $pages < self::MOST_PAGES; $pages++) {
            $cursor = (string) get_option(self::CURSOR, '');
            try {
                $page = $this->book->payframe->events->list(['limit' => 500, 'after' => $cursor === '' ? null : $cursor]);
            } catch (PayframeException $exception) {
                if ($exception->errorCode !== 'GW9011' || $cursor === '') {
                    throw $exception;
                }
                // Events behind this cursor may be gone: all that are open are read, and the feed from its beginning.
                $this->book->log->failure($exception);
                $this->heed(array_map(static fn (Row $row): string => $row->reference, $this->book->rows->open()));
                update_option(self::CURSOR, '', false);
                continue;
            }
            $named = array_map(static fn (array $event): ?string => $event['notification']['operation']['orderId'] ?? null, $page['events']);
            $this->heed(array_unique(array_filter($named, is_string(...))));
            // Stored only now: after a crash the same events are read again, which changes nothing.
            if ($page['nextCursor'] !== null && $page['nextCursor'] !== $cursor) {
                update_option(self::CURSOR, $page['nextCursor'], false);
            }
            if (!$page['hasMore']) {
                return;
            }
        }
    }

    /** @param array<int, string> $references */
    private function heed(array $references): void
    {
        foreach ($references as $reference) {
            try {
                // Others are orders of another shop of the merchant.
                if ($this->book->rows->find($reference) !== null) {
                    $this->book->happens($reference, ['type' => 'FEED']);
                }
            } catch (\Exception $problem) {
                $this->book->log->failure($problem);
            }
        }
    }

    /** The next run goes on. */
    private const MOST_PAGES = 10;
}
