<?php

declare(strict_types=1);

namespace Payframe\WooCommerce\Tests\Fake;

/** The program ends here. It is no `Exception`, so that nothing catches it. */
final class Killed extends \Error
{
}
