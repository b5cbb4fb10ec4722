<?php

declare(strict_types=1);

namespace Payframe\WooCommerce\Tests;

use Payframe\WooCommerce\Book;
use Payframe\WooCommerce\Options;
use Payframe\WooCommerce\Plugin;
use Payframe\WooCommerce\ReturnPage;
use Payframe\WooCommerce\Tests\Fake\Clock;
use Payframe\WooCommerce\Tests\Fake\Gateway;
use Payframe\WooCommerce\Tests\Fake\Killed;
use Payframe\WooCommerce\Tests\Fake\World;
use PHPUnit\Framework\TestCase;

/** A shop with the plug-in, on our own small WordPress and WooCommerce, and a gateway in memory. */
abstract class ShopTestCase extends TestCase
{
    protected const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
    protected const SETTINGS = [
        'enabled' => 'yes', 'title' => 'Card', 'gateway' => 'https://gateway.example', 'api_key' => 'key-of-the-shop_1', 'secrets' => self::SECRET,
        'capture' => 'EXPLICIT', 'saved_cards' => 'yes', 'pay_within_minutes' => '60', 'reference_prefix' => 'w',
    ];

    protected World $world;
    protected Gateway $gateway;
    protected Clock $clock;

    protected function setUp(): void
    {
        $this->install(self::SETTINGS);
    }

    /** @param array<string, string> $settings */
    protected function install(array $settings): void
    {
        [$this->world, $this->gateway, $this->clock] = [World::now(new World()), new Gateway(), new Clock()];
        $this->world->http = $this->gateway->answer(...);
        $this->world->options['woocommerce_payframe_settings'] = $settings;
        Plugin::start(\dirname(__DIR__) . '/payframe-woocommerce.php');
        do_action('activate');
        foreach (['before_woocommerce_init', 'woocommerce_blocks_loaded', 'woocommerce_init', 'init', 'rest_api_init'] as $hook) {
            do_action($hook);
        }
        if (Options::ofShop()->problem() === null) {
            $this->restart();
        }
    }

    /** The next program: nothing in memory is left. */
    protected function restart(): Book
    {
        $this->world->endAt(null);
        return Plugin::book($this->clock);
    }

    /** An order that was placed in the checkout. @param array<string, mixed> $members */
    protected function placed(array $members = []): int
    {
        $id = $this->world->number();
        $this->world->orders[$id] = $members + [
            'id' => $id, 'status' => 'pending', 'total' => '35.45', 'currency' => 'EUR', 'order_key' => "wc_order_$id", 'customer_id' => 0,
            'payment_method' => 'payframe', 'meta' => [],
        ];
        return $id;
    }

    protected function order(int $id): \WC_Order
    {
        return new \WC_Order($id);
    }

    /** The page with the form, as a buyer sees it. */
    protected function page(int $orderId): string
    {
        ob_start();
        try {
            do_action('woocommerce_receipt_payframe', $orderId);
        } finally {
            $page = (string) ob_get_clean();
        }
        return $page;
    }

    /** The session of the form on the page. */
    protected function formOf(int $orderId): string
    {
        $page = $this->page($orderId);
        self::assertSame(1, preg_match('/session="([\w-]+)"/', $page, $found), $page);
        return $found[1];
    }

    protected function returns(int $orderId, ?string $key = null): string
    {
        return ReturnPage::next(['order' => (string) $orderId, 'key' => $key ?? "wc_order_$orderId"]);
    }

    /** A notification of the newest event of an order: its status. */
    protected function notify(string $reference, ?string $secret = null): int
    {
        $operation = ['operationId' => '000000000000000001', 'orderId' => $reference];
        return $this->post(['eventId' => 'event-1', 'eventType' => 'OPERATION', 'operation' => $operation], $secret);
    }

    /** The status with which a notification is answered. @param array<string, mixed> $event */
    protected function post(array $event, ?string $secret = null): int
    {
        $body = json_encode($event, JSON_THROW_ON_ERROR);
        $time = (string) time();
        $key = base64_decode(substr($secret ?? self::SECRET, \strlen('whsec_')));
        $headers = [
            'webhook_id' => ['event-1'],
            'webhook_timestamp' => [$time],
            'webhook_signature' => ['v1,' . base64_encode(hash_hmac('sha256', "event-1.$time.$body", $key, true))],
        ];
        return ($this->world->routes['payframe/v1/notifications']['callback'])(new \WP_REST_Request($headers, $body))->get_status();
    }

    /** Time passes, and the work of each minute is done. */
    protected function pass(int $minutes): void
    {
        for ($passed = 0; $passed < $minutes; $passed++) {
            $this->clock->time += 60;
            do_action('payframe_wake');
        }
    }

    protected function status(string $reference): string
    {
        return Plugin::book()->rows->known($reference)->kept['status'];
    }

    /** An order that is paid, with its money held. */
    protected function paid(): int
    {
        $orderId = $this->placed();
        $this->gateway->pay($this->formOf($orderId));
        self::assertSame(204, $this->notify("w$orderId"));
        self::assertSame('processing', $this->order($orderId)->get_status());
        return $orderId;
    }

    /** Runs a program that ends at its step number `$step`. Answers whether it came so far. */
    protected function killedAt(int $step, \Closure $program): bool
    {
        $this->world->endAt($step);
        $levels = ob_get_level();
        try {
            $program();
            return false;
        } catch (Killed) {
            return true;
        } finally {
            while (ob_get_level() > $levels) {
                ob_end_clean();
            }
            $this->restart();
        }
    }
}
