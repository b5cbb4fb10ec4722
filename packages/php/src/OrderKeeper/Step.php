<?php

declare(strict_types=1);

namespace Payframe\OrderKeeper;

/** What a step came to. Store both parts in one transaction. */
final class Step
{
    /**
     * @param array<string, mixed> $order
     * @param list<array<string, mixed>> $outputs what to carry out, in this order
     */
    public function __construct(public readonly array $order, public readonly array $outputs)
    {
    }
}
