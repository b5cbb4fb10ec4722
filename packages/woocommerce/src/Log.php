<?php

declare(strict_types=1);

namespace Payframe\WooCommerce;

use Payframe\Exception\PayframeException;
use Psr\Log\LoggerInterface;

/** The log of WooCommerce (WooCommerce → Status → Logs, source `payframe`). Nothing secret comes here. */
final class Log implements LoggerInterface
{
    public function emergency($message, array $context = []): void
    {
        $this->log('emergency', $message, $context);
    }

    public function alert($message, array $context = []): void
    {
        $this->log('alert', $message, $context);
    }

    public function critical($message, array $context = []): void
    {
        $this->log('critical', $message, $context);
    }

    public function error($message, array $context = []): void
    {
        $this->log('error', $message, $context);
    }

    public function warning($message, array $context = []): void
    {
        $this->log('warning', $message, $context);
    }

    public function notice($message, array $context = []): void
    {
        $this->log('notice', $message, $context);
    }

    public function info($message, array $context = []): void
    {
        $this->log('info', $message, $context);
    }

    public function debug($message, array $context = []): void
    {
        $this->log('debug', $message, $context);
    }

    public function log($level, $message, array $context = []): void
    {
        wc_get_logger()->log((string) $level, (string) $message, ['source' => 'payframe'] + $context);
    }

    /** Something failed, and is tried again. */
    public function failure(\Throwable $problem): void
    {
        $this->error($problem->getMessage(), $problem instanceof PayframeException ? $problem->jsonSerialize() : ['at' => $problem->getFile() . ':' . $problem->getLine()]);
    }
}
