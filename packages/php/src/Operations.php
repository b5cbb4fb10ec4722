<?php

declare(strict_types=1);

namespace Payframe;

use Payframe\Exception\PayframeException;

/** What is done with the money of a payment afterwards: capture, refund, void, cancel. */
final class Operations
{
    /** @internal */
    public function __construct(private readonly Transport $transport)
    {
    }

    /** One operation. @return array<string, mixed> */
    public function read(string $operationId): array
    {
        return $this->transport->call('GET', self::path($operationId));
    }

    /**
     * Operations, the newest first. For the next page repeat the call with `toTime` = `operationTime` of the last row.
     *
     * @param array<string, string|int|bool|null> $query of `GET /operations`
     * @return list<array<string, mixed>>
     */
    public function list(array $query = []): array
    {
        return $this->transport->call('GET', '/operations', query: $query, member: 'operations');
    }

    /** What may be done with an operation now. @return list<array<string, mixed>> */
    public function actions(string $operationId): array
    {
        return $this->transport->call('GET', self::path($operationId) . '/actions', member: 'actions');
    }

    /**
     * Captures money that an authorization holds, all of it or a part.
     *
     * @param array<string, mixed> $request a sum, such as `Money::of()` makes, and other members of the call
     * @param string|null $orderVersion `orderVersion` of the order that was read: if the order has changed since, nothing is done (`GW9012`)
     * @return array<string, mixed>
     */
    public function capture(string $operationId, array $request, ?string $idempotencyKey = null, ?string $orderVersion = null): array
    {
        $path = self::path($operationId) . '/captures';
        return $this->transport->call('POST', $path, $request, idempotencyKey: $idempotencyKey, orderVersion: $orderVersion);
    }

    /**
     * Gives captured money of an authorization or a capture back, all of it or a part.
     *
     * @param array<string, mixed> $request a sum, such as `Money::of()` makes, and other members of the call
     * @param string|null $orderVersion `orderVersion` of the order that was read: if the order has changed since, nothing is done (`GW9012`)
     * @return array<string, mixed>
     */
    public function refund(string $operationId, array $request, ?string $idempotencyKey = null, ?string $orderVersion = null): array
    {
        $path = self::path($operationId) . '/refunds';
        return $this->transport->call('POST', $path, $request, idempotencyKey: $idempotencyKey, orderVersion: $orderVersion);
    }

    /**
     * Releases what an authorization still holds. The gateway has no call of its own for this: it takes a refund of exactly the held amount
     * for a release, but for a refund if that much or more is captured. Such a void is refused here (`void_ambiguous`).
     *
     * To repeat a void whose outcome is not known, call this again: `nothing_to_void` says that nothing is held any more. Captures made at
     * the same time can change what the gateway takes the amount for. Make them one after the other, and read the operation that this
     * answers: its `operationType` is `VOID`.
     *
     * @return array<string, mixed>
     */
    public function void(string $operationId, ?string $description = null, ?string $idempotencyKey = null): array
    {
        $actions = array_column($this->actions($operationId), null, 'actionType');
        // What is held can be captured: then the gateway offers no release because it would refund captured money.
        if (!isset($actions['VOID']) && isset($actions['CAPTURE'])) {
            throw PayframeException::of(
                ErrorKind::Caller,
                'void_ambiguous',
                'The gateway would refund captured money, because no more is held than captured. The rest ends by itself.',
            );
        }
        if (!isset($actions['VOID'])) {
            throw PayframeException::of(ErrorKind::Caller, 'nothing_to_void', 'The operation holds nothing that can be released.');
        }
        $request = ['amount' => $actions['VOID']['maxAmount'], 'currency' => $actions['VOID']['currency']];
        return $this->refund($operationId, $request + self::described($description), $idempotencyKey);
    }

    /**
     * Cancels a capture on the day on which it was made.
     *
     * @param string|null $orderVersion `orderVersion` of the order that was read: if the order has changed since, nothing is done (`GW9012`)
     * @return array<string, mixed>
     */
    public function cancel(
        string $operationId,
        ?string $description = null,
        ?string $idempotencyKey = null,
        ?string $orderVersion = null,
    ): array {
        $request = self::described($description);
        $path = self::path($operationId) . '/cancels';
        return $this->transport->call('POST', $path, $request, idempotencyKey: $idempotencyKey, orderVersion: $orderVersion);
    }

    /** @return array{description?: string} */
    private static function described(?string $description): array
    {
        return $description === null ? [] : ['description' => $description];
    }

    private static function path(string $operationId): string
    {
        return '/operations/' . Path::segment($operationId, 'operationId');
    }
}
