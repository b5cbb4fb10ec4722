<?php

declare(strict_types=1);

namespace Payframe\WooCommerce\Http;

use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\ResponseInterface;

/** The HTTP client of WordPress for the PHP package: with the shop's proxy and certificates, and without redirects. */
final class Client implements ClientInterface
{
    public function sendRequest(RequestInterface $request): ResponseInterface
    {
        $headers = array_map(static fn (array $values): string => implode(', ', $values), $request->getHeaders());
        $answer = wp_remote_request((string) $request->getUri(), [
            'method' => $request->getMethod(),
            'headers' => $headers,
            'body' => (string) $request->getBody(),
            // The gateway answers within 30 seconds.
            'timeout' => 35,
            // A redirect would carry the API key to another place.
            'redirection' => 0,
        ]);
        if (is_wp_error($answer)) {
            throw new Unreachable('The gateway did not answer.');
        }
        $received = wp_remote_retrieve_headers($answer);
        return new Response(
            (int) wp_remote_retrieve_response_code($answer),
            \is_array($received) ? $received : $received->getAll(),
            wp_remote_retrieve_body($answer),
        );
    }
}
