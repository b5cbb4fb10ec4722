<?php

declare(strict_types=1);

namespace Psr\Http\Client;

/** PSR-18, for shops in which nothing else declares it. */
interface ClientExceptionInterface extends \Throwable
{
}
