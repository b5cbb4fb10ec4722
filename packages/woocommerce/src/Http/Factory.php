<?php

declare(strict_types=1);

namespace Payframe\WooCommerce\Http;

use Psr\Http\Message\RequestFactoryInterface;
use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\StreamFactoryInterface;
use Psr\Http\Message\StreamInterface;
use Psr\Http\Message\UriInterface;

/** Makes requests and bodies for the PHP package. */
final class Factory implements RequestFactoryInterface, StreamFactoryInterface
{
    public function createRequest(string $method, $uri): RequestInterface
    {
        return new Request($method, $uri instanceof UriInterface ? $uri : new Address((string) $uri));
    }

    public function createStream(string $content = ''): StreamInterface
    {
        return new Text($content);
    }

    public function createStreamFromFile(string $filename, string $mode = 'r'): StreamInterface
    {
        $text = @file_get_contents($filename);
        return new Text($text === false ? throw new \RuntimeException('The file can not be read.') : $text);
    }

    public function createStreamFromResource($resource): StreamInterface
    {
        return new Text((string) stream_get_contents($resource));
    }
}
