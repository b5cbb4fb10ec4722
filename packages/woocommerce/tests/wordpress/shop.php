<?php

declare(strict_types=1);

/**
 * A shop on WordPress itself, with the small WooCommerce of the tests in place of the real one: pages for buyers and the staff, as short as
 * they can be. Its orders are in an option. `tests/wordpress/site.mjs` puts it in as a must-use plug-in.
 */

namespace Payframe\WooCommerce\Tests\Fake {
    require PAYFRAME_TESTS . '/Fake/World.php';

    /** Orders that outlive a request. */
    final class StoredWorld extends World
    {
        public function __construct()
        {
            global $wpdb;
            parent::__construct($wpdb);
            $this->shop = home_url();
            $stored = get_option('test_shop', ['orders' => [], 'numbers' => 0, 'transitions' => []]);
            [$this->orders, $this->numbers, $this->transitions] = [$stored['orders'], $stored['numbers'], $stored['transitions']];
        }

        public function step(): void
        {
            update_option('test_shop', ['orders' => $this->orders, 'numbers' => $this->numbers, 'transitions' => $this->transitions], false);
        }
    }
}

namespace {
    use Payframe\WooCommerce\Tests\Fake\StoredWorld;
    use Payframe\WooCommerce\Tests\Fake\World;

    const PAYFRAME_TEST_WITHOUT_ACTION_SCHEDULER = true;
    require PAYFRAME_TESTS . '/Fake/woocommerce.php';

    World::now(new StoredWorld());
    // Old releases of WordPress are not made for newer ones of PHP.
    error_reporting(E_ALL & ~E_DEPRECATED);
    add_action('shutdown', World::now()->step(...));
    add_action('plugins_loaded', static fn () => do_action('before_woocommerce_init'), 5);
    add_action('init', static fn () => do_action('woocommerce_init'), 0);
    add_filter('payframe_session_request', static fn (array $body): array
        => array_replace_recursive($body, ['paymentSession' => ['notificationUrl' => PAYFRAME_TEST_RELAY . '/payframe/notifications']]));

    add_action('template_redirect', static function (): void {
        $path = (string) parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
        [$orderId, $what] = [(int) ($_GET['order'] ?? 0), (string) ($_GET['what'] ?? '')];
        if (str_starts_with($path, '/wc-api/')) {
            do_action('woocommerce_api_' . basename($path));
        }
        if (preg_match('~^/checkout/order-(pay|received)/(\d+)~', $path, $found)) {
            test_page($found[1] === 'pay', (int) $found[2]);
        }
        if ($what === '') {
            test_page(false, 0);
        }
        wp_send_json(match ($what) {
            'place' => test_place(),
            'refund' => ['made' => !is_wp_error(wc_create_refund(['order_id' => $orderId, 'amount' => $_GET['amount'], 'refund_payment' => true]))],
            'hold-stock' => ['may' => apply_filters('woocommerce_cancel_unpaid_order', true, new WC_Order($orderId))],
            'completed', 'cancelled' => ['is' => (new WC_Order($orderId))->update_status($what)],
            'books' => test_books($orderId),
            'delete' => test_delete((string) $_GET['data']),
        });
    });

    function test_page(bool $isForm, int $orderId): never
    {
        header('content-type: text/html; charset=utf-8');
        echo '<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title><link rel="icon" href="data:,">';
        $isForm ? do_action('woocommerce_receipt_payframe', $orderId) : print $orderId === 0 ? '<h1>Checkout</h1>' : '<h1>Order received</h1>';
        exit;
    }

    function test_place(): array
    {
        $world = World::now();
        $orderId = $world->number();
        $world->orders[$orderId] = [
            'id' => $orderId, 'status' => 'pending', 'total' => '35.45', 'currency' => 'EUR', 'order_key' => "wc_order_$orderId", 'customer_id' => 0,
            'payment_method' => 'payframe', 'meta' => [],
        ];
        $world->step();
        return (new Payframe\WooCommerce\Gateway())->process_payment($orderId) + ['order' => $orderId];
    }

    function test_books(int $orderId): array
    {
        $order = new WC_Order($orderId);
        $ofOrder = static fn (string $one): bool => str_starts_with($one, "$orderId ");
        return [
            'status' => $order->get_status(),
            'transitions' => array_values(array_filter(World::now()->transitions, $ofOrder)),
            'refunds' => array_map(static fn (WC_Order_Refund $one): string => $one->get_amount(), $order->get_refunds()),
            'reference' => $order->get_meta('_payframe_reference'),
        ];
    }

    /** What WordPress does when somebody deletes the plug-in: is its table there afterwards, and are its settings? */
    function test_delete(string $data): array
    {
        require_once ABSPATH . 'wp-admin/includes/plugin.php';
        global $wpdb;
        $settings = get_option('woocommerce_payframe_settings');
        update_option('woocommerce_payframe_settings', ['delete_data' => $data] + $settings);
        uninstall_plugin('payframe-woocommerce/payframe-woocommerce.php');
        $answer = [
            'table' => $wpdb->get_var("SHOW TABLES LIKE '{$wpdb->prefix}payframe_orders'") !== null,
            'settings' => get_option('woocommerce_payframe_settings') !== false,
            'planned' => wp_next_scheduled('payframe_wake') !== false,
        ];
        update_option('woocommerce_payframe_settings', $settings);
        return $answer;
    }
}
