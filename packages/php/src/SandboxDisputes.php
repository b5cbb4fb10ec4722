<?php

declare(strict_types=1);

namespace Payframe;

/**
 * The buyer's bank of a sandbox, for tests: it disputes payments, and decides. A gateway in production has no such calls, so they are
 * `not_found` there.
 */
final class SandboxDisputes
{
    /** @internal */
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * Opens a dispute of a captured payment: a chargeback of all that can be disputed, unless the request says otherwise.
     *
     * @param array{operationId: string, kind?: string, category?: string, reasonCode?: string, amount?: string, secondsToRespond?: int} $request
     * @return array<string, mixed>
     */
    public function open(array $request, ?string $idempotencyKey = null): array
    {
        return $this->transport->call('POST', '/test/disputes', $request, idempotencyKey: $idempotencyKey);
    }

    /**
     * Decides for the merchant (`WON`) or for the buyer (`LOST`), or takes the dispute to a later stage.
     *
     * @param 'WON'|'LOST'|'CHARGEBACK'|'PRE_ARBITRATION'|'ARBITRATION' $result
     * @return array<string, mixed>
     */
    public function decide(string $disputeId, string $result, ?string $idempotencyKey = null): array
    {
        $path = '/test/disputes/' . Path::segment($disputeId, 'disputeId') . '/result';
        return $this->transport->call('POST', $path, ['result' => $result], idempotencyKey: $idempotencyKey);
    }
}
