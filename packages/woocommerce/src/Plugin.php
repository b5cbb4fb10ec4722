<?php

declare(strict_types=1);

namespace Payframe\WooCommerce;

use Automattic\WooCommerce\Utilities\FeaturesUtil;
use Payframe\Runtime;

/** Ties the plug-in to the hooks of WordPress and WooCommerce. */
final class Plugin
{
    public const VERSION = '0.1.0';
    private static ?Book $book = null;

    /** @param string $file the plug-in's main file */
    public static function start(string $file): void
    {
        register_activation_hook($file, Installation::make(...));
        register_deactivation_hook($file, Schedule::end(...));
        add_action('before_woocommerce_init', static function () use ($file): void {
            if (class_exists(FeaturesUtil::class)) {
                FeaturesUtil::declare_compatibility('custom_order_tables', $file, true);
                FeaturesUtil::declare_compatibility('cart_checkout_blocks', $file, true);
            }
        });
        add_filter('cron_schedules', Schedule::recurrences(...));
        add_action('init', static function () use ($file): void {
            load_plugin_textdomain('payframe-woocommerce', false, \dirname(plugin_basename($file)) . '/languages');
        }, 0);
        // Without WooCommerce the plug-in does nothing.
        add_action('woocommerce_init', static fn () => self::listen(plugins_url('assets', $file)));
        add_action('woocommerce_blocks_loaded', static fn () => self::listenToBlocks(plugins_url('assets', $file)));
    }

    /** The order book with the shop's settings. */
    public static function book(?Runtime $runtime = null): Book
    {
        global $wpdb;
        if (self::$book === null || $runtime !== null) {
            $options = Options::ofShop();
            $log = new Log();
            $runtime ??= new Runtime();
            self::$book = new Book($options->payframe($log, $runtime), new Rows($wpdb), new Shop(), $log, $options, $runtime);
        }
        return self::$book;
    }

    private static function listen(string $assets): void
    {
        add_filter('woocommerce_payment_gateways', static fn (array $gateways): array => [...$gateways, Gateway::class]);
        add_action('woocommerce_receipt_' . Gateway::ID, static fn ($orderId) => PayPage::show((int) $orderId, $assets));
        add_action('woocommerce_api_' . ReturnPage::ENDPOINT, static function (): void {
            nocache_headers();
            wp_safe_redirect(ReturnPage::next(wp_unslash($_GET)));
            exit;
        });
        add_action('admin_init', Installation::ensure(...));
        if (Options::ofShop()->problem() !== null) {
            return;
        }
        add_action('rest_api_init', Notifications::register(...));
        // Not on the pages of buyers: it asks the database.
        add_action('admin_init', Schedule::ensure(...));
        add_action('init', static fn () => wp_doing_cron() ? Schedule::ensure() : null, 20);
        add_action(Schedule::HOOK, Schedule::run(...));
        add_action('woocommerce_order_status_completed', static fn ($orderId) => Staff::completed((int) $orderId));
        add_action('woocommerce_order_status_cancelled', static fn ($orderId) => Staff::cancelled((int) $orderId));
        add_filter('woocommerce_cancel_unpaid_order', Staff::mayCancelUnpaid(...), 20, 2);
        add_action('woocommerce_create_refund', static fn ($refund, $arguments) => self::book()->refunds->planned($refund, $arguments), 10, 2);
        add_filter('woocommerce_order_actions', Staff::actions(...), 10, 2);
        add_action('woocommerce_order_action_payframe_look_again', Staff::lookAgain(...));
        add_action('woocommerce_order_action_payframe_capture', Staff::capture(...));
        add_action('admin_notices', Staff::notices(...));
    }

    private static function listenToBlocks(string $assets): void
    {
        add_action('woocommerce_blocks_payment_method_type_registration', static function ($registry) use ($assets): void {
            $registry->register(new BlockCheckout($assets, self::VERSION));
        });
    }
}
