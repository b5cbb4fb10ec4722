<?php

declare(strict_types=1);

namespace Payframe\WooCommerce\Http;

use Psr\Http\Message\ResponseInterface;

/** An answer of the gateway. */
final class Response extends Message implements ResponseInterface
{
    private string $reason = '';

    /** @param array<string, string|list<string>> $headers */
    public function __construct(private int $status, array $headers, string $body)
    {
        parent::__construct($headers, $body);
    }

    public function getStatusCode(): int
    {
        return $this->status;
    }

    public function withStatus($code, $reasonPhrase = ''): static
    {
        $copy = clone $this;
        $copy->status = (int) $code;
        $copy->reason = (string) $reasonPhrase;
        return $copy;
    }

    public function getReasonPhrase(): string
    {
        return $this->reason;
    }
}
