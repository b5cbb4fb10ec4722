<?php

declare(strict_types=1);

namespace Payframe\WooCommerce\Http;

use Psr\Http\Message\UriInterface;

/** An address, in the parts that `parse_url` knows. */
final class Address implements UriInterface
{
    /** @var array<string, string|int> */
    private array $parts;

    public function __construct(string $address)
    {
        $this->parts = parse_url($address) ?: throw new \InvalidArgumentException('It is no address.');
    }

    public function getScheme(): string
    {
        return strtolower($this->part('scheme'));
    }

    public function getAuthority(): string
    {
        $user = $this->getUserInfo();
        $port = $this->getPort();
        return ($user === '' ? '' : "$user@") . $this->getHost() . ($port === null ? '' : ":$port");
    }

    public function getUserInfo(): string
    {
        $password = $this->part('pass');
        return $this->part('user') . ($password === '' ? '' : ":$password");
    }

    public function getHost(): string
    {
        return strtolower($this->part('host'));
    }

    public function getPort(): ?int
    {
        $port = $this->parts['port'] ?? null;
        $usual = ['http' => 80, 'https' => 443][$this->getScheme()] ?? null;
        return $port === null || $port === $usual ? null : (int) $port;
    }

    public function getPath(): string
    {
        return $this->part('path');
    }

    public function getQuery(): string
    {
        return $this->part('query');
    }

    public function getFragment(): string
    {
        return $this->part('fragment');
    }

    public function withScheme($scheme): static
    {
        return $this->with(['scheme' => $scheme]);
    }

    public function withUserInfo($user, $password = null): static
    {
        return $this->with(['user' => $user, 'pass' => $password]);
    }

    public function withHost($host): static
    {
        return $this->with(['host' => $host]);
    }

    public function withPort($port): static
    {
        return $this->with(['port' => $port]);
    }

    public function withPath($path): static
    {
        return $this->with(['path' => $path]);
    }

    public function withQuery($query): static
    {
        return $this->with(['query' => $query]);
    }

    public function withFragment($fragment): static
    {
        return $this->with(['fragment' => $fragment]);
    }

    public function __toString(): string
    {
        [$scheme, $query, $fragment] = [$this->getScheme(), $this->getQuery(), $this->getFragment()];
        return ($scheme === '' ? '' : "$scheme:") . '//' . $this->getAuthority() . $this->getPath()
            . ($query === '' ? '' : "?$query") . ($fragment === '' ? '' : "#$fragment");
    }

    private function part(string $name): string
    {
        return (string) ($this->parts[$name] ?? '');
    }

    /** @param array<string, mixed> $parts */
    private function with(array $parts): static
    {
        $copy = clone $this;
        $copy->parts = array_filter($parts + $this->parts, static fn (mixed $part): bool => $part !== null && $part !== '');
        return $copy;
    }
}
