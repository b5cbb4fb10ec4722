<?php

declare(strict_types=1);

namespace Payframe\WooCommerce;

use Payframe\Exception\PayframeException;

/** What the staff does with an order in WooCommerce, and what WooCommerce does by itself. */
final class Staff
{
    /** The order was set to "Completed": held money is captured. */
    public static function completed(int $orderId): void
    {
        self::try($orderId, static fn (Book $book) => $book->capture($orderId));
    }

    /** The order was set to "Cancelled", by whomever: forms are closed, and all money goes back. */
    public static function cancelled(int $orderId): void
    {
        self::try($orderId, static fn (Book $book) => $book->cancel($orderId));
    }

    /**
     * WooCommerce's "Hold stock": may it cancel an unpaid order? Only when the gateway says that no money is held, and no form is open.
     */
    public static function mayCancelUnpaid(mixed $may, mixed $order): bool
    {
        if (!$may || !$order instanceof \WC_Order) {
            return (bool) $may;
        }
        try {
            // The order book may have cancelled it itself: a second time would send its mail again.
            return Plugin::book()->timeOut($order->get_id()) && !self::isCancelled($order->get_id());
        } catch (PayframeException $exception) {
            // The order book goes on with it.
            (new Log())->failure($exception);
            return false;
        }
    }

    /**
     * Actions on the page of an order.
     *
     * @param array<string, string> $actions
     * @return array<string, string>
     */
    public static function actions(array $actions, mixed $order = null): array
    {
        $isOurs = $order instanceof \WC_Order && Plugin::book()->rows->ofOrder($order->get_id()) !== [];
        return !$isOurs ? $actions : $actions + [
            'payframe_look_again' => __('Payframe: ask the gateway again', 'payframe-woocommerce'),
            'payframe_capture' => __('Payframe: capture the held money', 'payframe-woocommerce'),
        ];
    }

    public static function lookAgain(\WC_Order $order): void
    {
        self::try($order->get_id(), static fn (Book $book) => $book->lookAgain($order->get_id()));
    }

    public static function capture(\WC_Order $order): void
    {
        self::completed($order->get_id());
    }

    /** Says on the pages of the admin which payments somebody has to look at. */
    public static function notices(): void
    {
        if (!current_user_can('manage_woocommerce')) {
            return;
        }
        foreach (Plugin::book()->rows->needingPerson(5) as $row) {
            $order = wc_get_order($row->orderId);
            $link = $order instanceof \WC_Order ? $order->get_edit_order_url() : '';
            /* translators: 1: id of the payment, 2: a word of the order keeper, such as TOO_MUCH */
            $sentence = sprintf(__('Payframe: somebody has to look at the payment %1$s (%2$s).', 'payframe-woocommerce'), $row->reference, $row->needsPerson);
            echo '<div class="notice notice-warning"><p>' . esc_html($sentence) . ' <a href="' . esc_url($link) . '">'
                . esc_html__('To the order', 'payframe-woocommerce') . '</a></p></div>';
        }
    }

    private static function isCancelled(int $orderId): bool
    {
        $order = wc_get_order($orderId);
        return $order instanceof \WC_Order && $order->has_status('cancelled');
    }

    /** A hook of WooCommerce: what fails is in the order book, and is tried again. */
    private static function try(int $orderId, \Closure $work): void
    {
        try {
            $work(Plugin::book());
        } catch (PayframeException $exception) {
            (new Log())->failure($exception);
        }
    }
}
