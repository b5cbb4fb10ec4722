<?php

declare(strict_types=1);

/** The plug-in is deleted: its settings go, because they hold a key. What it knows about money stays, unless the settings say otherwise. */

use Payframe\WooCommerce\Installation;

if (!defined('WP_UNINSTALL_PLUGIN')) {
    exit;
}

require_once __DIR__ . '/autoload.php';

Installation::remove();
