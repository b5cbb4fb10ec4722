<?php

declare(strict_types=1);

namespace Payframe\Exception;

/** No answer of the gateway arrived. */
final class NetworkException extends PayframeException
{
}
