<?php

declare(strict_types=1);

namespace Payframe;

use Payframe\Exception\PayframeException;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestFactoryInterface;
use Psr\Http\Message\StreamFactoryInterface;
use Psr\Log\LoggerInterface;
use Psr\Log\NullLogger;

/**
 * The client: one merchant's key at one gateway. Not for programs in buyers' hands: the API key never leaves the server.
 *
 * Requests and answers are arrays with members named as on the wire; `docs/api.md` of the project has them. Every write carries an
 * idempotency key, a random one for each call or the given one, and is repeated with it where that is safe.
 */
final class Payframe
{
    public readonly Sessions $sessions;
    public readonly Orders $orders;
    public readonly Operations $operations;
    public readonly PaymentLinks $links;
    public readonly HostedPages $hostedPages;
    public readonly Events $events;
    public readonly Disputes $disputes;
    public readonly Settlements $settlements;
    public readonly SandboxClock $testClock;
    public readonly SandboxDisputes $testDisputes;
    private readonly Transport $transport;

    /**
     * @param string $gateway origin of the gateway, such as `https://gateway.example`
     * @param string $apiKey of the merchant, as the gateway printed it
     * @param ClientInterface $http sends the requests. It must not follow redirects, and should wait 35 seconds for an answer
     * @param LoggerInterface|null $log hears of repeated calls; nothing secret is logged
     * @param int $maxRetries how often a call is repeated: 0 to 10
     * @param Runtime|null $runtime time and randomness, for tests
     */
    public function __construct(
        string $gateway,
        #[\SensitiveParameter] string $apiKey,
        ClientInterface $http,
        RequestFactoryInterface $requests,
        StreamFactoryInterface $streams,
        ?LoggerInterface $log = null,
        int $maxRetries = 2,
        ?Runtime $runtime = null,
    ) {
        $settings = new Settings($gateway, $apiKey, $maxRetries);
        $this->transport = new Transport($settings, $http, $requests, $streams, $log ?? new NullLogger(), $runtime ?? new Runtime());
        $this->sessions = new Sessions($this->transport);
        $this->orders = new Orders($this->transport);
        $this->operations = new Operations($this->transport);
        $this->links = new PaymentLinks($this->transport);
        $this->hostedPages = new HostedPages($this->transport);
        $this->events = new Events($this->transport);
        $this->disputes = new Disputes($this->transport);
        $this->settlements = new Settlements($this->transport);
        $this->testClock = new SandboxClock($this->transport);
        $this->testDisputes = new SandboxDisputes($this->transport);
    }

    /**
     * Any other call of the API, with the same key, retries and exceptions.
     *
     * @param string $verb GET, POST, PUT, PATCH or DELETE
     * @param string $path below `/api`, such as `/orders/mit`, with its ids percent-encoded
     * @param array<string, mixed>|null $body
     * @param array<string, string|int|bool|null> $query
     * @return array<array-key, mixed> the answer
     */
    public function call(string $verb, string $path, ?array $body = null, array $query = [], ?string $idempotencyKey = null): array
    {
        if (!\in_array($verb, ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], true)) {
            throw PayframeException::refusedValue('verb', 'must be GET, POST, PUT, PATCH or DELETE');
        }
        return $this->transport->call($verb, Path::checked($path), $body, $query, $idempotencyKey);
    }
}
