<?php

declare(strict_types=1);

namespace Payframe\WooCommerce\Tests\Live;

use Payframe\Tests\Live\Receiver;
use Payframe\Tests\Live\RefusedByGateway;
use Payframe\Tests\Live\Sandbox;
use Payframe\WooCommerce\Plugin;
use Payframe\WooCommerce\Tests\ShopTestCase;

/** The plug-in against a gateway that runs in the sandbox, on our own small WordPress and WooCommerce. */
final class PluginTest extends ShopTestCase
{
    private Receiver $receiver;

    protected function setUp(): void
    {
        $this->receiver = new Receiver();
        $this->install([
            'gateway' => Sandbox::gateway(), 'api_key' => (string) getenv('PAYFRAME_API_KEY'), 'secrets' => Sandbox::secret(),
            'capture' => 'TERMINAL', 'saved_cards' => 'no', 'reference_prefix' => 'w' . bin2hex(random_bytes(3)),
        ] + self::SETTINGS);
        $this->world->options['test_rest'] = "{$this->receiver->address}/wp-json/";
        $this->world->http = self::overTheNetwork(...);
        $this->clock->time = time();
        // The sandbox's terminal captures at once what is not a pre-authorization.
        add_filter('payframe_session_request', static fn (array $body, \WC_Order $order): array => $order->get_meta('is_held') === 'yes'
            ? array_replace_recursive($body, ['paymentSession' => ['actionType' => 'PREAUTH']])
            : $body, 10, 2);
    }

    /** `wp_remote_request`, as far as the plug-in needs it. */
    private static function overTheNetwork(string $url, array $arguments): array|\WP_Error
    {
        $received = [];
        $call = curl_init($url);
        curl_setopt_array($call, [
            CURLOPT_CUSTOMREQUEST => $arguments['method'],
            CURLOPT_HTTPHEADER => array_map(static fn (string $name, string $value): string => "$name: $value", array_keys($arguments['headers']), $arguments['headers']),
            CURLOPT_POSTFIELDS => $arguments['body'],
            CURLOPT_TIMEOUT => $arguments['timeout'],
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_HEADERFUNCTION => static function ($call, string $line) use (&$received): int {
                [$name, $value] = explode(':', $line, 2) + ['', ''];
                $received[strtolower($name)] = trim($value);
                return \strlen($line);
            },
        ]);
        $body = curl_exec($call);
        return $body === false
            ? new \WP_Error('http_request_failed', curl_error($call))
            : ['headers' => $received, 'response' => ['code' => curl_getinfo($call, CURLINFO_RESPONSE_CODE)], 'body' => $body];
    }

    private function reference(int $orderId): string
    {
        return Plugin::book()->rows->ofOrder($orderId)[0]->reference;
    }

    /** The next notification that the gateway sends: its answer. */
    private function receive(): int
    {
        $status = 0;
        $this->receiver->next(function (array $headers, string $body) use (&$status): int {
            $named = [];
            foreach ($headers as $name => $value) {
                $named[strtr(strtolower($name), '-', '_')] = [$value];
            }
            $request = new \WP_REST_Request($named, $body);
            return $status = ($this->world->routes['payframe/v1/notifications']['callback'])($request)->get_status();
        });
        return $status;
    }

    private function pay(string $session): void
    {
        Sandbox::enterCard($session, shownSum: '3545 EUR');
    }

    /** @param array<string, mixed> $members */
    private function paidByNotification(array $members = []): int
    {
        $orderId = $this->placed($members);
        $this->pay($this->formOf($orderId));
        self::assertSame(204, $this->receive());
        self::assertSame('processing', $this->order($orderId)->get_status(), implode("\n", $this->world->logged));
        return $orderId;
    }

    public function testAPaymentPartRefundsAndTheRest(): void
    {
        $orderId = $this->paidByNotification();
        self::assertStringContainsString('order-received', $this->returns($orderId));
        $refund = static fn (string $amount) => wc_create_refund(['order_id' => $orderId, 'amount' => $amount, 'reason' => '', 'refund_payment' => true]);
        self::assertInstanceOf(\WC_Order_Refund::class, $refund('10.00'), implode("\n", $this->world->logged));
        self::assertInstanceOf(\WC_Order_Refund::class, $refund('25.45'), implode("\n", $this->world->logged));
        self::assertSame('refunded', $this->order($orderId)->get_status());
        self::assertSame(['REFUND 2545', 'REFUND 1000', 'AUTHORIZATION 3545'], $this->moneyOf($orderId));
        self::assertCount(1, array_filter($this->world->transitions, static fn (string $one): bool => str_ends_with($one, 'pending processing')));
        $order = Sandbox::payframe()->orders->read($this->reference($orderId));
        self::assertSame('FULFILLED', $order['fulfilment']['state'] ?? null);
    }

    public function testHeldMoneyIsCapturedOnce(): void
    {
        $orderId = $this->paidByNotification(['meta' => ['is_held' => 'yes']]);
        self::assertSame(['AUTHORIZATION 3545'], Sandbox::typesAndAmounts($this->reference($orderId)));
        $this->order($orderId)->update_status('completed');
        $this->order($orderId)->update_status('processing');
        $this->order($orderId)->update_status('completed');
        self::assertSame(['CAPTURE 3545', 'AUTHORIZATION 3545'], Sandbox::typesAndAmounts($this->reference($orderId)), implode("\n", $this->world->logged));
    }

    public function testACancelledOrderReleasesItsMoney(): void
    {
        $orderId = $this->paidByNotification(['meta' => ['is_held' => 'yes']]);
        $this->order($orderId)->update_status('cancelled');
        self::assertSame(['VOID 3545', 'AUTHORIZATION 3545'], Sandbox::typesAndAmounts($this->reference($orderId)), implode("\n", $this->world->logged));
    }

    public function testTheNotificationIsLostAndTheFeedNamesTheOrder(): void
    {
        $orderId = $this->placed();
        $this->pay($this->formOf($orderId));
        do_action('payframe_wake');
        self::assertSame('processing', $this->order($orderId)->get_status(), implode("\n", $this->world->logged));
    }

    public function testHoldStockClosesTheFormAndAPaidOrderStays(): void
    {
        [$unpaid, $paid] = [$this->placed(), $this->placed()];
        $session = $this->formOf($unpaid);
        $this->pay($this->formOf($paid));
        self::assertFalse(apply_filters('woocommerce_cancel_unpaid_order', true, $this->order($paid)));
        self::assertSame('processing', $this->order($paid)->get_status());
        self::assertFalse(apply_filters('woocommerce_cancel_unpaid_order', true, $this->order($unpaid)));
        self::assertSame('cancelled', $this->order($unpaid)->get_status());
        $this->expectException(RefusedByGateway::class);
        $this->pay($session);
    }

    public function testTwoTabsHaveOneForm(): void
    {
        $orderId = $this->placed();
        $session = $this->formOf($orderId);
        self::assertSame($session, $this->formOf($orderId));
        $this->pay($session);
        self::assertStringContainsString('This order is paid', $this->page($orderId));
        self::assertSame(['AUTHORIZATION 3545'], array_values(array_diff($this->moneyOf($orderId), ['CAPTURE 3545'])));
    }

    /** @return list<string> without captures: the sandbox's terminal makes them by itself */
    private function moneyOf(int $orderId): array
    {
        return array_values(array_diff(Sandbox::typesAndAmounts($this->reference($orderId)), ['CAPTURE 3545']));
    }
}
