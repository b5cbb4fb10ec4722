<?php

declare(strict_types=1);

namespace Payframe\Exception;

/** The gateway is not set up for this call; tell its operator. */
final class OperatorException extends PayframeException
{
}
