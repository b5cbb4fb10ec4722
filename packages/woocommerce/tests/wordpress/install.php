<?php

declare(strict_types=1);

/** Installs WordPress, and the plug-in as its page "Plugins" does. The settings are in the environment, as JSON. */

$_SERVER['HTTP_HOST'] = 'localhost';
define('WP_INSTALLING', true);
require getenv('WORDPRESS') . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
require_once ABSPATH . 'wp-admin/includes/plugin.php';

wp_install('Shop', 'admin', 'admin@shop.example', false, '', 'secret-word-of-tests');
update_option('permalink_structure', '/%postname%/');
update_option('woocommerce_payframe_settings', json_decode((string) getenv('PAYFRAME_SETTINGS'), true));
$refused = activate_plugin('payframe-woocommerce/payframe-woocommerce.php');
// A second time changes nothing: the table is as `dbDelta` wants it.
global $wpdb;
$changes = dbDelta((new Payframe\WooCommerce\Rows($wpdb))->definition());
echo json_encode(['wordpress' => get_bloginfo('version'), 'refused' => is_wp_error($refused) ? $refused->get_error_message() : null, 'changes' => $changes, 'problem' => $wpdb->last_error]), "\n";
