<?php

declare(strict_types=1);

namespace Payframe\Tests;

use GuzzleHttp\Psr7\HttpFactory;
use GuzzleHttp\Psr7\Response;
use Payframe\Exception\PayframeException;
use Payframe\Payframe;
use Payframe\Runtime;
use PHPUnit\Framework\Assert;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\ResponseInterface;
use Psr\Log\LoggerInterface;

/** A client whose gateway, time and randomness are the test's. Nothing here waits. */
final class Stage extends Runtime implements ClientInterface
{
    public const API_KEY = 'key-of-the-shop_1';
    public const GATEWAY = 'https://gateway.example';
    public const CID = '1e4a678b-29b8-4826-b73b-987218a3b7b0';
    /** 2030-01-31T10:00:00Z */
    public const NOW = 1896084000;

    public readonly Payframe $payframe;
    /** @var list<RequestInterface> */
    public array $sent = [];
    /** @var list<float> */
    public array $waits = [];
    private int $ids = 0;

    /** @param list<ResponseInterface|\Exception> $steps what comes of each attempt; the last one is repeated */
    public function __construct(
        private readonly array $steps,
        int $maxRetries = 2,
        private readonly float $random = 0.0,
        ?LoggerInterface $log = null,
    ) {
        $factory = new HttpFactory();
        $this->payframe = new Payframe(self::GATEWAY, self::API_KEY, $this, $factory, $factory, $log, $maxRetries, $this);
    }

    /** @param array<string, string> $headers */
    public static function answer(mixed $json = [], int $status = 200, array $headers = ['cid' => self::CID]): ResponseInterface
    {
        return self::text($json === [] ? '{}' : json_encode($json, JSON_THROW_ON_ERROR), $status, $headers);
    }

    /** @param array<string, string> $headers */
    public static function text(string $text, int $status = 200, array $headers = ['cid' => self::CID]): ResponseInterface
    {
        return new Response($status, $headers, $text);
    }

    /** @param array<string, string> $headers */
    public static function refusal(int $status, string $code, string $description, array $headers = []): ResponseInterface
    {
        return self::answer(['errors' => [['code' => $code, 'description' => $description]]], $status, ['cid' => self::CID] + $headers);
    }

    public static function lost(): \Exception
    {
        return new class (self::API_KEY . ' was sent to ' . self::GATEWAY) extends \RuntimeException implements \Psr\Http\Client\ClientExceptionInterface {
        };
    }

    /** The exception that a call ends with. @param callable(Payframe): mixed $call */
    public function exception(callable $call): PayframeException
    {
        try {
            $call($this->payframe);
        } catch (PayframeException $exception) {
            return $exception;
        }
        Assert::fail('The call succeeded');
    }

    /** @return list<RequestInterface> */
    public function writes(): array
    {
        return array_values(array_filter($this->sent, static fn (RequestInterface $request): bool => $request->getMethod() !== 'GET'));
    }

    public function sendRequest(RequestInterface $request): ResponseInterface
    {
        $this->sent[] = $request;
        $step = $this->steps[min(\count($this->sent), \count($this->steps)) - 1];
        if ($step instanceof \Exception) {
            throw $step;
        }
        $step->getBody()->rewind();
        return $step;
    }

    public function now(): float
    {
        return self::NOW;
    }

    public function sleep(float $seconds): void
    {
        $this->waits[] = $seconds;
    }

    public function random(): float
    {
        return $this->random;
    }

    public function uuid(): string
    {
        return 'id-' . ++$this->ids;
    }
}
