<?php

declare(strict_types=1);

namespace Payframe\WooCommerce\Tests;

use Payframe\WooCommerce\Plugin;

/** Several servers of the shop, or a notification and a buyer, work at one order at the same time. */
final class ServersTest extends ShopTestCase
{
    /** Another program does something whenever the gateway is called the next time with `$beginning`. */
    private function meanwhile(string $beginning, \Closure $work): void
    {
        $answer = $this->world->http;
        $this->world->http = function (string $url, array $arguments) use ($answer, $beginning, $work): mixed {
            $answered = $answer($url, $arguments);
            if (str_starts_with("$arguments[method] " . parse_url($url, PHP_URL_PATH), $beginning)) {
                $this->world->http = $answer;
                $this->restart();
                $work();
            }
            return $answered;
        };
    }

    public function testANotificationAndTheBuyerAtTheSameTimeMarkTheOrderOnce(): void
    {
        foreach ([1, 2] as $_) {
            $orderId = $this->placed();
            $this->gateway->pay($this->formOf($orderId));
            $this->meanwhile("GET /api/orders/w$orderId", fn () => self::assertStringContainsString('order-received', $this->returns($orderId)));
            $this->notify("w$orderId");
            self::assertSame('processing', $this->order($orderId)->get_status());
        }
        self::assertCount(2, $this->world->transitions);
    }

    public function testTwoServersDoTheWorkOfAMinuteAndNothingIsDoneTwice(): void
    {
        $orderId = $this->placed();
        $this->gateway->pay($this->formOf($orderId));
        $this->meanwhile('GET /api/orders', fn () => $this->pass(1));
        $this->pass(1);
        self::assertSame(["$orderId pending processing"], $this->world->transitions);
    }

    public function testARowThatAnotherServerWorksAtIsLeftAlone(): void
    {
        $orderId = $this->placed();
        $this->gateway->pay($this->formOf($orderId));
        $rows = Plugin::book()->rows;
        self::assertTrue($rows->claim("w$orderId", 'another', (int) $this->clock->time, (int) $this->clock->time + 60));
        $this->notify("w$orderId");
        self::assertSame(['PAID', 'pending'], [$this->status("w$orderId"), $this->order($orderId)->get_status()]);
        // The other server has ended: after a while its work is done by this one.
        $this->pass(2);
        self::assertSame('processing', $this->order($orderId)->get_status());
    }

    public function testTwoTabsAtTheSameTimeHaveOnePaymentBetweenThem(): void
    {
        $orderId = $this->placed();
        $second = '';
        $this->meanwhile("GET /api/orders/w$orderId", function () use ($orderId, &$second): void {
            $second = $this->formOf($orderId);
        });
        $first = $this->formOf($orderId);
        self::assertSame(["w$orderId"], array_unique(array_column($this->gateway->sessions, 'orderId')));
        $open = array_filter([$first, $second], fn (string $one): bool => $this->gateway->sessions[$one]['state'] !== 'OVER');
        self::assertCount(1, array_unique($open));
        $this->gateway->pay(end($open));
        $this->notify("w$orderId");
        self::assertSame(['processing', 3545], [$this->order($orderId)->get_status(), $this->gateway->held("w$orderId")]);
    }

    public function testAChangeIsMadeWithTheNewestRow(): void
    {
        $orderId = $this->placed();
        $this->formOf($orderId);
        $rows = Plugin::book()->rows;
        $changes = 0;
        $rows->change("w$orderId", function (\Payframe\WooCommerce\Row $row) use ($rows, $orderId, &$changes): void {
            if (++$changes === 1) {
                $rows->change("w$orderId", static fn ($other) => $other->untold = 'CANCELED');
            }
            $row->needsPerson = $row->untold;
        });
        self::assertSame([2, 'CANCELED'], [$changes, $rows->known("w$orderId")->needsPerson]);
    }

    public function testARowThatCanNotBeWrittenIsReported(): void
    {
        $this->expectExceptionMessage('There is no payment w9');
        Plugin::book()->rows->change('w9', static fn () => null);
    }
}
