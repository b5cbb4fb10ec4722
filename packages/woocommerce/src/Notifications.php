<?php

declare(strict_types=1);

namespace Payframe\WooCommerce;

use Payframe\Exception\NotificationException;
use Payframe\Exception\PayframeException;

/** What the gateway tells the shop (`POST …/wp-json/payframe/v1/notifications`). A notification is only a reason to ask the gateway. */
final class Notifications
{
    private const NAMESPACE = 'payframe/v1';
    private const ROUTE = '/notifications';

    public static function address(): string
    {
        return rest_url(self::NAMESPACE . self::ROUTE);
    }

    public static function register(): void
    {
        register_rest_route(self::NAMESPACE, self::ROUTE, [
            'methods' => 'POST',
            'callback' => self::receive(...),
            // The signature is the permission.
            'permission_callback' => '__return_true',
        ]);
    }

    /** One that names no order of this shop is answered with 404, and one that can not be heeded with 503, so that it comes again. */
    public static function receive(\WP_REST_Request $request): \WP_REST_Response
    {
        $options = Options::ofShop();
        try {
            $event = $options->verifier()->verify($request->get_headers(), $request->get_body());
            // What is not about money names no operation, and is nothing to a shop.
            if (!isset($event['operation'])) {
                return new \WP_REST_Response(null, 204);
            }
            $reference = $event['operation']['orderId'] ?? null;
            Plugin::book()->happens(\is_string($reference) ? $reference : '', ['type' => 'NOTIFICATION']);
        } catch (PayframeException $exception) {
            if ($exception->errorCode === 'order_unknown') {
                return new \WP_REST_Response(null, 404);
            }
            (new Log())->failure($exception);
            return new \WP_REST_Response(null, $exception instanceof NotificationException ? 400 : 503);
        }
        return new \WP_REST_Response(null, 204);
    }
}
