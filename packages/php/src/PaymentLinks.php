<?php

declare(strict_types=1);

namespace Payframe;

/** Payment links: an address at which a customer pays. It sends no link to anybody. */
final class PaymentLinks
{
    /** @internal */
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * A new link. `paymentLink.link` of the answer is the address to send.
     *
     * @param array<string, mixed> $request body of `POST /v2/orders/paybylink`
     * @return array<string, mixed>
     */
    public function create(array $request, ?string $idempotencyKey = null): array
    {
        return $this->transport->call('POST', '/v2/orders/paybylink', $request, idempotencyKey: $idempotencyKey);
    }

    /** A link, with its order. @return array<string, mixed> */
    public function read(string $linkId): array
    {
        return $this->transport->call('GET', '/orders/paybylink/' . Path::segment($linkId, 'linkId'));
    }

    /**
     * Links, the newest first. For the next page repeat the call with `toTime` = `creationTime` of the last row.
     *
     * @param array<string, string|int|bool|null> $query of `GET /orders/paybylink`
     * @return list<array<string, mixed>>
     */
    public function list(array $query = []): array
    {
        return $this->transport->call('GET', '/orders/paybylink', query: $query, member: 'paymentLinks');
    }

    /** Makes an expired or failed link valid again, or prolongs an unpaid one. @return array<string, mixed> */
    public function renew(string $linkId, ?string $idempotencyKey = null): array
    {
        $path = '/orders/paybylink/' . Path::segment($linkId, 'linkId') . '/renewals';
        return $this->transport->call('POST', $path, idempotencyKey: $idempotencyKey, member: 'paymentLink');
    }

    /** Gives up a link that is not paid. To do it again is no error. @return array<string, mixed> */
    public function cancel(string $linkId, ?string $idempotencyKey = null): array
    {
        $path = '/paybylink/' . Path::segment($linkId, 'linkId') . '/cancels';
        return $this->transport->call('POST', $path, idempotencyKey: $idempotencyKey, member: 'paymentLink');
    }
}
