<?php

declare(strict_types=1);

namespace Psr\Log;

/** PSR-3, for shops in which nothing else declares it. */
interface LoggerInterface
{
    public function emergency(string|\Stringable $message, array $context = []);
    public function alert(string|\Stringable $message, array $context = []);
    public function critical(string|\Stringable $message, array $context = []);
    public function error(string|\Stringable $message, array $context = []);
    public function warning(string|\Stringable $message, array $context = []);
    public function notice(string|\Stringable $message, array $context = []);
    public function info(string|\Stringable $message, array $context = []);
    public function debug(string|\Stringable $message, array $context = []);
    public function log($level, string|\Stringable $message, array $context = []);
}
