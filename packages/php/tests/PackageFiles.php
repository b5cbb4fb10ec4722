<?php

declare(strict_types=1);

namespace Payframe\Tests;

use PHPUnit\Framework\TestCase;

/** The files of a package, for tests of what it promises about itself. The plug-in for WooCommerce has them, too. */
abstract class PackageFiles extends TestCase
{
    /** Where the package is. */
    abstract protected static function folder(): string;

    protected static function read(string $name): string
    {
        return (string) file_get_contents(static::folder() . "/$name");
    }

    /** @return list<string> */
    protected static function files(string $folder): array
    {
        $paths = new \RecursiveIteratorIterator(new \RecursiveDirectoryIterator(static::folder() . "/$folder", \FilesystemIterator::SKIP_DOTS));
        return array_values(array_map(strval(...), iterator_to_array($paths)));
    }

    public function testTheLicencesAreThoseOfTheProject(): void
    {
        foreach (['LICENSE-APACHE', 'LICENSE-MIT'] as $name) {
            self::assertSame(self::read("../../$name"), self::read($name));
        }
    }
}
