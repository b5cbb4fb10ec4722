<?php

declare(strict_types=1);

namespace Payframe\WooCommerce;

use Automattic\WooCommerce\Blocks\Payments\Integrations\AbstractPaymentMethodType;

/** The payment method in the checkout of blocks: a label and a sentence. The form is on the page that follows "Place order". */
final class BlockCheckout extends AbstractPaymentMethodType
{
    private const SCRIPT = 'payframe-blocks';

    protected $name = Gateway::ID;

    /** @param string $assets address of this plug-in's folder `assets` */
    public function __construct(private readonly string $assets, private readonly string $version)
    {
    }

    public function initialize(): void
    {
        $stored = get_option(Options::NAME, []);
        $this->settings = \is_array($stored) ? $stored : [];
    }

    public function is_active(): bool
    {
        return $this->get_setting('enabled', 'no') === 'yes' && Options::ofShop()->problem() === null;
    }

    /** @return list<string> */
    public function get_payment_method_script_handles(): array
    {
        $needs = ['wc-blocks-registry', 'wc-settings', 'wp-element', 'wp-html-entities'];
        wp_register_script(self::SCRIPT, "$this->assets/blocks.js", $needs, $this->version, true);
        return [self::SCRIPT];
    }

    /** @return array<string, mixed> */
    public function get_payment_method_data(): array
    {
        return [
            'title' => $this->get_setting('title', __('Card', 'payframe-woocommerce')),
            'description' => $this->get_setting('description'),
            'supports' => ['products'],
        ];
    }
}
