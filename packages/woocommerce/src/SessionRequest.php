<?php

declare(strict_types=1);

namespace Payframe\WooCommerce;

/** What a session of the gateway is opened with: the body of `POST /orders/build`. */
final class SessionRequest
{
    /**
     * @param string $customer the gateway's id of the customer who is logged in; empty for a guest, whatever address was typed
     * @return array<string, mixed>
     */
    public static function of(Options $options, \WC_Order $order, string $reference, string $customer): array
    {
        [$due, $currency] = (new Shop())->due($order);
        $back = ReturnPage::address($order);
        $body = [
            'merchantUrl' => self::originOf(home_url('/')),
            'order' => ['orderId' => $reference, 'amount' => (string) $due, 'currency' => $currency],
            'paymentSession' => [
                'amount' => (string) $due,
                'paymentService' => 'CARDS',
                'language' => self::LANGUAGES[substr(determine_locale(), 0, 2)] ?? 'eng',
                'resultUrl' => $back,
                'cancelUrl' => $back,
                'notificationUrl' => Notifications::address(),
            ],
            'form' => ['closing' => 'FRAME', 'attempts' => 3],
        ];
        if ($options->capture !== 'TERMINAL') {
            $body['paymentSession']['captureType'] = $options->capture;
        }
        if ($customer !== '' && $options->savesCards) {
            $body['order']['customerId'] = $customer;
            $body['paymentSession']['recurrence'] = ['action' => 'CONTRACT_CREATION', 'contractId' => $reference, 'contractType' => 'CIT'];
            $body['form'] += ['savedCards' => 'USE_AND_REMOVE', 'consent' => 'OPTIONAL'];
        }
        /**
         * Lets a shop add to the body, such as a description of the order: see `POST /orders/build` in the API.
         *
         * @param array<string, mixed> $body
         * @param \WC_Order $order
         */
        return apply_filters('payframe_session_request', $body, $order);
    }

    /** The gateway's id of the customer who pays; empty for a guest, and for somebody who pays the order of another customer. */
    public static function customerOf(\WC_Order $order): string
    {
        $user = get_current_user_id();
        return $user !== 0 && $user === $order->get_customer_id() ? "u$user" : '';
    }

    private static function originOf(string $address): string
    {
        $parts = parse_url($address) ?: [];
        return ($parts['scheme'] ?? 'https') . '://' . ($parts['host'] ?? '') . (isset($parts['port']) ? ":$parts[port]" : '');
    }

    /** The languages of the form. */
    private const LANGUAGES = [
        'ar' => 'ara', 'bg' => 'bul', 'ca' => 'cat', 'cs' => 'ces', 'da' => 'dan', 'de' => 'deu', 'el' => 'ell', 'en' => 'eng',
        'es' => 'spa', 'et' => 'est', 'fi' => 'fin', 'fr' => 'fra', 'he' => 'heb', 'hr' => 'hrv', 'hu' => 'hun', 'id' => 'ind',
        'it' => 'ita', 'ja' => 'jpn', 'ko' => 'kor', 'lt' => 'lit', 'lv' => 'lav', 'nb' => 'nob', 'no' => 'nob', 'pl' => 'pol',
        'pt' => 'por', 'ro' => 'ron', 'ru' => 'rus', 'sk' => 'slk', 'sl' => 'slv', 'sv' => 'swe', 'th' => 'tha', 'tr' => 'tur',
        'uk' => 'ukr', 'vi' => 'vie', 'zh' => 'zha',
    ];
}
