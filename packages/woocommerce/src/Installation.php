<?php

declare(strict_types=1);

namespace Payframe\WooCommerce;

/** The table: made when the plug-in is activated or has a new version, and removed with it if the shop wants that. */
final class Installation
{
    private const VERSION = 'payframe_table_version';
    private const NEWEST = '1';

    /** Makes the table, or brings it up to date. */
    public static function make(): void
    {
        require_once ABSPATH . 'wp-admin/includes/upgrade.php';
        dbDelta(self::rows()->definition());
        update_option(self::VERSION, self::NEWEST, true);
    }

    /** An update of a plug-in does not activate it again. */
    public static function ensure(): void
    {
        if (get_option(self::VERSION) !== self::NEWEST) {
            self::make();
        }
    }

    /** The plug-in is deleted. */
    public static function remove(): void
    {
        $stored = get_option(Options::NAME, []);
        if (\is_array($stored) && ($stored['delete_data'] ?? '') === 'yes') {
            self::rows()->drop();
            delete_option(self::VERSION);
            delete_option(Feed::CURSOR);
        }
        // It holds the key.
        delete_option(Options::NAME);
        Schedule::end();
    }

    private static function rows(): Rows
    {
        global $wpdb;
        return new Rows($wpdb);
    }
}
