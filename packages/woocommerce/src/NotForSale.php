<?php

declare(strict_types=1);

namespace Payframe\WooCommerce;

/** The shop can not take money that is held for an order: it goes back. */
final class NotForSale extends \RuntimeException
{
}
