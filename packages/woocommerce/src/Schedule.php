<?php

declare(strict_types=1);

namespace Payframe\WooCommerce;

/** What is done every minute: by Action Scheduler, which WooCommerce brings, or by WordPress's own cron. */
final class Schedule
{
    public const HOOK = 'payframe_wake';
    private const GROUP = 'payframe';
    private const EVERY_SECONDS = 60;
    private const RECURRENCE = 'payframe_minute';

    /** Sees to it that the work is planned: on pages of the admin, and whenever other work of this kind is done. */
    public static function ensure(): void
    {
        if (\function_exists('as_schedule_recurring_action')) {
            if (!as_has_scheduled_action(self::HOOK, [], self::GROUP)) {
                as_schedule_recurring_action(time(), self::EVERY_SECONDS, self::HOOK, [], self::GROUP, true);
            }
            if (wp_next_scheduled(self::HOOK) !== false) {
                wp_clear_scheduled_hook(self::HOOK);
            }
        } elseif (wp_next_scheduled(self::HOOK) === false) {
            wp_schedule_event(time(), self::RECURRENCE, self::HOOK);
        }
    }

    public static function end(): void
    {
        if (\function_exists('as_unschedule_all_actions')) {
            as_unschedule_all_actions(self::HOOK, [], self::GROUP);
        }
        wp_clear_scheduled_hook(self::HOOK);
    }

    /**
     * A recurrence of WordPress's cron.
     *
     * @param array<string, array<string, mixed>> $recurrences
     * @return array<string, array<string, mixed>>
     */
    public static function recurrences(array $recurrences): array
    {
        return $recurrences + [self::RECURRENCE => ['interval' => self::EVERY_SECONDS, 'display' => 'Payframe: every minute']];
    }

    /** The work of a minute. */
    public static function run(): void
    {
        $book = Plugin::book();
        $book->wake();
        try {
            (new Feed($book))->read();
        } catch (\Payframe\Exception\PayframeException $exception) {
            $book->log->failure($exception);
        }
    }
}
