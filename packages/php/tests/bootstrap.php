<?php

declare(strict_types=1);

/** Finds classes: by Composer where it was run, else this package's own, and those of Debian's PHP packages, which are in the include path. */

$composer = __DIR__ . '/../vendor/autoload.php';
if (is_file($composer)) {
    require $composer;
    return;
}
foreach (['GuzzleHttp/autoload.php', 'GuzzleHttp/Psr7/autoload.php', 'Psr/Http/Client/autoload.php', 'Psr/Log/autoload.php'] as $file) {
    require_once $file;
}
spl_autoload_register(static function (string $class): void {
    foreach (['Payframe\\Tests\\' => 'tests', 'Payframe\\Example\\' => 'example', 'Payframe\\' => 'src'] as $prefix => $folder) {
        if (str_starts_with($class, $prefix)) {
            $file = dirname(__DIR__) . "/$folder/" . strtr(substr($class, strlen($prefix)), '\\', '/') . '.php';
            if (is_file($file)) {
                require $file;
            }
            return;
        }
    }
});
