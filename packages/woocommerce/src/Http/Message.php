<?php

declare(strict_types=1);

namespace Payframe\WooCommerce\Http;

use Psr\Http\Message\MessageInterface;
use Psr\Http\Message\StreamInterface;

/** What requests and answers share: headers and a body. Parameters have no types, so that it fits every version of PSR-7. */
abstract class Message implements MessageInterface
{
    /** @var array<string, array{string, list<string>}> name as given and values, by the name in small letters */
    private array $headers = [];
    private StreamInterface $body;
    private string $version = '1.1';

    /** @param array<string, string|list<string>> $headers */
    public function __construct(array $headers, string $body)
    {
        foreach ($headers as $name => $value) {
            $this->headers[strtolower((string) $name)] = [(string) $name, array_values((array) $value)];
        }
        $this->body = new Text($body);
    }

    public function getProtocolVersion(): string
    {
        return $this->version;
    }

    public function withProtocolVersion($version): static
    {
        $copy = clone $this;
        $copy->version = (string) $version;
        return $copy;
    }

    /** @return array<string, list<string>> */
    public function getHeaders(): array
    {
        return array_column($this->headers, 1, 0);
    }

    public function hasHeader($name): bool
    {
        return isset($this->headers[strtolower((string) $name)]);
    }

    /** @return list<string> */
    public function getHeader($name): array
    {
        return $this->headers[strtolower((string) $name)][1] ?? [];
    }

    public function getHeaderLine($name): string
    {
        return implode(', ', $this->getHeader($name));
    }

    public function withHeader($name, $value): static
    {
        $copy = clone $this;
        $copy->headers[strtolower((string) $name)] = [(string) $name, array_map(strval(...), array_values((array) $value))];
        return $copy;
    }

    public function withAddedHeader($name, $value): static
    {
        return $this->withHeader($name, [...$this->getHeader($name), ...array_values((array) $value)]);
    }

    public function withoutHeader($name): static
    {
        $copy = clone $this;
        unset($copy->headers[strtolower((string) $name)]);
        return $copy;
    }

    public function getBody(): StreamInterface
    {
        return $this->body;
    }

    public function withBody(StreamInterface $body): static
    {
        $copy = clone $this;
        $copy->body = $body;
        return $copy;
    }
}
