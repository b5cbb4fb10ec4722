<?php

declare(strict_types=1);

namespace Payframe\Exception;

/** The gateway failed. */
final class GatewayException extends PayframeException
{
}
