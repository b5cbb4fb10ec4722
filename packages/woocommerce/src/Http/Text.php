<?php

declare(strict_types=1);

namespace Payframe\WooCommerce\Http;

use Psr\Http\Message\StreamInterface;

/** A body: a text in memory, to be read from its beginning. It is not written to. */
final class Text implements StreamInterface
{
    private int $at = 0;

    public function __construct(private string $text)
    {
    }

    public function __toString(): string
    {
        return $this->text;
    }

    public function close(): void
    {
        $this->text = '';
        $this->at = 0;
    }

    /** There is no resource below it. */
    public function detach()
    {
        $this->close();
        return null;
    }

    public function getSize(): int
    {
        return \strlen($this->text);
    }

    public function tell(): int
    {
        return $this->at;
    }

    public function eof(): bool
    {
        return $this->at >= \strlen($this->text);
    }

    public function isSeekable(): bool
    {
        return true;
    }

    public function seek($offset, $whence = SEEK_SET): void
    {
        $from = [SEEK_SET => 0, SEEK_CUR => $this->at, SEEK_END => \strlen($this->text)][$whence] ?? 0;
        $this->at = min(max(0, $from + $offset), \strlen($this->text));
    }

    public function rewind(): void
    {
        $this->at = 0;
    }

    public function isWritable(): bool
    {
        return false;
    }

    public function write($string): int
    {
        throw new \RuntimeException('This body is not written to.');
    }

    public function isReadable(): bool
    {
        return true;
    }

    public function read($length): string
    {
        $part = substr($this->text, $this->at, $length);
        $this->at += \strlen($part);
        return $part;
    }

    public function getContents(): string
    {
        return $this->read(\strlen($this->text));
    }

    public function getMetadata($key = null): ?array
    {
        return $key === null ? [] : null;
    }
}
