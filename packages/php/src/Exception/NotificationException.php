<?php

declare(strict_types=1);

namespace Payframe\Exception;

/** A notification could not be verified: answer 400. */
final class NotificationException extends PayframeException
{
}
