<?php

declare(strict_types=1);

namespace Payframe;

/** Time and randomness, so that tests can have their own. */
class Runtime
{
    /** Seconds since 1970. */
    public function now(): float
    {
        return microtime(true);
    }

    public function sleep(float $seconds): void
    {
        usleep((int) round($seconds * 1_000_000));
    }

    /** From 0 to 1. */
    public function random(): float
    {
        return random_int(0, 1_000_000) / 1_000_000;
    }

    /** A random UUID (version 4). */
    public function uuid(): string
    {
        $bytes = random_bytes(16);
        $bytes[6] = \chr(\ord($bytes[6]) & 0x0f | 0x40);
        $bytes[8] = \chr(\ord($bytes[8]) & 0x3f | 0x80);
        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
    }
}
