<?php

declare(strict_types=1);

namespace Payframe\Tests\Live;

use GuzzleHttp\Client;
use Payframe\Example\OrderBook;
use Payframe\Example\Shop;
use Payframe\NotificationVerifier;
use PHPUnit\Framework\TestCase;

/** The example shop against a gateway that runs in the sandbox. */
final class ShopTest extends TestCase
{
    private string $folder;
    private Receiver $receiver;
    private Shop $shop;
    /** @var list<string> */
    private array $reported = [];

    protected function setUp(): void
    {
        $this->folder = sys_get_temp_dir() . '/payframe-shop-' . bin2hex(random_bytes(6));
        mkdir($this->folder);
        $this->receiver = new Receiver();
        $payframe = Sandbox::payframe();
        $report = function (string $problem): void {
            $this->reported[] = $problem;
        };
        $orders = new OrderBook($payframe, $this->folder, $report);
        $notifications = new NotificationVerifier([Sandbox::secret()]);
        $this->shop = new Shop($payframe, $orders, $notifications, Sandbox::gateway(), $this->receiver->address, $report);
    }

    protected function tearDown(): void
    {
        array_map(unlink(...), glob("$this->folder/*") ?: []);
        rmdir($this->folder);
    }

    /** @return array{string, string} order and session of a page with a form */
    private static function opened(string $page): array
    {
        self::assertSame(1, preg_match('/data-order="(\w+)".* session="([\w-]+)"/', $page, $found), $page);
        return [$found[1], $found[2]];
    }

    private function visit(string $path, string $orderId = ''): string
    {
        [, , $body] = $this->shop->answer('GET', $path, $orderId === '' ? [] : ['order' => $orderId]);
        return $body;
    }

    private function shipments(): string
    {
        return (string) @file_get_contents("$this->folder/shipments");
    }

    public function testAPaymentTheNotificationTheResult(): void
    {
        [$orderId, $sessionId] = self::opened($this->visit('/'));
        self::assertSame('PAYING', $this->visit('/result', $orderId));
        Sandbox::enterCard($sessionId, shownSum: '3545 EUR');
        $status = 0;
        $this->receiver->next(function (array $headers, string $body) use (&$status): int {
            [$status] = $this->shop->answer('POST', '/notifications', [], $headers, $body);
            return $status;
        });
        self::assertSame([204, 'PAID'], [$status, $this->shop->orders->order($orderId)['status'] ?? null]);
        self::assertSame('PAID', $this->visit('/result', $orderId));
        self::assertSame(["$orderId\n", []], [$this->shipments(), $this->shop->orders->order($orderId)['open'] ?? null]);
        self::assertSame('ALREADY_PAID', $this->visit('/pay', $orderId));
        foreach (['/result', '/pay', '/elsewhere'] as $path) {
            self::assertSame(404, $this->shop->answer('GET', $path, ['order' => 'abc'])[0]);
        }
        self::assertSame([], $this->reported);
        self::assertSame(400, $this->shop->answer('POST', '/notifications', [], [], '{}')[0]);
        self::assertCount(1, $this->reported);
    }

    public function testAnOrderThatIsNotPaidInTimeIsGivenUpAndItsFormTakesNoMoney(): void
    {
        [$orderId, $sessionId] = self::opened($this->visit('/'));
        $this->shop->orders->happens($orderId, ['type' => 'TIME_OUT']);
        self::assertSame('GIVEN_UP', $this->visit('/result', $orderId));
        self::assertSame('NOT_FOR_SALE', $this->visit('/pay', $orderId));
        self::assertSame(['', []], [$this->shipments(), $this->reported]);
        $this->expectException(RefusedByGateway::class);
        Sandbox::enterCard($sessionId, shownSum: '3545 EUR');
    }

    public function testASecondTabTakesThePlaceOfTheFirstAndTheOrderIsFulfilledOnceThoughTheNotificationIsLost(): void
    {
        [$orderId, $first] = self::opened($this->visit('/'));
        [, $second] = self::opened($this->visit('/pay', $orderId));
        try {
            Sandbox::enterCard($first, shownSum: '3545 EUR');
            self::fail('The first tab has paid');
        } catch (RefusedByGateway $refusal) {
            self::assertStringContainsString('PS0061', $refusal->getMessage());
        }
        Sandbox::enterCard($second, shownSum: '3545 EUR');
        self::assertSame(['PAID', 'PAID'], [$this->visit('/result', $orderId), $this->visit('/result', $orderId)]);
        self::assertSame(['AUTHORIZATION 3545'], Sandbox::typesAndAmounts($orderId));
        self::assertSame(["$orderId\n", []], [$this->shipments(), $this->reported]);
    }

    public function testTheShopServesWithPhpsOwnServerAndDoesWhatIsDue(): void
    {
        // The port is free: it was given to a socket that is closed now.
        $address = (string) preg_replace('~^http://~', '', (new Receiver())->address);
        $variables = [
            'PAYFRAME_AUTOLOAD' => __DIR__ . '/../bootstrap.php', 'PAYFRAME_GATEWAY' => Sandbox::gateway(), 'SHOP_DATA' => $this->folder,
            'PAYFRAME_NOTIFICATION_SECRET' => Sandbox::secret(),
        ] + getenv();
        $index = __DIR__ . '/../../example/index.php';
        $streams = [1 => ['file', '/dev/null', 'w'], 2 => ['pipe', 'w']];
        $server = proc_open([PHP_BINARY, '-S', $address, $index], $streams, $pipes, null, $variables);
        self::assertIsResource($server);
        try {
            self::assertStringContainsString('started', (string) fgets($pipes[2]));
            $browser = new Client(['base_uri' => "http://$address", 'http_errors' => false, 'timeout' => 60]);
            [$orderId] = self::opened((string) $browser->get('/')->getBody());
            self::assertStringContainsString('/result?order=', (string) $browser->get('/checkout.js')->getBody());
            self::assertSame('PAYING', (string) $browser->get("/result?order=$orderId")->getBody());
            self::assertSame(404, $browser->get('/elsewhere')->getStatusCode());
            self::assertSame(400, $browser->post('/notifications', ['body' => '{}'])->getStatusCode());
        } finally {
            proc_terminate($server);
            proc_close($server);
        }
        $worker = proc_open([PHP_BINARY, $index], [1 => ['pipe', 'w'], 2 => ['pipe', 'w']], $pipes, null, $variables);
        self::assertIsResource($worker);
        self::assertSame('', stream_get_contents($pipes[1]) . stream_get_contents($pipes[2]));
        self::assertSame(0, proc_close($worker));
    }
}
