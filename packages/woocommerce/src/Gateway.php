<?php

declare(strict_types=1);

namespace Payframe\WooCommerce;

/**
 * The payment method in WooCommerce: its settings, and what WooCommerce calls for an order.
 *
 * Both checkouts, the classic one and that of blocks, lead to the page "Pay for order", which has the form.
 */
final class Gateway extends \WC_Payment_Gateway
{
    public const ID = 'payframe';

    public function __construct()
    {
        $this->id = self::ID;
        $this->has_fields = false;
        $this->method_title = __('Payframe', 'payframe-woocommerce');
        $this->method_description = __(
            'Cards, in a form of the payment gateway on your own page. The order is paid if and only if the gateway holds its money. This plug-in is contract-tested; it was never run inside WooCommerce: try it in a copy of your shop first.',
            'payframe-woocommerce',
        );
        $this->supports = ['products', 'refunds'];
        $this->init_form_fields();
        $this->init_settings();
        $this->title = (string) $this->get_option('title');
        $this->description = (string) $this->get_option('description');
        add_action('woocommerce_update_options_payment_gateways_' . $this->id, [$this, 'process_admin_options']);
    }

    public function init_form_fields(): void
    {
        $this->form_fields = SettingsFields::all();
    }

    public function needs_setup(): bool
    {
        return Options::ofShop()->problem() !== null;
    }

    public function is_available(): bool
    {
        return parent::is_available() && !$this->needs_setup();
    }

    /** The settings page, with what is wrong on it. */
    public function admin_options(): void
    {
        $problem = Options::ofShop()->problem();
        if ($this->enabled === 'yes' && $problem !== null) {
            echo '<div class="notice notice-error inline"><p>' . esc_html($problem) . '</p></div>';
        }
        parent::admin_options();
    }

    /** The order is placed: the buyer goes on to the page with the form. */
    public function process_payment($order_id): array
    {
        $order = wc_get_order($order_id);
        return $order instanceof \WC_Order
            ? ['result' => 'success', 'redirect' => $order->get_checkout_payment_url(true)]
            : ['result' => 'failure'];
    }

    /** An order that no card has paid has no button "Refund via". */
    public function can_refund_order($order): bool
    {
        return parent::can_refund_order($order) && $order->get_transaction_id() !== '';
    }

    public function process_refund($order_id, $amount = null, $reason = ''): bool|\WP_Error
    {
        return Plugin::book()->refunds->make((int) $order_id, $amount);
    }

    /** @throws \Exception which WooCommerce shows beside the field */
    public function validate_gateway_field(string $key, ?string $value): string
    {
        return SettingsFields::checkedGateway((string) $value);
    }

    /** @throws \Exception which WooCommerce shows beside the field */
    public function validate_reference_prefix_field(string $key, ?string $value): string
    {
        return SettingsFields::checkedPrefix((string) $value);
    }
}
