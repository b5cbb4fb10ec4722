<?php

declare(strict_types=1);

namespace Payframe\WooCommerce\Tests;

use Payframe\WooCommerce\Gateway;
use Payframe\WooCommerce\Plugin;

/**
 * Everything at random: buyers, staff, lost calls, and a shop that ends anywhere. At the end both books agree. PAYFRAME_SOAK is the number of
 * stories; a failure names the one to repeat.
 */
final class SoakTest extends ShopTestCase
{
    private const STORIES = 40;

    /** @dataProvider stories */
    public function testBothBooksAgreeInTheEnd(int $story): void
    {
        $this->install(self::SETTINGS);
        mt_srand($story);
        $orderId = $this->placed();
        $done = [];
        for ($steps = mt_rand(4, 14); $steps > 0; $steps--) {
            $done[] = $this->something($orderId);
        }
        $this->gateway->lost = $this->gateway->unanswered = [];
        $this->decide();
        foreach ([0, 3, 15, 90, 6 * 60, 13 * 60, 30 * 60, 3, 3, 3] as $minutes) {
            $this->clock->time += 60 * $minutes;
            $this->pass(2);
        }
        $this->check($orderId, "story $story: " . implode(', ', $done));
    }

    /** @return list<array{int}> */
    public function stories(): array
    {
        return array_map(static fn (int $story): array => [$story], range(1, (int) (getenv('PAYFRAME_SOAK') ?: self::STORIES)));
    }

    private function something(int $orderId): string
    {
        $events = [
            'page' => fn () => $this->page($orderId),
            'pay' => fn () => $this->payInAnyForm(),
            'page again' => fn () => $this->page($orderId),
            'pay again' => fn () => $this->payInAnyForm(),
            'notification' => fn () => array_map(fn (string|int $reference): int => $this->notify((string) $reference), array_keys($this->gateway->orders)),
            'return' => fn () => $this->returns($orderId),
            'minute' => fn () => $this->pass(1),
            'complete' => fn () => $this->order($orderId)->get_status() === 'processing' ? $this->order($orderId)->update_status('completed') : null,
            'refund' => fn () => (new Gateway())->can_refund_order($this->order($orderId)) ? wc_create_refund(['order_id' => $orderId, 'amount' => '5.00', 'refund_payment' => true]) : null,
            'cancel' => fn () => mt_rand(0, 3) === 0 ? $this->order($orderId)->update_status('cancelled') : null,
            'hold stock' => fn () => $this->holdStock($orderId),
            'sum' => fn () => $this->changeSum($orderId),
            'lose' => fn () => $this->gateway->lost = [['POST /orders'], ['GET /'], ['POST /operations'], ['POST /build']][mt_rand(0, 3)],
            'no answer' => fn () => $this->gateway->unanswered = [['POST /orders'], ['POST /operations'], ['POST /build'], ['PUT ']][mt_rand(0, 3)],
            'all well' => fn () => $this->gateway->lost = $this->gateway->unanswered = [],
            'decide' => fn () => $this->decide(),
        ];
        $name = array_keys($events)[mt_rand(0, \count($events) - 1)];
        $kill = mt_rand(0, 2) === 0 ? mt_rand(1, 40) : 0;
        $isKilled = $this->killedAt($kill, $events[$name]);
        return $name . ($isKilled ? " (ends at $kill)" : '');
    }

    private function payInAnyForm(): void
    {
        $open = array_filter($this->gateway->sessions, static fn (array $one): bool => $one['state'] === 'PAYMENT_METHOD_SELECTION');
        if ($open !== []) {
            $session = array_keys($open)[mt_rand(0, \count($open) - 1)];
            $this->gateway->pay($session, ['AUTHORIZED', 'AUTHORIZED', 'DECLINED', 'PENDING'][mt_rand(0, 3)]);
        }
    }

    /** The issuer decides what is pending. */
    private function decide(): void
    {
        foreach ($this->gateway->orders as $reference => $order) {
            foreach ($order['operations'] as $at => $operation) {
                if ($operation['operationResult'] === 'PENDING') {
                    $this->gateway->orders[$reference]['operations'][$at]['operationResult'] = mt_rand(0, 1) === 0 ? 'AUTHORIZED' : 'DECLINED';
                    $this->gateway->orders[$reference]['version']++;
                }
            }
        }
    }

    private function holdStock(int $orderId): void
    {
        $order = $this->order($orderId);
        if ($order->get_status() === 'pending' && apply_filters('woocommerce_cancel_unpaid_order', true, $order)) {
            $order->update_status('cancelled');
        }
    }

    private function changeSum(int $orderId): void
    {
        if ($this->order($orderId)->get_status() === 'pending') {
            $this->world->orders[$orderId]['total'] = ['35.45', '40.00'][mt_rand(0, 1)];
        }
    }

    private function check(int $orderId, string $story): void
    {
        $order = $this->order($orderId);
        $paying = Plugin::book()->rows->paying($orderId, $order->get_transaction_id());
        $isKept = $order->get_date_paid() !== null && $order->get_status() !== 'cancelled';
        foreach (array_keys($this->gateway->orders) as $reference) {
            $refunded = (int) round($order->get_total_refunded() * 100);
            $due = $isKept && $paying?->reference === (string) $reference ? $paying->due() - $refunded : 0;
            self::assertSame($due, $this->gateway->held((string) $reference), "$story; money of $reference");
            self::assertLessThanOrEqual($paying?->due() ?? 0, $this->gateway->sum((string) $reference, 'CAPTURE'), $story);
        }
        self::assertSame($isKept, $paying !== null && $order->get_status() !== 'cancelled', "$story; {$order->get_status()}");
        $sold = array_filter($this->world->transitions, static fn (string $one): bool => str_starts_with($one, "$orderId pending processing"));
        self::assertLessThanOrEqual(1, \count($sold), "$story; sold once");
        if ($isKept && $order->get_status() === 'completed') {
            self::assertSame($paying->due(), $this->gateway->sum($paying->reference, 'CAPTURE'), "$story; captured");
        }
        foreach (Plugin::book()->rows->ofOrder($orderId) as $row) {
            self::assertSame([[], false], [$row->outbox, $row->hasWork()], "$story; work of $row->reference");
        }
    }
}
