<?php

declare(strict_types=1);

namespace Payframe\Tests;

use Payframe\Exception\CallerException;
use Payframe\Exception\GatewayException;
use Payframe\Exception\PayframeException;
use Payframe\OrderKeeper\OrderKeeper;
use Payframe\OrderKeeper\OrderReading;
use PHPUnit\Framework\TestCase;

/** The order keeper against the vectors of the Rust crate. PAYFRAME_DECISIONS can name a file with further ones. */
final class OrderKeeperTest extends TestCase
{
    /** @return list<array<string, mixed>> */
    private static function vectors(string $name): array
    {
        $path = str_starts_with($name, '/') ? $name : __DIR__ . "/../../../crates/order-keeper/$name";
        return json_decode((string) file_get_contents($path), true, 512, JSON_THROW_ON_ERROR);
    }

    /** @return list<array<string, mixed>> */
    private static function decisions(): array
    {
        return self::vectors(getenv('PAYFRAME_DECISIONS') ?: 'decisions.json');
    }

    /** A value with its members by name, so that it can be compared as it is. */
    private static function sorted(mixed $value): mixed
    {
        if (!\is_array($value)) {
            return $value;
        }
        if (!array_is_list($value)) {
            ksort($value);
        }
        return array_map(self::sorted(...), $value);
    }

    public function testEachInputChangesAnOrderAsTheVectorsSay(): void
    {
        $vectors = self::decisions();
        self::assertGreaterThanOrEqual(500, \count($vectors));
        foreach ($vectors as $vector) {
            $step = OrderKeeper::step($vector['order'], $vector['input']);
            $found = self::sorted(['after' => $step->order, 'outputs' => $step->outputs]);
            if ($found !== ['after' => $vector['after'], 'outputs' => $vector['outputs']]) {
                self::assertSame(['after' => $vector['after'], 'outputs' => $vector['outputs']], $found, (string) json_encode($vector));
            }
        }
    }

    public function testAnAnswerOfTheGatewayIsReadAsTheVectorsSay(): void
    {
        $vectors = self::vectors('readings.json');
        self::assertGreaterThanOrEqual(100, \count($vectors));
        foreach ($vectors as $vector) {
            ['answer' => $answer, 'currency' => $currency] = $vector;
            $input = OrderKeeper::readInput(7, $answer, $currency);
            if (isset($vector['reading'])) {
                self::assertEquals($vector['reading'], OrderReading::of($answer, $currency));
                self::assertEquals(['type' => 'READ', 'ticket' => 7, 'reading' => $vector['reading']], $input);
                continue;
            }
            self::assertSame(['type' => 'READ_UNREADABLE', 'ticket' => 7], $input);
            try {
                OrderReading::of($answer, $currency);
                self::fail((string) json_encode($answer));
            } catch (GatewayException $exception) {
                self::assertSame('order_' . strtolower($vector['unreadable']), $exception->errorCode);
            }
        }
    }

    public function testAnOrderThatTheGatewayDoesNotHaveHasNoPayments(): void
    {
        $expected = ['type' => 'READ', 'ticket' => 7, 'reading' => ['held' => 0, 'payments' => []]];
        self::assertSame($expected, OrderKeeper::readInput(7, null, 'EUR'));
    }

    public function testWhatIsNoAnswerOfTheGatewayIsUnreadable(): void
    {
        $without = ['orderStatus' => ['order' => ['currency' => 'EUR'], 'authorizedAmount' => '0', 'refundedAmount' => '0']];
        foreach ([[], ['orderStatus' => null], $without, $without + ['operations' => [null]]] as $answer) {
            self::assertSame(['type' => 'READ_UNREADABLE', 'ticket' => 7], OrderKeeper::readInput(7, $answer, 'EUR'));
        }
    }

    public function testANewOrderIsTheFirstOfTheVectors(): void
    {
        $first = self::vectors('decisions.json')[0]['order'];
        self::assertSame($first, self::sorted(OrderKeeper::newOrder($first['due'])));
        foreach ([0, -1, 1_000_000_000_000] as $due) {
            self::assertRefused(static fn () => OrderKeeper::newOrder($due), 'order');
        }
    }

    public function testAStoredOrderThatTheKeeperCanNotHaveMadeIsRefusedAsTheVectorsSay(): void
    {
        foreach (self::vectors('stored.json') as ['order' => $order, 'refused' => $refused]) {
            $look = static fn () => OrderKeeper::step($order, ['type' => 'FEED']);
            if ($refused === null) {
                self::assertSame($order['due'], $look()->order['due']);
            } else {
                self::assertStringEndsWith(": $refused", self::assertRefused($look, 'order')->getMessage());
            }
        }
    }

    public function testAStoredOrderWithoutItsFormIsRefused(): void
    {
        $good = OrderKeeper::newOrder(3545);
        $orders = [[], $good + ['x' => 1]];
        foreach (array_keys($good) as $member) {
            $orders[] = array_diff_key($good, [$member => true]);
            foreach (['x', -1, 1.5, true] as $value) {
                $orders[] = [$member => $value] + $good;
            }
        }
        $orders[] = ['open' => [null]] + $good;
        $orders[] = ['open' => [['number' => 1]], 'attempts' => 1] + $good;
        $orders[] = ['returning' => ['1']] + $good;
        $orders[] = ['status' => 'PAYING'] + $good;
        $orders[] = ['statusDetail' => 'BUYER'] + $good;
        $orders[] = ['status' => 'NEEDS_PERSON', 'statusDetail' => 'BUYER'] + $good;
        // What it does not know is left out.
        self::assertSame(OrderKeeper::step($good, ['type' => 'FEED'])->order, OrderKeeper::step($orders[1], ['type' => 'FEED'])->order);
        unset($orders[1]);
        foreach ($orders as $order) {
            self::assertRefused(static fn () => OrderKeeper::step($order, ['type' => 'FEED']), 'order');
        }
    }

    public function testAnInputThatDoesNotExistIsRefused(): void
    {
        foreach ([[], ['type' => 'PAID'], ['type' => 'ATTEMPT_OPENED'], ['type' => 'ATTEMPT_CLOSED', 'number' => 1.5], ['type' => 'READ']] as $input) {
            self::assertRefused(static fn () => OrderKeeper::step(OrderKeeper::newOrder(3545), $input));
        }
    }

    private static function assertRefused(callable $call, ?string $member = null): PayframeException
    {
        try {
            $call();
        } catch (CallerException $exception) {
            self::assertSame('bad_value', $exception->errorCode);
            if ($member !== null) {
                self::assertSame($member, $exception->member);
            }
            return $exception;
        }
        self::fail('It was accepted');
    }
}
