<?php

declare(strict_types=1);

namespace Payframe\Tests\Live;

use GuzzleHttp\Client;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\ResponseInterface;

/** A client whose first attempt of each write has a fault of the sandbox. */
final class FaultyClient implements ClientInterface
{
    /** @var list<string> of each answer, whether it was given again */
    public array $replayed = [];
    /** @var array<string, true> */
    private array $keys = [];

    public function __construct(private readonly string $fault, private readonly int $timeout)
    {
    }

    public function sendRequest(RequestInterface $request): ResponseInterface
    {
        $key = $request->getHeaderLine('idempotency-key');
        if ($key !== '' && !isset($this->keys[$key])) {
            $this->keys[$key] = true;
            $request = $request->withHeader('x-sandbox-fault', $this->fault);
        }
        $response = (new Client(['timeout' => $this->timeout]))->sendRequest($request);
        $this->replayed[] = $response->getHeaderLine('idempotency-replayed');
        return $response;
    }
}
