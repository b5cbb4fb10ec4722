<?php

declare(strict_types=1);

namespace Payframe\WooCommerce\Http;

use Psr\Http\Client\ClientExceptionInterface;

/** No answer came. It says nothing more, because the words of a transport can hold headers. */
final class Unreachable extends \RuntimeException implements ClientExceptionInterface
{
}
