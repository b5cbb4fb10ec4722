<?php

declare(strict_types=1);

namespace Psr\Http\Client;

use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\ResponseInterface;

/** PSR-18, for shops in which nothing else declares it. */
interface ClientInterface
{
    public function sendRequest(RequestInterface $request): ResponseInterface;
}
