<?php

declare(strict_types=1);

namespace Payframe\WooCommerce;

use Payframe\Exception\PayframeException;

/**
 * The buyer is back, or the page has heard an outcome: the gateway is asked, and the buyer goes where it says. What the address says of the
 * payment is not read.
 */
final class ReturnPage
{
    public const ENDPOINT = 'payframe_return';

    public static function address(\WC_Order $order): string
    {
        $address = WC()->api_request_url(self::ENDPOINT);
        return add_query_arg(['order' => $order->get_id(), 'key' => $order->get_order_key()], $address);
    }

    /**
     * Where the buyer goes.
     *
     * @param array<string, mixed> $query
     */
    public static function next(array $query): string
    {
        $order = wc_get_order((int) (is_scalar($query['order'] ?? null) ? $query['order'] : 0));
        $key = \is_string($query['key'] ?? null) ? $query['key'] : '';
        if (!$order instanceof \WC_Order || $key === '' || !hash_equals($order->get_order_key(), $key)) {
            return wc_get_checkout_url();
        }
        try {
            $rows = self::looked($order->get_id());
        } catch (PayframeException $exception) {
            (new Log())->failure($exception);
            return self::say($order, __('We could not ask whether you have paid. Please look again in a minute, and do not pay twice.', 'payframe-woocommerce'));
        }
        $row = $rows[0] ?? null;
        $status = $row->kept['status'] ?? 'UNPAID';
        $goesBack = array_filter($rows, static fn (Row $one): bool => $one->kept['status'] === 'REFUNDED' || ($one->isGivingBack() && !$one->isOver()));
        $newest = wc_get_order($order->get_id());
        $isPaid = $newest instanceof \WC_Order && $newest->get_date_paid() !== null;
        return match (true) {
            $isPaid || ($status === 'PAID' && !$row->isGivingBack()) => $order->get_checkout_order_received_url(),
            $goesBack !== [] => self::say($order, __('The order has changed while you paid. That money goes back to you, and the order is not paid.', 'payframe-woocommerce')),
            ($row->kept['statusDetail'] ?? null) === 'ISSUER' => self::say($order, __('Your bank has not decided yet. We tell you by e-mail.', 'payframe-woocommerce')),
            \in_array($status, ['NEEDS_PERSON', 'PARTLY_PAID'], true) => self::say($order, __('Somebody of the shop has to look at your payment. Please contact us.', 'payframe-woocommerce')),
            default => self::say($order, __('You have not paid. Nothing was charged.', 'payframe-woocommerce')),
        };
    }

    /** The payments of an order, after the gateway was asked. @return list<Row> the newest first */
    private static function looked(int $orderId): array
    {
        $book = Plugin::book();
        foreach ($book->rows->ofOrder($orderId) as $row) {
            if (!$row->isOver()) {
                $book->look($row->reference);
            }
        }
        return $book->rows->ofOrder($orderId);
    }

    /** Back to the page with the form, or to the checkout if the order can not be paid any more. */
    private static function say(\WC_Order $order, string $sentence): string
    {
        wc_add_notice($sentence, 'notice');
        return $order->needs_payment() ? $order->get_checkout_payment_url(true) : wc_get_checkout_url();
    }
}
