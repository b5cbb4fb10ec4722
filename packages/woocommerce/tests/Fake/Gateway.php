<?php

declare(strict_types=1);

namespace Payframe\WooCommerce\Tests\Fake;

/** A gateway in memory, as far as the plug-in uses it: sessions, orders, follow-ups, events. A test plays the buyer. */
final class Gateway
{
    /** @var array<string, array{currency: string, operations: list<array<string, string>>, told: list<string>, version: int}> */
    public array $orders = [];
    /** @var array<string, array<string, string>> */
    public array $sessions = [];
    /** @var list<array<string, mixed>> bodies of the build call */
    public array $requests = [];
    /** @var list<string> verb and path of each call */
    public array $calls = [];
    /** @var list<array<string, mixed>> */
    public array $events = [];
    /** @var list<string> beginnings of calls whose request is lost */
    public array $lost = [];
    /** @var list<string> beginnings of calls whose answer is lost */
    public array $unanswered = [];
    public bool $capturesAtOnce = false;
    /** @var array<string, array<string, mixed>> answers by their idempotency key */
    private array $answers = [];
    private int $number = 0;

    /** The buyer pays in the form of a session. @return array<string, string> the operation */
    public function pay(string $sessionId, string $result = 'AUTHORIZED', ?int $amount = null): array
    {
        $session = &$this->sessions[$sessionId];
        if ($session['state'] !== 'PAYMENT_METHOD_SELECTION') {
            throw new \RuntimeException('The form is closed');
        }
        $operation = $this->operate($session['orderId'], 'AUTHORIZATION', $result, $amount ?? (int) $session['amount']);
        if (\in_array($result, ['AUTHORIZED', 'PENDING'], true)) {
            $session['state'] = 'PAYMENT_COMPLETE';
        }
        if ($this->capturesAtOnce && $result === 'AUTHORIZED') {
            $this->operate($session['orderId'], 'CAPTURE', 'EXECUTED', $amount ?? (int) $session['amount']);
        }
        return $operation;
    }

    public function newestSession(): string
    {
        return (string) array_key_last($this->sessions);
    }

    /** @return array<string, string> */
    public function operate(string $orderId, string $type, string $result, int $amount): array
    {
        $order = &$this->orders[$orderId];
        $operation = [
            'operationId' => sprintf('%018d', ++$this->number),
            'operationType' => $type,
            'operationResult' => $result,
            'operationAmount' => (string) $amount,
            'orderId' => $orderId,
        ];
        $order['operations'][] = $operation;
        $order['version']++;
        $cursor = (string) (\count($this->events) + 1);
        $this->events[] = ['cursor' => $cursor, 'eventId' => "event-$cursor", 'notification' => ['eventId' => "event-$cursor", 'eventType' => 'OPERATION', 'operation' => $operation]];
        return $operation;
    }

    public function held(string $orderId): int
    {
        return isset($this->orders[$orderId]) ? $this->authorized($orderId) - $this->sum($orderId, 'REFUND') : 0;
    }

    public function authorized(string $orderId): int
    {
        return $this->sum($orderId, 'AUTHORIZATION') - $this->sum($orderId, 'VOID');
    }

    public function sum(string $orderId, string $type): int
    {
        $done = array_filter(
            $this->orders[$orderId]['operations'],
            static fn (array $one): bool => $one['operationType'] === $type && \in_array($one['operationResult'], ['AUTHORIZED', 'EXECUTED', 'VOIDED', 'REFUNDED'], true),
        );
        return array_sum(array_map(intval(...), array_column($done, 'operationAmount')));
    }

    /** @return list<string> */
    public function called(string $beginning): array
    {
        return array_values(array_filter($this->calls, static fn (string $call): bool => str_starts_with($call, $beginning)));
    }

    /**
     * `wp_remote_request`.
     *
     * @param array<string, mixed> $arguments
     * @return array<string, mixed>|\WP_Error
     */
    public function answer(string $url, array $arguments): array|\WP_Error
    {
        $path = substr((string) parse_url($url, PHP_URL_PATH), \strlen('/api'));
        parse_str((string) parse_url($url, PHP_URL_QUERY), $query);
        $call = "$arguments[method] $path";
        $this->calls[] = $call;
        $begins = static fn (string $one): bool => str_starts_with($call, $one);
        if (array_filter($this->lost, $begins) !== []) {
            return new \WP_Error('http_request_failed', 'timed out');
        }
        $headers = array_change_key_case($arguments['headers']);
        $key = $headers['idempotency-key'] ?? '';
        $answer = $this->answers[$key] ?? null;
        if ($key === '' || $answer === null) {
            $body = $arguments['body'] === '' ? [] : json_decode($arguments['body'], true, 512, JSON_THROW_ON_ERROR);
            $answer = $this->carryOut($arguments['method'], explode('/', trim($path, '/')), $query, $body, trim($headers['if-match'] ?? '', '"'));
            if ($key !== '' && $answer['response']['code'] < 400) {
                $this->answers[$key] = $answer;
            }
        }
        return array_filter($this->unanswered, $begins) === [] ? $answer : new \WP_Error('http_request_failed', 'timed out');
    }

    /** @return array<string, mixed> */
    private function carryOut(string $verb, array $path, array $query, array $body, string $version): array
    {
        [$first, $second, $third] = $path + ['', '', ''];
        return match (true) {
            "$verb $first/$second" === 'POST orders/build' => $this->build($body),
            "$verb $first/$second" === 'GET build/state' => $this->state($query['sessionId']),
            "$verb $first/$second" === 'POST build/cancel' => $this->close($body['sessionId']),
            "$verb $first/$third" === 'PUT orders/fulfilment' => $this->told($second, $body['state']),
            "$verb $first" === 'GET orders' => $this->order($second),
            "$verb $first/$third" === 'GET operations/actions' => self::json(['actions' => $this->actions($this->orderWith($second))]),
            "$verb $first" === 'GET operations' => self::json($this->operation($second)),
            "$verb $first" === 'POST operations' => $this->followUp($this->orderWith($second), $third, (int) $body['amount'], $version),
            "$verb $first" === 'GET events' => $this->feed((int) ($query['after'] ?? 0)),
        };
    }

    private function build(array $body): array
    {
        $this->requests[] = $body;
        $orderId = $body['order']['orderId'];
        $this->orders[$orderId] ??= ['currency' => $body['order']['currency'], 'operations' => [], 'told' => [], 'version' => 1];
        if ($this->held($orderId) > 0) {
            return self::refused('GW9006');
        }
        foreach ($this->sessions as $id => $session) {
            if ($session['orderId'] === $orderId) {
                $this->sessions[$id]['state'] = 'OVER';
            }
        }
        $id = 'session-' . (\count($this->sessions) + 1);
        $this->sessions[$id] = ['sessionId' => $id, 'orderId' => $orderId, 'amount' => $body['paymentSession']['amount'], 'state' => 'PAYMENT_METHOD_SELECTION'];
        return self::json($this->sessions[$id] + ['form' => ['html' => "<payment-form session=\"$id\"></payment-form>"]]);
    }

    private function state(string $id): array
    {
        return $this->sessions[$id]['state'] === 'OVER' ? self::refused('PS0061') : self::json($this->sessions[$id]);
    }

    private function close(string $id): array
    {
        if ($this->sessions[$id]['state'] === 'OVER') {
            return self::refused('PS0061');
        }
        $this->sessions[$id]['state'] = 'OVER';
        return self::json($this->sessions[$id]);
    }

    private function told(string $orderId, string $state): array
    {
        if (!isset($this->orders[$orderId])) {
            return self::json([], 404);
        }
        $this->orders[$orderId]['told'][] = $state;
        return self::json(['orderId' => $orderId, 'state' => $state]);
    }

    private function order(string $orderId): array
    {
        if (!isset($this->orders[$orderId])) {
            return self::json([], 404);
        }
        return self::json([
            'orderVersion' => (string) $this->orders[$orderId]['version'],
            'orderStatus' => [
                'order' => ['orderId' => $orderId, 'currency' => $this->orders[$orderId]['currency']],
                'authorizedAmount' => (string) $this->authorized($orderId),
                'capturedAmount' => (string) $this->sum($orderId, 'CAPTURE'),
                'refundedAmount' => (string) $this->sum($orderId, 'REFUND'),
            ],
            'operations' => array_reverse($this->orders[$orderId]['operations']),
        ]);
    }

    private function actions(string $orderId): array
    {
        $held = $this->authorized($orderId) - $this->sum($orderId, 'CAPTURE');
        return $held <= 0 ? [] : [['actionType' => 'CAPTURE', 'maxAmount' => (string) $held], ['actionType' => 'VOID', 'maxAmount' => (string) $held]];
    }

    private function followUp(string $orderId, string $kind, int $amount, string $version): array
    {
        if ($version !== '' && $version !== (string) $this->orders[$orderId]['version']) {
            return self::refused('GW9012', 412);
        }
        $captured = $this->sum($orderId, 'CAPTURE');
        $held = $this->authorized($orderId) - $captured;
        $isRelease = $kind === 'refunds' && $amount === $held && $held > $captured;
        $most = $kind === 'captures' ? $held : $captured - $this->sum($orderId, 'REFUND');
        if (!$isRelease && $amount > $most) {
            return self::refused('PS0026');
        }
        $type = $kind === 'captures' ? 'CAPTURE' : ($isRelease ? 'VOID' : 'REFUND');
        $made = $this->operate($orderId, $type, 'EXECUTED', $amount);
        if ($this->held($orderId) === 0) {
            foreach ($this->orders[$orderId]['operations'] as $at => $one) {
                if ($one['operationResult'] === 'AUTHORIZED') {
                    $this->orders[$orderId]['operations'][$at]['operationResult'] = $captured > 0 ? 'REFUNDED' : 'VOIDED';
                }
            }
        }
        return self::json(['operationId' => $made['operationId']]);
    }

    private function feed(int $after): array
    {
        $events = \array_slice($this->events, $after);
        return self::json(['events' => $events, 'nextCursor' => (string) ($after + \count($events)), 'hasMore' => false]);
    }

    private function operation(string $operationId): array
    {
        $all = array_merge(...array_column($this->orders, 'operations'));
        return array_column($all, null, 'operationId')[$operationId];
    }

    private function orderWith(string $operationId): string
    {
        return $this->operation($operationId)['orderId'];
    }

    private static function refused(string $code, int $status = 400): array
    {
        return self::json(['errors' => [['code' => $code, 'description' => 'It is refused.']]], $status);
    }

    private static function json(array $body, int $status = 200): array
    {
        $headers = ['cid' => '1e4a678b-29b8-4826-b73b-987218a3b7b0'];
        return ['headers' => $headers, 'response' => ['code' => $status], 'body' => json_encode($body ?: new \stdClass(), JSON_THROW_ON_ERROR)];
    }
}
