<?php

declare(strict_types=1);

namespace Payframe\WooCommerce;

use Payframe\Exception\PayframeException;

/**
 * The form, on WooCommerce's page "Pay for order" (`woocommerce_receipt_payframe`). WooCommerce has compared the key of the order
 * before, and lets no cache keep the page.
 */
final class PayPage
{
    /** @param string $assets address of this plug-in's folder `assets` */
    public static function show(int $orderId, string $assets): void
    {
        $order = wc_get_order($orderId);
        if (!$order instanceof \WC_Order) {
            return;
        }
        $options = Options::ofShop();
        $customer = SessionRequest::customerOf($order);
        try {
            $formed = Plugin::book()->form(
                $order,
                $customer,
                static fn (string $reference): array => SessionRequest::of($options, $order, $reference, $customer),
            );
        } catch (PayframeException $exception) {
            (new Log())->failure($exception);
            self::say(__('The payment form can not be shown now. Nothing was charged. Please try again in a minute.', 'payframe-woocommerce'), $order);
            return;
        }
        if ($formed->refused !== '') {
            self::say(self::sentence($formed->refused), $order);
            return;
        }
        wp_print_script_tag(['type' => 'module', 'src' => $options->gateway . '/sdk/payframe.js']);
        wp_print_script_tag(['type' => 'module', 'src' => "$assets/pay.js"]);
        echo '<section class="payframe-pay" aria-label="' . esc_attr__('Payment', 'payframe-woocommerce') . '" data-payframe-return="'
            . esc_url(ReturnPage::address($order)) . '">';
        // It is HTML already, of the gateway.
        echo $formed->html !== '' ? $formed->html : '<payment-form gateway="' . esc_attr($options->gateway) . '" session="' . esc_attr($formed->sessionId) . '"></payment-form>';
        echo '</section>';
    }

    private static function sentence(string $refused): string
    {
        return match ($refused) {
            'ALREADY_PAID' => __('This order is paid. You need not pay again.', 'payframe-woocommerce'),
            'UNDECIDED' => __('Your bank has not decided yet. Please do not pay again.', 'payframe-woocommerce'),
            'NEEDS_PERSON' => __('Somebody of the shop has to look at your payment. Please contact us.', 'payframe-woocommerce'),
            default => __('This order can not be paid any more. If you have paid, the money goes back to you.', 'payframe-woocommerce'),
        };
    }

    private static function say(string $sentence, \WC_Order $order): void
    {
        wc_print_notice(esc_html($sentence), 'notice');
        echo '<p><a href="' . esc_url(ReturnPage::address($order)) . '">' . esc_html__('Look again', 'payframe-woocommerce') . '</a></p>';
    }
}
