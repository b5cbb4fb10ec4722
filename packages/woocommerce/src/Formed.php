<?php

declare(strict_types=1);

namespace Payframe\WooCommerce;

/** A form to be shown, or why there is none. */
final class Formed
{
    /**
     * @param string $html the printed form; empty if the form was opened before
     * @param string $refused `ALREADY_PAID`, `NOT_FOR_SALE`, `UNDECIDED`, `NEEDS_PERSON`, `TOO_MANY_ATTEMPTS`, or empty
     */
    public function __construct(public readonly string $sessionId, public readonly string $html = '', public readonly string $refused = '')
    {
    }

    public static function refused(string $why): self
    {
        return new self('', '', $why);
    }
}
