<?php

declare(strict_types=1);

namespace Payframe\WooCommerce;

use Payframe\Exception\PayframeException;

/** The orders of WooCommerce, as the order book changes them. It uses their methods only, so that it does not matter where they are stored. */
final class Shop
{
    public function order(int $orderId): ?\WC_Order
    {
        $order = wc_get_order($orderId);
        return $order instanceof \WC_Order ? $order : null;
    }

    /**
     * What an order costs.
     *
     * @return array{int, string} in the minor unit, and the currency
     * @throws PayframeException if that is no whole number
     */
    public function due(\WC_Order $order): array
    {
        $currency = $order->get_currency();
        return [Amounts::minorOf($order->get_total(), $currency), $currency];
    }

    /**
     * Marks an order as paid. To do it again changes nothing.
     *
     * @throws NotForSale if the order can not be sold for this money
     */
    public function fulfil(Row $row, string $operation): void
    {
        $order = $this->order($row->orderId) ?? throw new NotForSale('There is no such order any more.');
        $isPaid = $order->get_date_paid() !== null;
        if ($isPaid && $order->get_transaction_id() === $operation) {
            return;
        }
        $this->checkSale($row, $order, $isPaid);
        $order->set_payment_method(Gateway::ID);
        $order->update_meta_data(self::REFERENCE, $row->reference);
        if (!$order->payment_complete($operation)) {
            throw new \RuntimeException("WooCommerce could not mark the order {$order->get_id()} as paid. Its own log says why.");
        }
        if ($order->get_transaction_id() !== $operation) {
            // The staff had set it to a paid status before.
            $order->set_transaction_id($operation);
            $order->save();
        }
        /* translators: %s: id of the payment at the gateway */
        $order->add_order_note(sprintf(__('Payframe: the money is held. Payment %s.', 'payframe-woocommerce'), $row->reference));
    }

    private function checkSale(Row $row, \WC_Order $order, bool $isPaid): void
    {
        if ($row->isSuperseded || $row->isGivingBack()) {
            throw new NotForSale('Another payment has taken its place.');
        }
        if ($order->has_status(['cancelled', 'refunded', 'trash'])) {
            throw new NotForSale("The order is {$order->get_status()}.");
        }
        if ($isPaid && ($order->get_payment_method() !== Gateway::ID || $order->get_transaction_id() !== '')) {
            throw new NotForSale('The order was paid in another way.');
        }
        if ($this->due($order) !== [$row->due(), $row->currency]) {
            throw new NotForSale('The order costs another sum now.');
        }
    }

    /** Nobody has paid: the order is cancelled, which frees its stock. */
    public function giveUp(Row $row): void
    {
        $order = $this->order($row->orderId);
        $waits = $order !== null && $order->has_status(['pending', 'failed', 'on-hold']) && $order->get_date_paid() === null;
        if ($waits && !$row->isSuperseded && $order->get_payment_method() === Gateway::ID) {
            $order->update_status('cancelled', __('Payframe: it was not paid in time. No money is held.', 'payframe-woocommerce'));
        }
    }

    /**
     * What the shop has made of an order: `CANCELLED`, `COMPLETED`, `GONE`, or `OPEN` for everything else.
     *
     * @return 'CANCELLED'|'COMPLETED'|'GONE'|'OPEN'
     */
    public function standing(Row $row): string
    {
        $order = $this->order($row->orderId);
        return match (true) {
            $order === null || $order->has_status('trash') => 'GONE',
            $order->has_status('cancelled') => 'CANCELLED',
            $order->has_status('completed') => 'COMPLETED',
            default => 'OPEN',
        };
    }

    public function note(Row $row, string $text): void
    {
        $this->order($row->orderId)?->add_order_note("Payframe: $text");
    }

    /** Reference of the row whose money pays an order: a member of the order's meta data. */
    public const REFERENCE = '_payframe_reference';
}
