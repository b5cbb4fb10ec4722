<?php

declare(strict_types=1);

namespace Payframe;

/** The gateway's own payment page, for shops without a page for the form. */
final class HostedPages
{
    /** @internal */
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * A new page. `hostedPage` of the answer is where to send the browser.
     *
     * @param array<string, mixed> $request body of `POST /orders/hpp`
     * @return array<string, mixed>
     */
    public function create(array $request, ?string $idempotencyKey = null): array
    {
        return $this->transport->call('POST', '/orders/hpp', $request, idempotencyKey: $idempotencyKey);
    }
}
