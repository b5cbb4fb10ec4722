<?php

declare(strict_types=1);

/** Finds classes: this package's, those of the PHP package beside it and of its tests, and the small WordPress and WooCommerce of these tests. */

require __DIR__ . '/../autoload.php';
spl_autoload_register(static function (string $class): void {
    $prefix = 'Payframe\\WooCommerce\\Tests\\';
    $file = __DIR__ . '/' . strtr(substr($class, strlen($prefix)), '\\', '/') . '.php';
    if (str_starts_with($class, $prefix) && is_file($file)) {
        require $file;
    }
}, true, true);
// What the tests of the PHP package have for others: the live ones play the buyer as those do.
spl_autoload_register(static function (string $class): void {
    $prefix = 'Payframe\\Tests\\';
    if (str_starts_with($class, $prefix)) {
        require dirname(__DIR__, 2) . '/php/tests/' . strtr(substr($class, strlen($prefix)), '\\', '/') . '.php';
    }
}, true, true);
if (getenv('PAYFRAME_API')) {
    require 'GuzzleHttp/autoload.php';
}
require __DIR__ . '/Fake/wordpress.php';
require __DIR__ . '/Fake/woocommerce.php';
