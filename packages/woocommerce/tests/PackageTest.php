<?php

declare(strict_types=1);

namespace Payframe\WooCommerce\Tests;

use Payframe\Tests\PackageFiles;
use Payframe\WooCommerce\Http\Address;
use Payframe\WooCommerce\Http\Factory;
use Payframe\WooCommerce\Http\Response;

/** What the package promises about itself. */
final class PackageTest extends PackageFiles
{
    protected static function folder(): string
    {
        return \dirname(__DIR__);
    }

    public function testItHasOneVersion(): void
    {
        $version = json_decode(self::read('../php/composer.json'), true)['version'];
        $own = json_decode(self::read('composer.json'), true);
        self::assertSame([$version, $version, $version], [$own['version'], $own['require']['payframe/payframe'], \Payframe\WooCommerce\Plugin::VERSION]);
        self::assertStringContainsString("\n * Version: $version\n", self::read('payframe-woocommerce.php'));
    }

    public function testItSaysThatItWasNeverRunInsideWooCommerce(): void
    {
        foreach (['payframe-woocommerce.php', 'README.md', 'src/Gateway.php', '../../docs/shop-plugins.md'] as $name) {
            self::assertMatchesRegularExpression('/never run inside (it|WooCommerce)/', self::read($name), $name);
        }
    }

    public function testEveryFileIsStrictShortAndSaysWhatItIs(): void
    {
        foreach (preg_grep('/\.php$/D', [...self::files('src'), ...self::files('tests'), ...self::files('psr')]) as $file) {
            $text = (string) file_get_contents($file);
            self::assertMatchesRegularExpression('~^<\?php\n\n(/\*\*.*\*/\n\n)?declare\(strict_types=1\);\n~s', $text, $file);
            self::assertStringContainsString('/**', $text, $file);
            self::assertLessThan(500, substr_count($text, "\n"), $file);
        }
    }

    public function testOrdersAreReadAndWrittenByTheMethodsOfWooCommerceOnly(): void
    {
        foreach (self::files('src') as $file) {
            $text = (string) file_get_contents($file);
            self::assertDoesNotMatchRegularExpression('/\b(get|update|add|delete)_post_meta\b|WP_Query|get_posts|->(posts|postmeta)\b|wc_orders/', $text, $file);
        }
    }

    public function testEverySentenceCanBeTranslated(): void
    {
        foreach (self::files('src') as $file) {
            preg_match_all('/\b(?:__|esc_html__|esc_attr__)\(\s*(\'(?:[^\'\\\\]|\\\\.)*\'),\s*(\'[^\']*\')/', (string) file_get_contents($file), $found);
            self::assertSame(preg_match_all('/\b(?:__|esc_html__|esc_attr__)\(/', (string) file_get_contents($file)), \count($found[0]), $file);
            self::assertSame([], array_diff($found[2], ["'payframe-woocommerce'"]), $file);
        }
    }

    public function testEveryFunctionOfWordPressThatIsUsedIsInTheFakeWithItsParameters(): void
    {
        foreach ([...self::files('src'), self::folder() . '/payframe-woocommerce.php', self::folder() . '/uninstall.php'] as $file) {
            $text = (string) file_get_contents($file);
            preg_match_all('/(?<![\w>:\\\\$]|function )((?:wp|wc|as|is_wp|get|add|apply|do|esc|register|update|delete|plugins?|home|rest|load|determine|nocache|current)_\w+)\(/', $text, $found);
            foreach ($found[1] as $name) {
                self::assertTrue(\function_exists($name), "$name in $file");
            }
        }
    }

    public function testTheCodeOfTheReadmeIsCode(): void
    {
        self::assertSame(2, preg_match_all('/^ *```php\n(.*?)^ *```/ms', self::read('README.md'), $blocks));
        foreach ($blocks[1] as $code) {
            self::assertNotEmpty(\PhpToken::tokenize("<?php\n$code", TOKEN_PARSE));
        }
    }

    public function testMessagesKeepTheRulesOfPsr7(): void
    {
        $request = (new Factory())->createRequest('POST', 'https://user:pass@Gateway.example:8443/api/x?a=1#b')->withHeader('X-One', 'a')->withAddedHeader('x-one', 'b');
        self::assertSame(['a, b', '/api/x?a=1', ['x-one' => ['a', 'b']]], [$request->getHeaderLine('X-ONE'), $request->getRequestTarget(), $request->getHeaders()]);
        self::assertSame('https://user:pass@gateway.example:8443/api/x?a=1#b', (string) $request->getUri());
        self::assertSame([false, '*', 'PUT', '1.0'], [$request->withoutHeader('x-one')->hasHeader('x-one'), $request->withRequestTarget('*')->getRequestTarget(), $request->withMethod('PUT')->getMethod(), $request->withProtocolVersion('1.0')->getProtocolVersion()]);
        self::assertSame('https://other.example/', (string) $request->withUri(new Address('https://other.example/'))->getUri());
        $moved = (new Address('https://gateway.example:443/'))->withScheme('http')->withUserInfo('me')->withHost('h')->withPort(81)->withPath('/p')->withQuery('q')->withFragment('');
        self::assertSame('http://me@h:81/p?q', (string) $moved);
        self::assertNull((new Address('https://gateway.example:443/'))->getPort());
        $body = (new Factory())->createStream('abcdef');
        self::assertSame(['ab', 2, 'cdef', true], [$body->read(2), $body->tell(), $body->getContents(), $body->eof()]);
        $body->seek(-1, SEEK_END);
        self::assertSame(['f', 6, 'abcdef', []], [$body->getContents(), $body->getSize(), (string) $body, $body->getMetadata()]);
        $body->rewind();
        self::assertSame([true, true, false, null, ''], [$body->isSeekable(), $body->isReadable(), $body->isWritable(), $body->detach(), (string) $body]);
        $answer = (new Response(200, ['CID' => 'x'], 'b'))->withStatus(404, 'gone')->withBody((new Factory())->createStream('c'));
        self::assertSame([404, 'gone', 'c', 'x'], [$answer->getStatusCode(), $answer->getReasonPhrase(), (string) $answer->getBody(), $answer->getHeaderLine('cid')]);
    }

    /** As a release has it: the sources of the PHP package are in `lib`, and nothing is beside the plug-in. */
    public function testTheArchiveOfAReleaseFindsItsClasses(): void
    {
        $folder = sys_get_temp_dir() . '/payframe-woocommerce-' . bin2hex(random_bytes(6));
        foreach (['src' => 'src', 'psr' => 'psr', 'lib' => '../php/src'] as $name => $source) {
            foreach (self::files($source) as $file) {
                $copy = "$folder/$name" . substr($file, \strlen(self::folder() . "/$source"));
                is_dir(\dirname($copy)) || mkdir(\dirname($copy), recursive: true);
                copy($file, $copy);
            }
        }
        copy(self::folder() . '/autoload.php', "$folder/autoload.php");
        $script = 'require "autoload.php"; $factory = new Payframe\WooCommerce\Http\Factory(); $log = new Payframe\WooCommerce\Log();'
            . ' new Payframe\Payframe("https://gateway.example", "key", new Payframe\WooCommerce\Http\Client(), $factory, $factory, $log);'
            . ' echo json_encode(Payframe\OrderKeeper\OrderKeeper::newOrder(1)["status"]);';
        $process = proc_open([PHP_BINARY, '-r', $script], [1 => ['pipe', 'w'], 2 => ['pipe', 'w']], $pipes, $folder);
        self::assertIsResource($process);
        $printed = stream_get_contents($pipes[1]) . stream_get_contents($pipes[2]);
        self::assertSame(['"UNPAID"', 0], [$printed, proc_close($process)]);
        $inside = new \RecursiveIteratorIterator(new \RecursiveDirectoryIterator($folder, \FilesystemIterator::SKIP_DOTS), \RecursiveIteratorIterator::CHILD_FIRST);
        foreach ($inside as $entry) {
            $entry->isDir() ? rmdir((string) $entry) : unlink((string) $entry);
        }
        rmdir($folder);
    }

    /** Other plug-ins bring interfaces of PSR, in whichever version; they are asked first. */
    public function testItFitsTheInterfacesThatAnotherPlugInBrings(): void
    {
        $script = 'foreach (["Psr/Http/Message/autoload.php", "Psr/Http/Client/autoload.php", "Psr/Log/autoload.php"] as $file) { @include $file; }'
            . 'require "autoload.php"; foreach (["Http\\\\Client", "Http\\\\Factory", "Http\\\\Request", "Http\\\\Response", "Http\\\\Text", "Http\\\\Address", "Log"] as $class) {'
            . ' new ReflectionClass("Payframe\\\\WooCommerce\\\\$class"); } echo (new ReflectionClass("Psr\\\\Log\\\\LoggerInterface"))->getFileName();';
        $process = proc_open([PHP_BINARY, '-r', $script], [1 => ['pipe', 'w'], 2 => ['pipe', 'w']], $pipes, self::folder());
        self::assertIsResource($process);
        [$printed, $problems] = [stream_get_contents($pipes[1]), stream_get_contents($pipes[2])];
        self::assertSame([0, ''], [proc_close($process), $problems], (string) $printed);
        self::assertStringNotContainsString('woocommerce', (string) $printed);
    }
}
