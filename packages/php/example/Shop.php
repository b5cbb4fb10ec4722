<?php

declare(strict_types=1);

namespace Payframe\Example;

use Payframe\Exception\NotificationException;
use Payframe\Exception\PayframeException;
use Payframe\Money;
use Payframe\NotificationVerifier;
use Payframe\Payframe;

/** The pages of a shop: the payment form, the receiver of notifications, and the page that the buyer comes back to. */
final class Shop
{
    /** @param \Closure(string): void $report hears of what failed */
    public function __construct(
        private readonly Payframe $payframe,
        public readonly OrderBook $orders,
        private readonly NotificationVerifier $notifications,
        private readonly string $gateway,
        private readonly string $origin,
        private readonly \Closure $report,
    ) {
    }

    /**
     * @param array<string, mixed> $query
     * @param array<string, mixed> $headers
     * @return array{int, string, string} status, type, body
     */
    public function answer(string $method, string $path, array $query = [], array $headers = [], string $body = ''): array
    {
        $orderId = \is_string($query['order'] ?? null) ? $query['order'] : '';
        try {
            return match ("$method $path") {
                'GET /' => $this->checkout(),
                'GET /checkout.js' => [200, 'text/javascript', self::SCRIPT],
                'GET /pay' => $this->payment($orderId),
                'GET /result' => $this->result($orderId),
                'POST /notifications' => $this->notified($headers, $body),
                default => self::NOT_FOUND,
            };
        } catch (PayframeException $exception) {
            ($this->report)($exception->getMessage());
            return [$exception instanceof NotificationException ? 400 : 502, 'text/plain', ''];
        }
    }

    /** @return array{int, string, string} */
    private function checkout(): array
    {
        $orderId = bin2hex(random_bytes(9));
        $this->orders->place($orderId, Money::of(self::PRICE, 'EUR'), self::PAY_WITHIN_SECONDS);
        return $this->payment($orderId);
    }

    /** The first attempt of an order, and every other. @return array{int, string, string} */
    private function payment(string $orderId): array
    {
        if ($this->orders->order($orderId) === null) {
            return self::NOT_FOUND;
        }
        $price = Money::of(self::PRICE, 'EUR');
        $session = $this->orders->pay($orderId, fn (): array => $this->payframe->sessions->create([
            'merchantUrl' => $this->origin,
            'order' => ['orderId' => $orderId, 'description' => 'Two shirts'] + $price,
            'paymentSession' => [
                'amount' => $price['amount'],
                'paymentService' => 'CARDS',
                'resultUrl' => "$this->origin/result?order=$orderId",
                'cancelUrl' => "$this->origin/",
                'notificationUrl' => "$this->origin/notifications",
            ],
            'form' => ['closing' => 'FRAME', 'attempts' => 3],
        ]));
        if (\is_string($session)) {
            return [409, 'text/plain', $session];
        }
        $page = strtr(self::PAGE, ['{gateway}' => $this->gateway, '{order}' => $orderId, '{form}' => $session['form']['html'] ?? '']);
        return [200, 'text/html; charset=utf-8', $page];
    }

    /**
     * A notification is only a reason to read the order.
     *
     * @param array<string, mixed> $headers
     * @return array{int, string, string}
     */
    private function notified(array $headers, string $body): array
    {
        $orderId = $this->notifications->verify($headers, $body)['operation']['orderId'] ?? null;
        // Not about money: this shop asks for no such events.
        if ($orderId === null) {
            return [204, 'text/plain', ''];
        }
        // The gateway sends it again: the order may be on its way into the database.
        if ($this->orders->order($orderId) === null) {
            return self::NOT_FOUND;
        }
        $this->orders->happens($orderId, ['type' => 'NOTIFICATION']);
        return [204, 'text/plain', ''];
    }

    /** @return array{int, string, string} */
    private function result(string $orderId): array
    {
        if ($this->orders->order($orderId) === null) {
            return self::NOT_FOUND;
        }
        $this->orders->happens($orderId, ['type' => 'RETURN_PAGE']);
        return [200, 'text/plain', $this->orders->order($orderId)['status']];
    }

    private const PRICE = 3545;
    private const PAY_WITHIN_SECONDS = 30 * 60;
    private const NOT_FOUND = [404, 'text/plain', ''];
    private const PAGE = <<<'HTML'
        <!doctype html><html lang="en"><meta charset="utf-8"><title>Pay</title>
        <script type="module" src="{gateway}/sdk/payframe.js"></script><script type="module" src="/checkout.js"></script>
        <main data-order="{order}">{form}</main></html>
        HTML;
    private const SCRIPT = <<<'JS'
        const main = document.querySelector('main');
        main.firstElementChild.addEventListener('result', ({ detail }) => {
          if (detail.final) location.assign('/result?order=' + main.dataset.order);
        });
        JS;
}
