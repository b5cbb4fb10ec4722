<?php

declare(strict_types=1);

/**
 * Finds classes: by Composer where it was run, else in this folder.
 *
 * The archive of a release has the PHP package in `lib`; in the repository it is beside this package. The interfaces of PSR are declared
 * only if nothing else in the shop has them: this function is asked last.
 */

if (is_file(__DIR__ . '/vendor/autoload.php')) {
    require __DIR__ . '/vendor/autoload.php';
    return;
}
spl_autoload_register(static function (string $class): void {
    $library = is_dir(__DIR__ . '/lib') ? __DIR__ . '/lib' : dirname(__DIR__) . '/php/src';
    $folders = ['Payframe\\WooCommerce\\' => __DIR__ . '/src', 'Payframe\\' => $library, 'Psr\\' => __DIR__ . '/psr'];
    foreach ($folders as $prefix => $folder) {
        if (str_starts_with($class, $prefix)) {
            $file = "$folder/" . strtr(substr($class, strlen($prefix)), '\\', '/') . '.php';
            if (is_file($file)) {
                require $file;
            }
            return;
        }
    }
});
