<?php

declare(strict_types=1);

namespace Payframe\Tests\Live;

use PHPUnit\Framework\Assert;

/** A server that takes one request at a time, when it is told to. */
final class Receiver
{
    public readonly string $address;
    /** @var resource */
    private $socket;

    public function __construct()
    {
        $this->socket = stream_socket_server('tcp://127.0.0.1:0') ?: Assert::fail('There is no port');
        $name = (string) stream_socket_get_name($this->socket, false);
        $this->address = 'http://localhost:' . substr($name, (int) strrpos($name, ':') + 1);
    }

    /**
     * Waits for a request.
     *
     * @param callable(array<string, string>, string): int $answer the status
     * @return array{array<string, string>, string} headers and body
     */
    public function next(callable $answer): array
    {
        $connection = stream_socket_accept($this->socket, 60) ?: Assert::fail('No request came');
        stream_set_timeout($connection, 60);
        $headers = [];
        fgets($connection);
        while (($line = rtrim((string) fgets($connection))) !== '') {
            [$name, $value] = explode(':', $line, 2);
            $headers[$name] = trim($value);
        }
        $length = (int) (array_change_key_case($headers)['content-length'] ?? 0);
        $body = (string) stream_get_contents($connection, $length);
        fwrite($connection, 'HTTP/1.1 ' . $answer($headers, $body) . " x\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
        fclose($connection);
        return [$headers, $body];
    }
}
