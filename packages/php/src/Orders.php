<?php

declare(strict_types=1);

namespace Payframe;

/** Orders: what is paid. */
final class Orders
{
    /** @internal */
    public function __construct(private readonly Transport $transport)
    {
    }

    /** The order with its sums and operations: the truth about a payment. @return array<string, mixed> */
    public function read(string $orderId): array
    {
        return $this->transport->call('GET', '/orders/' . Path::segment($orderId, 'orderId'));
    }

    /**
     * Tells the gateway the state of an order's goods, so that its books can be compared with the shop's. It moves no money. The same state
     * with the same note again changes nothing.
     *
     * @param array{state: 'NONE'|'PARTIAL'|'FULFILLED'|'CANCELED'|'RETURNED', note?: string} $request
     * @return array<string, mixed>
     */
    public function tellFulfilment(string $orderId, array $request, ?string $idempotencyKey = null): array
    {
        $path = '/orders/' . Path::segment($orderId, 'orderId') . '/fulfilment';
        return $this->transport->call('PUT', $path, $request, idempotencyKey: $idempotencyKey);
    }

    /**
     * Orders, the newest first. For the next page repeat the call with `toTime` = the `lastOperationTime` of the last row.
     *
     * @param array<string, string|int|bool|null> $query of `GET /orders`
     * @return list<array<string, mixed>>
     */
    public function list(array $query = []): array
    {
        return $this->transport->call('GET', '/orders', query: $query, member: 'orders');
    }
}
