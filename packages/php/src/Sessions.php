<?php

declare(strict_types=1);

namespace Payframe;

/** Sessions of the embedded form: from the first call of a payment to the one that closes it. The card is not here. */
final class Sessions
{
    /** @internal */
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * Opens a payment: the first call. Keep `securityToken` with the order; give `sessionId` or `form.html` to the page.
     *
     * @param array<string, mixed> $request body of `POST /orders/build`
     * @return array<string, mixed>
     */
    public function create(array $request, ?string $idempotencyKey = null): array
    {
        return $this->transport->call('POST', '/orders/build', $request, idempotencyKey: $idempotencyKey);
    }

    /**
     * Changes what an open session charges. Members that are left out stay as they are.
     *
     * @param array<string, mixed> $change body of `PATCH /build/session`
     * @return array<string, mixed>
     */
    public function change(array $change, ?string $idempotencyKey = null): array
    {
        return $this->transport->call('PATCH', '/build/session', $change, idempotencyKey: $idempotencyKey);
    }

    /** Where the session stands. @return array<string, mixed> */
    public function read(#[\SensitiveParameter] string $sessionId): array
    {
        return $this->transport->call('GET', '/build/state', query: self::named($sessionId));
    }

    /** What a shop may know about the card that was entered. @return array<string, mixed> */
    public function readCard(#[\SensitiveParameter] string $sessionId): array
    {
        return $this->transport->call('GET', '/build/cardData', query: self::named($sessionId));
    }

    /**
     * Charges the card of a session of version 3 whose `form.closing` is `SERVER`. A declined payment is an answer, not an exception: see
     * `operation.operationResult`.
     *
     * @return array<string, mixed>
     */
    public function finalize(#[\SensitiveParameter] string $sessionId, ?string $idempotencyKey = null): array
    {
        return $this->transport->call('POST', '/build/finalize_payment', self::named($sessionId), idempotencyKey: $idempotencyKey);
    }

    /**
     * Fixes the amount of a session of version 2, and charges the card unless `confirm` is false.
     *
     * @param array<string, mixed> $confirmation body of `POST /build/confirm_payment`
     * @return array<string, mixed>
     */
    public function confirm(array $confirmation, ?string $idempotencyKey = null): array
    {
        return $this->transport->call('POST', '/build/confirm_payment', $confirmation, idempotencyKey: $idempotencyKey);
    }

    /** Ends a session, unless it has an outcome. Money that was approved goes back. @return array<string, mixed> */
    public function cancel(#[\SensitiveParameter] string $sessionId, ?string $idempotencyKey = null): array
    {
        return $this->transport->call('POST', '/build/cancel', self::named($sessionId), idempotencyKey: $idempotencyKey);
    }

    /** @return array{sessionId: string} */
    private static function named(string $sessionId): array
    {
        return ['sessionId' => Path::checkedId($sessionId, 'sessionId')];
    }
}
