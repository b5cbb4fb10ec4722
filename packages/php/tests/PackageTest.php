<?php

declare(strict_types=1);

namespace Payframe\Tests;

/** What the package promises about itself. */
final class PackageTest extends PackageFiles
{
    protected static function folder(): string
    {
        return \dirname(__DIR__);
    }

    public function testItHasTheVersionOfTheOtherPackages(): void
    {
        $version = static fn (string $name): mixed => json_decode(self::read($name), true)['version'];
        self::assertSame($version('../server/package.json'), $version('composer.json'));
    }

    public function testEveryFileIsStrictAndHoldsOneClassThatSaysWhatItIs(): void
    {
        $files = [...self::files('src'), ...self::files('tests'), ...self::files('example')];
        self::assertGreaterThan(40, \count($files));
        foreach ($files as $file) {
            $text = (string) file_get_contents($file);
            self::assertStringStartsWith("<?php\n\ndeclare(strict_types=1);\n", $text, $file);
            $name = basename($file, '.php');
            if (!\in_array($name, ['bootstrap', 'index'], true)) {
                self::assertMatchesRegularExpression("~\*/\n(final |abstract )?(class|enum) $name\\b~", $text, $file);
            }
        }
    }

    public function testTheSourcesUseNothingButPhpPsrAndEachOther(): void
    {
        foreach (self::files('src') as $file) {
            preg_match_all('/^use ([A-Za-z0-9]+)\\\\/m', (string) file_get_contents($file), $found);
            self::assertSame([], array_diff($found[1], ['Payframe', 'Psr']), $file);
        }
        $required = array_keys(json_decode(self::read('composer.json'), true)['require']);
        self::assertSame(['php', 'ext-hash', 'ext-json', 'psr/http-client', 'psr/http-factory', 'psr/http-message', 'psr/log'], $required);
    }

    public function testTheExamplesOfTheReadmeRunOneAfterTheOther(): void
    {
        self::assertGreaterThanOrEqual(5, preg_match_all('/^```php\n(.*?)^```/ms', self::read('README.md'), $blocks));
        $sale = ['operationId' => '347074400000000001', 'operationType' => 'AUTHORIZATION', 'operationResult' => 'EXECUTED', 'operationAmount' => '3545'];
        $stage = new Stage([
            Stage::answer(['sessionId' => 's', 'form' => ['html' => '<payment-form>']]),
            Stage::answer([
                'orderStatus' => ['order' => ['currency' => 'EUR'], 'authorizedAmount' => '3545', 'refundedAmount' => '0'],
                'operations' => [$sale],
            ]),
            Stage::answer(['disputes' => [['disputeId' => 'd', 'orderId' => 'A1B2C3']], 'hasMore' => false]),
            Stage::answer(['fileId' => 'f']),
            Stage::answer(['disputeId' => 'd', 'state' => 'UNDER_REVIEW']),
            Stage::answer(['settlements' => [['settlementId' => '5', 'openDifferences' => 1]]]),
            Stage::answer(['lines' => [['line' => 2]]]),
            Stage::answer(['operationId' => '2']),
            Stage::answer(['orderVersion' => 'dd8edd78b5e59a76bdb8']),
            Stage::answer(['operationId' => '3']),
            Stage::answer(['operationId' => '4']),
        ]);
        // The client of the test takes the place of Guzzle.
        $code = str_replace("new Client(['timeout' => 35])", '$http', implode("\n", $blocks[1]), $replaced);
        self::assertSame(1, $replaced);
        // There is no such file: its name is its content.
        $code = str_replace('file_get_contents("notes/', 'strval("', $code, $replaced);
        self::assertSame(1, $replaced);
        $run = static function (Stage $http, string $code): mixed {
            putenv('PAYFRAME_API_KEY=' . Stage::API_KEY);
            eval($code);
            return $html ?? null;
        };
        $this->expectOutputString('PAID');
        self::assertSame('<payment-form>', $run($stage, $code));
        $paths = array_map(static fn ($sent): string => $sent->getMethod() . ' ' . $sent->getUri()->getPath(), $stage->sent);
        self::assertSame([
            'POST /api/orders/build', 'GET /api/orders/A1B2C3', 'GET /api/disputes', 'POST /api/disputes/d/files', 'POST /api/disputes/d/evidence',
            'GET /api/settlements', 'GET /api/settlements/5', 'POST /api/operations/347074400000000002/refunds',
            'GET /api/orders/A1B2C3', 'POST /api/operations/347074400000000002/refunds',
            'POST /api/operations/347074400000000001/captures',
        ], $paths);
        self::assertSame('"dd8edd78b5e59a76bdb8"', $stage->sent[9]->getHeaderLine('If-Match'));
    }
}
