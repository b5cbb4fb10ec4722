<?php

declare(strict_types=1);

namespace Payframe\WooCommerce\Tests\Fake;

use Payframe\Runtime;

/** A time that the test moves. Nothing here waits. */
final class Clock extends Runtime
{
    public float $time = 1_896_084_000;

    public function now(): float
    {
        return $this->time;
    }

    public function sleep(float $seconds): void
    {
    }
}
