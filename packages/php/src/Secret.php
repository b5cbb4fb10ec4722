<?php

declare(strict_types=1);

namespace Payframe;

/**
 * A text that is not shown: not by var_dump, not in an exception, and not serialized.
 *
 * @internal
 */
final class Secret
{
    /** A closure shows no text, whatever prints the object. */
    private readonly \Closure $text;

    public function __construct(#[\SensitiveParameter] string $text)
    {
        $this->text = static fn (): string => $text;
    }

    /** The text. Each use says why. */
    public function expose(): string
    {
        return ($this->text)();
    }

    /** @return array<string, string> */
    public function __debugInfo(): array
    {
        return ['text' => '…'];
    }

    /** @return never */
    public function __serialize(): array
    {
        throw new \LogicException('A secret is not serialized');
    }
}
