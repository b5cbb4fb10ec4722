<?php

/**
 * Plugin Name: Payframe for WooCommerce
 * Description: Card payments by Payframe. The order is paid if and only if the gateway holds its money. Contract-tested; never run inside WooCommerce: try it in a copy of your shop first.
 * Version: 0.1.0
 * Requires at least: 6.1
 * Requires PHP: 8.2
 * Requires Plugins: woocommerce
 * WC requires at least: 8.9
 * Author: Payframe
 * License: MIT OR Apache-2.0
 * Text Domain: payframe-woocommerce
 * Domain Path: /languages
 */

declare(strict_types=1);

use Payframe\WooCommerce\Plugin;

if (!defined('ABSPATH')) {
    exit;
}

require __DIR__ . '/autoload.php';

Plugin::start(__FILE__);
