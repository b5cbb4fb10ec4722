<?php

declare(strict_types=1);

namespace Payframe\Tests\Live;

/** The form was refused. The message has the answer. */
final class RefusedByGateway extends \RuntimeException
{
}
