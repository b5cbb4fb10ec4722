<?php

declare(strict_types=1);

namespace Payframe\Exception;

/** The buyer can do something about it, such as starting the payment again. */
final class BuyerException extends PayframeException
{
}
