<?php

declare(strict_types=1);

namespace Psr\Http\Message;

/** PSR-17, for shops in which nothing else declares it. */
interface StreamFactoryInterface
{
    public function createStream(string $content = ''): StreamInterface;
    public function createStreamFromFile(string $filename, string $mode = 'r'): StreamInterface;
    public function createStreamFromResource($resource): StreamInterface;
}
