<?php

declare(strict_types=1);

namespace Psr\Http\Message;

/** PSR-17, for shops in which nothing else declares it. */
interface RequestFactoryInterface
{
    public function createRequest(string $method, $uri): RequestInterface;
}
