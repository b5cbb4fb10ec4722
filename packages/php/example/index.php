<?php

declare(strict_types=1);

/**
 * A shop server. Beside this package it needs Guzzle (`composer require guzzlehttp/guzzle`).
 *
 *     PAYFRAME_GATEWAY=http://localhost:8080 PAYFRAME_API_KEY=… PAYFRAME_NOTIFICATION_SECRET=whsec_… php -S localhost:3000 index.php
 *
 * With the same variables `php index.php` does what is due: run it every few seconds. Orders are files in SHOP_DATA, or in a temporary folder.
 */

use GuzzleHttp\Client;
use GuzzleHttp\Psr7\HttpFactory;
use Payframe\Example\OrderBook;
use Payframe\Example\Shop;
use Payframe\NotificationVerifier;
use Payframe\Payframe;

require getenv('PAYFRAME_AUTOLOAD') ?: __DIR__ . '/../vendor/autoload.php';

$gateway = (string) getenv('PAYFRAME_GATEWAY');
$folder = getenv('SHOP_DATA') ?: sys_get_temp_dir() . '/payframe-shop';
is_dir($folder) || mkdir($folder, 0o700, true);
$factory = new HttpFactory();
// A redirect would carry the API key to another place. Guzzle follows none for this interface.
$http = new Client(['timeout' => 35, 'connect_timeout' => 5]);
$payframe = new Payframe($gateway, (string) getenv('PAYFRAME_API_KEY'), $http, $factory, $factory);
$orders = new OrderBook($payframe, $folder, error_log(...));
if (PHP_SAPI === 'cli') {
    $orders->due();
    return;
}
$origin = 'http://' . $_SERVER['HTTP_HOST'];
$notifications = new NotificationVerifier((string) getenv('PAYFRAME_NOTIFICATION_SECRET'));
$shop = new Shop($payframe, $orders, $notifications, $gateway, $origin, error_log(...));
$path = (string) parse_url((string) $_SERVER['REQUEST_URI'], PHP_URL_PATH);
[$status, $type, $body] = $shop->answer($_SERVER['REQUEST_METHOD'], $path, $_GET, $_SERVER, (string) file_get_contents('php://input'));
http_response_code($status);
header("content-type: $type");
echo $body;
