<?php

declare(strict_types=1);

namespace Payframe\WooCommerce\Tests;

use Payframe\WooCommerce\Plugin;

/**
 * The shop ends between any two statements: before and after each write of its database, and before and after each call of the gateway. Then
 * it goes on with what is stored, and both books agree.
 */
final class CrashTest extends ShopTestCase
{
    /**
     * Runs a story once for each step at which its program can end.
     *
     * @param \Closure(): \Closure $prepare answers the program
     * @param \Closure(int): void $check after all work is done
     */
    private function endingAnywhere(\Closure $prepare, \Closure $check): void
    {
        for ($step = 1, $isEnded = true; $isEnded; $step++) {
            $this->install(self::SETTINGS);
            $program = $prepare();
            $isEnded = $this->killedAt($step, $program);
            $this->settle();
            $check($step);
        }
        self::assertGreaterThan(8, $step, 'A program that has so few steps does nothing');
    }

    /** Time goes on until nothing is due but far away. */
    private function settle(): void
    {
        foreach ([0, 3, 15, 6 * 60, 1, 5] as $minutes) {
            $this->clock->time += 60 * $minutes;
            $this->pass(1);
        }
    }

    public function testWhileTheFormIsOpened(): void
    {
        $orderId = 0;
        $this->endingAnywhere(
            function () use (&$orderId): \Closure {
                $orderId = $this->placed();
                return fn () => $this->page($orderId);
            },
            function (int $step) use (&$orderId): void {
                // The hour to pay is over. Without a row the gateway has heard nothing, and WooCommerce keeps the order.
                $isKnown = Plugin::book()->rows->find("w$orderId") !== null;
                self::assertSame($isKnown ? 'cancelled' : 'pending', $this->order($orderId)->get_status(), "step $step");
                self::assertTrue($isKnown || $this->gateway->requests === [], "step $step");
                // A session that is not in the row was never shown: it ends at the gateway by itself.
                foreach ($isKnown ? Plugin::book()->rows->known("w$orderId")->sessions : [] as $session) {
                    self::assertSame('OVER', $this->gateway->sessions[$session['id']]['state'], "step $step");
                }
            },
        );
    }

    public function testWhileTheFormIsOpenedAndTheBuyerLoadsThePageAgain(): void
    {
        for ($step = 1; $step < 40; $step++) {
            $this->install(self::SETTINGS);
            $orderId = $this->placed();
            $this->killedAt($step, fn () => $this->page($orderId));
            $session = $this->formOf($orderId);
            $this->gateway->pay($session);
            $this->settle();
            $reference = $this->gateway->sessions[$session]['orderId'];
            self::assertSame(['processing', 3545], [$this->order($orderId)->get_status(), $this->gateway->held($reference)], "step $step");
            self::assertSame(["$orderId pending processing"], $this->world->transitions, "step $step");
        }
    }

    public function testWhileANotificationIsHeeded(): void
    {
        $this->whileItIsPaid(fn (int $orderId) => $this->notify("w$orderId"));
    }

    public function testWhileTheBuyerComesBack(): void
    {
        $this->whileItIsPaid(fn (int $orderId) => $this->returns($orderId));
    }

    public function testWhileTheWorkOfAMinuteIsDone(): void
    {
        $this->whileItIsPaid(fn () => $this->pass(1));
    }

    private function whileItIsPaid(\Closure $program): void
    {
        $orderId = 0;
        $this->endingAnywhere(
            function () use (&$orderId, $program): \Closure {
                $orderId = $this->placed();
                $this->gateway->pay($this->formOf($orderId));
                return static fn () => $program($orderId);
            },
            function (int $step) use (&$orderId): void {
                self::assertSame(['processing', 3545], [$this->order($orderId)->get_status(), $this->gateway->held("w$orderId")], "step $step");
                self::assertLessThanOrEqual(1, \count($this->world->transitions), "step $step");
                self::assertSame(['FULFILLED'], array_unique($this->gateway->orders["w$orderId"]['told']), "step $step");
            },
        );
    }

    public function testWhileItIsCaptured(): void
    {
        $orderId = 0;
        $this->endingAnywhere(
            function () use (&$orderId): \Closure {
                $orderId = $this->paid();
                return fn () => $this->order($orderId)->update_status('completed');
            },
            function (int $step) use (&$orderId): void {
                $isCompleted = $this->order($orderId)->get_status() === 'completed';
                self::assertSame($isCompleted ? 3545 : 0, $this->gateway->sum("w$orderId", 'CAPTURE'), "step $step");
                self::assertLessThanOrEqual(1, \count($this->operations($orderId, 'CAPTURE')), "step $step");
            },
        );
    }

    public function testWhileItIsRefunded(): void
    {
        $orderId = 0;
        $this->endingAnywhere(
            function () use (&$orderId): \Closure {
                $orderId = $this->paid();
                $this->order($orderId)->update_status('completed');
                return static fn () => wc_create_refund(['order_id' => $orderId, 'amount' => '10.00', 'refund_payment' => true]);
            },
            function (int $step) use (&$orderId): void {
                $inShop = array_map(static fn (\WC_Order_Refund $one): string => $one->get_amount(), $this->order($orderId)->get_refunds());
                $atGateway = array_map(static fn (array $one): string => $one['operationAmount'], $this->operations($orderId, 'REFUND'));
                self::assertSame(array_map(static fn (string $one): string => str_replace('.', '', $one), $inShop), $atGateway, "step $step");
                self::assertLessThanOrEqual(1, \count($atGateway), "step $step");
            },
        );
    }

    public function testWhileItIsCancelled(): void
    {
        $orderId = 0;
        foreach (['paid', 'paying'] as $state) {
            $this->endingAnywhere(
                function () use (&$orderId, $state): \Closure {
                    $orderId = $state === 'paid' ? $this->paid() : $this->placed();
                    if ($state === 'paying') {
                        $this->gateway->pay($this->formOf($orderId));
                    }
                    return fn () => $this->order($orderId)->update_status('cancelled');
                },
                function (int $step) use (&$orderId, $state): void {
                    $isCancelled = $this->order($orderId)->get_status() === 'cancelled';
                    self::assertSame($isCancelled ? 0 : 3545, $this->gateway->held("w$orderId"), "$state, step $step");
                },
            );
        }
    }

    public function testWhileHoldStockWantsToCancel(): void
    {
        $orderId = 0;
        foreach ([true, false] as $isPaid) {
            $this->endingAnywhere(
                function () use (&$orderId, $isPaid): \Closure {
                    $orderId = $this->placed();
                    $session = $this->formOf($orderId);
                    if ($isPaid) {
                        $this->gateway->pay($session);
                    }
                    return function () use ($orderId): void {
                        if (apply_filters('woocommerce_cancel_unpaid_order', true, $this->order($orderId))) {
                            $this->order($orderId)->update_status('cancelled');
                        }
                    };
                },
                function (int $step) use (&$orderId, $isPaid): void {
                    $expected = $isPaid ? ['processing', 3545] : ['cancelled', 0];
                    self::assertSame($expected, [$this->order($orderId)->get_status(), $this->gateway->held("w$orderId")], "step $step");
                },
            );
        }
    }

    /** @return list<array<string, string>> */
    private function operations(int $orderId, string $type): array
    {
        $all = $this->gateway->orders["w$orderId"]['operations'];
        return array_values(array_filter($all, static fn (array $one): bool => $one['operationType'] === $type));
    }
}
