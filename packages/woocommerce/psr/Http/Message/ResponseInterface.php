<?php

declare(strict_types=1);

namespace Psr\Http\Message;

/** PSR-7, for shops in which nothing else declares it. */
interface ResponseInterface extends MessageInterface
{
    public function getStatusCode();
    public function withStatus(int $code, string $reasonPhrase = '');
    public function getReasonPhrase();
}
