<?php

declare(strict_types=1);

namespace Payframe\Exception;

/** The call or an argument is wrong; change the program. */
final class CallerException extends PayframeException
{
}
