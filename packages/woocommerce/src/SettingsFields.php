<?php

declare(strict_types=1);

namespace Payframe\WooCommerce;

use Payframe\Exception\PayframeException;
use Payframe\Settings;

/** The fields of the settings page. */
final class SettingsFields
{
    /** @return array<string, array<string, mixed>> as WooCommerce takes them */
    public static function all(): array
    {
        return self::ofCheckout() + self::ofGateway() + self::ofMoney();
    }

    /** @throws \Exception if it is no origin of a gateway */
    public static function checkedGateway(string $value): string
    {
        $origin = rtrim(trim($value), '/');
        try {
            new Settings($origin, 'key', 0);
        } catch (PayframeException $exception) {
            throw new \Exception($exception->getMessage());
        }
        return $origin;
    }

    /** @throws \Exception if it is too long, or has other characters */
    public static function checkedPrefix(string $value): string
    {
        return preg_match('/^[A-Za-z0-9]{0,8}$/D', trim($value))
            ? trim($value)
            : throw new \Exception(__('Prefix: at most 8 letters and digits.', 'payframe-woocommerce'));
    }

    private static function ofCheckout(): array
    {
        return [
            'enabled' => [
                'title' => __('Enable', 'payframe-woocommerce'),
                'type' => 'checkbox',
                'label' => __('Buyers can pay with it', 'payframe-woocommerce'),
                'default' => 'no',
            ],
            'title' => [
                'title' => __('Title', 'payframe-woocommerce'),
                'type' => 'text',
                'description' => __('What buyers read in the checkout.', 'payframe-woocommerce'),
                'default' => __('Card', 'payframe-woocommerce'),
            ],
            'description' => [
                'title' => __('Description', 'payframe-woocommerce'),
                'type' => 'text',
                'default' => __('You enter your card on the next page.', 'payframe-woocommerce'),
            ],
        ];
    }

    private static function ofGateway(): array
    {
        return [
            'gateway' => [
                'title' => __('Gateway', 'payframe-woocommerce'),
                'type' => 'text',
                'description' => __('Its origin, such as https://gateway.example.', 'payframe-woocommerce'),
                'default' => '',
            ],
            'api_key' => [
                'title' => __('API key', 'payframe-woocommerce'),
                'type' => 'password',
                'description' => __('Of your terminal. Or the constant PAYFRAME_API_KEY in wp-config.php, which keeps it out of the database.', 'payframe-woocommerce'),
                'default' => '',
            ],
            'secrets' => [
                'title' => __('Notification secret', 'payframe-woocommerce'),
                'type' => 'password',
                'description' => __('As the gateway printed it, whsec_…; while it changes, both with a comma. Or the constant PAYFRAME_NOTIFICATION_SECRET.', 'payframe-woocommerce'),
                'default' => '',
            ],
            'reference_prefix' => [
                'title' => __('Prefix', 'payframe-woocommerce'),
                'type' => 'text',
                'description' => __('Up to 8 letters and digits before each order number at the gateway, where several shops have one merchant.', 'payframe-woocommerce'),
                'default' => '',
            ],
        ];
    }

    private static function ofMoney(): array
    {
        return [
            'capture' => [
                'title' => __('Capture', 'payframe-woocommerce'),
                'type' => 'select',
                'options' => [
                    'TERMINAL' => __('As the terminal is set', 'payframe-woocommerce'),
                    'IMPLICIT' => __('At once', 'payframe-woocommerce'),
                    'EXPLICIT' => __('When the order is set to "Completed"', 'payframe-woocommerce'),
                ],
                'description' => __('Held money is captured when you set the order to "Completed", within 5 days. "Cancelled" gives all money back, captured or not.', 'payframe-woocommerce'),
                'default' => 'TERMINAL',
            ],
            'saved_cards' => [
                'title' => __('Saved cards', 'payframe-woocommerce'),
                'type' => 'checkbox',
                'label' => __('Customers who are logged in can save cards. The terminal has to store cards.', 'payframe-woocommerce'),
                'default' => 'no',
            ],
            'pay_within_minutes' => [
                'title' => __('Minutes to pay', 'payframe-woocommerce'),
                'type' => 'number',
                'description' => __('After that an unpaid order is closed at the gateway, and then cancelled.', 'payframe-woocommerce'),
                'default' => '1440',
            ],
            'delete_data' => [
                'title' => __('When the plug-in is deleted', 'payframe-woocommerce'),
                'type' => 'checkbox',
                'label' => __('Delete also its table, which knows which payment belongs to which order', 'payframe-woocommerce'),
                'default' => 'no',
            ],
        ];
    }
}
