<?php

declare(strict_types=1);

namespace Payframe;

use Payframe\Exception\PayframeException;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestFactoryInterface;
use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\StreamFactoryInterface;
use Psr\Log\LoggerInterface;

/**
 * One call to the gateway: headers, attempts, retries, and the exception that it ends with.
 *
 * @internal
 */
final class Transport
{
    /** The version of the API that this package is written for. */
    private const API_VERSION = '2026-11-27';

    public function __construct(
        private readonly Settings $settings,
        private readonly ClientInterface $http,
        private readonly RequestFactoryInterface $requests,
        private readonly StreamFactoryInterface $streams,
        private readonly LoggerInterface $log,
        private readonly Runtime $runtime,
    ) {
    }

    /**
     * @param string $path below `/api`, with its ids encoded
     * @param array<string, mixed>|null $body
     * @param array<string, string|int|bool|null> $query
     * @param string|null $member the member of the answer that is wanted; null for the whole answer
     * @param string|null $orderVersion the version of the order that the caller saw
     * @return array<array-key, mixed>
     */
    public function call(
        string $verb,
        string $path,
        ?array $body = null,
        array $query = [],
        ?string $idempotencyKey = null,
        ?string $member = null,
        ?string $orderVersion = null,
    ): array {
        $request = $this->request($verb, $path, $body, $query, $idempotencyKey);
        if ($orderVersion !== null) {
            $request = $request->withHeader('if-match', '"' . self::checkedVersion($orderVersion) . '"');
        }
        $isUnknown = false;
        for ($retries = 0; ; $retries++) {
            $attempt = $this->attempt($request, $member);
            if ($attempt->answer !== null) {
                return $attempt->answer;
            }
            $isUnknown = $verb !== 'GET' && $attempt->isOutcomeUnknown($isUnknown);
            $isRepeated = $attempt->canBeRepeated() && $retries < $this->settings->maxRetries;
            $seconds = $isRepeated ? $attempt->delay($retries, $this->runtime) : null;
            if ($seconds === null) {
                throw $this->failure($request, $attempt, $isUnknown);
            }
            $this->log->notice('A call to the gateway is repeated.', [
                'verb' => $verb,
                'status' => $attempt->status,
                'code' => $attempt->code,
                'correlationId' => $request->getHeaderLine('correlation-id'),
                'seconds' => round($seconds, 3),
            ]);
            $this->runtime->sleep($seconds);
        }
    }

    /**
     * @param array<string, mixed>|null $body
     * @param array<string, string|int|bool|null> $query
     */
    private function request(string $verb, string $path, ?array $body, array $query, ?string $idempotencyKey): RequestInterface
    {
        $given = array_map(
            static fn (string|int|bool $value): string => \is_bool($value) ? ($value ? 'true' : 'false') : (string) $value,
            array_filter($query, static fn (mixed $value): bool => $value !== null),
        );
        $search = http_build_query($given, '', '&', PHP_QUERY_RFC3986);
        $request = $this->requests
            ->createRequest($verb, $this->settings->base . $path . ($search === '' ? '' : "?$search"))
            ->withHeader('accept', 'application/json')
            ->withHeader('correlation-id', $this->runtime->uuid())
            ->withHeader('payframe-version', self::API_VERSION);
        if ($verb !== 'GET') {
            $request = $request->withHeader('idempotency-key', self::checkedKey($idempotencyKey ?? $this->runtime->uuid()));
        }
        if ($body !== null) {
            $request = $request
                ->withHeader('content-type', 'application/json')
                ->withBody($this->streams->createStream(Json::of($body)));
        }
        return $request;
    }

    private function attempt(RequestInterface $request, ?string $member): Attempt
    {
        try {
            if ($request->getBody()->isSeekable()) {
                // The attempt before has read it to its end.
                $request->getBody()->rewind();
            }
            // The only place where the key is used, as a credential.
            $response = $this->http->sendRequest($request->withHeader('x-api-key', $this->settings->apiKey->expose()));
            return $this->read($response, (string) $response->getBody(), $member);
        } catch (\Exception) {
            // The cause is not kept: a client may put headers or addresses into it.
            return new Attempt();
        }
    }

    private function read(ResponseInterface $response, string $text, ?string $member): Attempt
    {
        $status = $response->getStatusCode();
        $requestId = $response->hasHeader('cid') ? $response->getHeaderLine('cid') : null;
        $answer = Json::parsed($text);
        if ($status === 200) {
            $wanted = $member === null || !\is_array($answer) ? $answer : ($answer[$member] ?? null);
            $isObject = str_starts_with(ltrim($text), '{');
            return new Attempt($status, requestId: $requestId, answer: $isObject && \is_array($wanted) ? $wanted : null);
        }
        $problem = Json::members(Json::members(Json::members($answer)['errors'] ?? null)[0] ?? null);
        [$code, $description] = [$problem['code'] ?? null, $problem['description'] ?? null];
        if (!\is_string($code) || !\is_string($description) || !preg_match('/^[A-Z]{2,3}[0-9]{3,4}$/D', $code)) {
            [$code, $description] = $requestId !== null && $status === 404
                ? ['not_found', 'The gateway has no such object of this merchant, or no such call.']
                : [null, "The gateway answered $status."];
        }
        preg_match('/^.{0,500}/us', $description, $cut);
        // To look for the key is no way out for it.
        $description = str_replace($this->settings->apiKey->expose(), '…', $cut[0] ?? '');
        $retryAfter = $response->hasHeader('retry-after') ? $response->getHeaderLine('retry-after') : null;
        return new Attempt($status, $code, $description, $requestId, $retryAfter);
    }

    private function failure(RequestInterface $request, Attempt $attempt, bool $outcomeUnknown): PayframeException
    {
        $status = $attempt->status;
        [$kind, $code, $message] = match (true) {
            $status === null => [ErrorKind::Network, 'unreachable', 'The gateway did not answer, or can not be reached.'],
            $status < 400 => [
                ErrorKind::Gateway,
                'unreadable_answer',
                "The answer, with status $status, is not the gateway's. Check the option gateway.",
            ],
            default => self::refusal($status, $attempt),
        };
        if ($outcomeUnknown) {
            $message .= " Whether the {$request->getMethod()} was carried out is not known: repeat it with the same"
                . ' idempotency key, or read the order.';
        }
        return PayframeException::of(
            $kind,
            $code,
            $message,
            $status,
            self::memberIn($attempt),
            $attempt->requestId,
            $request->getHeaderLine('correlation-id'),
            $request->hasHeader('idempotency-key') ? $request->getHeaderLine('idempotency-key') : null,
            $attempt->canBeRepeated(),
            $outcomeUnknown,
        );
    }

    /** @return array{ErrorKind, string, string} */
    private static function refusal(int $status, Attempt $attempt): array
    {
        $code = $attempt->code ?? "http_$status";
        return [ErrorKind::ofCode($code, $status), $code, "$code: $attempt->description"];
    }

    /** The member that a refusal names. The gateway puts it into its sentence: in front, or behind "script in". */
    private static function memberIn(Attempt $attempt): ?string
    {
        if (!preg_match(self::MEMBER_CODES, $attempt->code ?? '')) {
            return null;
        }
        return preg_match(self::NAMED, $attempt->description ?? '', $found) ? (string) end($found) : null;
    }

    private static function checkedKey(string $key): string
    {
        if (!preg_match('/^[ -~]{1,63}$/D', $key)) {
            throw PayframeException::refusedValue('idempotencyKey', 'must be 1 to 63 printable ASCII characters');
        }
        return $key;
    }

    private static function checkedVersion(string $version): string
    {
        if (!preg_match('/^[!#-~]{1,63}$/D', $version)) {
            throw PayframeException::refusedValue('orderVersion', 'must be the orderVersion of an order that was read');
        }
        return $version;
    }

    private const NAMED = '/^(?:script in ([A-Za-z0-9_.\[\]]+)$|header ([A-Za-z0-9_-]+)'
        . '|([a-z][a-zA-Z]*(?:\.[A-Za-z0-9_]+|\[[0-9]*\])*) (?:is|must|exceed|holds)\b)/D';
    /** Refusals that are about a member. */
    private const MEMBER_CODES = '/^(PS00(0[5-9]|1[0-37]|25|26|29|36|41|42)|GW(0001|9020|9106|9107))$/D';
}
