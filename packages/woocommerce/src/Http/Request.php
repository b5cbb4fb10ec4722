<?php

declare(strict_types=1);

namespace Payframe\WooCommerce\Http;

use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\UriInterface;

/** A request to the gateway. */
final class Request extends Message implements RequestInterface
{
    private ?string $target = null;

    public function __construct(private string $method, private UriInterface $uri)
    {
        parent::__construct([], '');
    }

    public function getRequestTarget(): string
    {
        $query = $this->uri->getQuery();
        return $this->target ?? ($this->uri->getPath() ?: '/') . ($query === '' ? '' : "?$query");
    }

    public function withRequestTarget($requestTarget): static
    {
        $copy = clone $this;
        $copy->target = (string) $requestTarget;
        return $copy;
    }

    public function getMethod(): string
    {
        return $this->method;
    }

    public function withMethod($method): static
    {
        $copy = clone $this;
        $copy->method = (string) $method;
        return $copy;
    }

    public function getUri(): UriInterface
    {
        return $this->uri;
    }

    /** WordPress makes the header `Host` of the address, so that there is none to preserve. */
    public function withUri(UriInterface $uri, $preserveHost = false): static
    {
        $copy = clone $this;
        $copy->uri = $uri;
        return $copy;
    }
}
