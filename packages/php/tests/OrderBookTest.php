<?php

declare(strict_types=1);

namespace Payframe\Tests;

use Payframe\ErrorKind;
use Payframe\Example\OrderBook;
use Payframe\Exception\PayframeException;
use Payframe\Money;
use PHPUnit\Framework\TestCase;
use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\ResponseInterface;

/** The order book of the example shop, with a gateway whose answers are the test's. */
final class OrderBookTest extends TestCase
{
    private const FIRST = ['operationId' => '347074400000000001', 'operationType' => 'AUTHORIZATION', 'operationResult' => 'EXECUTED', 'operationAmount' => '3545'];
    private const SECOND = ['operationId' => '347074400000000002'] + self::FIRST;
    private const ORDER = 'a1';

    private string $folder;
    /** @var list<string> */
    private array $reported = [];

    protected function setUp(): void
    {
        $this->folder = sys_get_temp_dir() . '/payframe-order-book-' . bin2hex(random_bytes(6));
        mkdir($this->folder);
    }

    protected function tearDown(): void
    {
        array_map(unlink(...), glob("$this->folder/*") ?: []);
        rmdir($this->folder);
    }

    /** An answer about the order. @param list<array<string, string>> $operations newest first */
    private static function order(string $authorized, string $refunded, array $operations): ResponseInterface
    {
        $status = ['order' => ['currency' => 'EUR'], 'authorizedAmount' => $authorized, 'refundedAmount' => $refunded];
        return Stage::answer(['orderStatus' => $status, 'operations' => $operations]);
    }

    private function book(Stage $stage, int $payWithinSeconds = 600): OrderBook
    {
        $orders = new OrderBook($stage->payframe, $this->folder, function (string $problem): void {
            $this->reported[] = $problem;
        }, $stage);
        $orders->place(self::ORDER, Money::of(3545, 'EUR'), $payWithinSeconds);
        return $orders;
    }

    /** @return list<RequestInterface> what was sent with this verb */
    private static function sent(Stage $stage, string $verb): array
    {
        return array_values(array_filter($stage->sent, static fn (RequestInterface $request): bool => $request->getMethod() === $verb));
    }

    private function shipments(): string
    {
        return (string) @file_get_contents("$this->folder/shipments");
    }

    /** @return array<string, mixed> */
    private function row(): array
    {
        return json_decode((string) file_get_contents("$this->folder/a1.json"), true, 512, JSON_THROW_ON_ERROR);
    }

    public function testASecondChargeIsGivenBackWithOneKeyAlsoWhenTheFirstTryFails(): void
    {
        $both = [self::SECOND, self::FIRST];
        $stage = new Stage(
            [
                self::order('7090', '0', $both),
                Stage::answer(['state' => 'FULFILLED']),
                Stage::answer([], 503),
                Stage::answer(['operationId' => '1']),
                self::order('7090', '3545', $both),
            ],
            0,
        );
        $orders = $this->book($stage);
        $orders->happens(self::ORDER, ['type' => 'NOTIFICATION']);
        self::assertSame('PAID', $orders->order(self::ORDER)['status'] ?? null);
        self::assertSame(["a1\n", ['GIVE_BACK']], [$this->shipments(), array_column($this->row()['outbox'], 'type')]);
        self::assertCount(1, $this->reported);
        $orders->happens(self::ORDER, ['type' => 'RETURN_PAGE']);
        [$told, $refunds] = [self::sent($stage, 'PUT'), self::sent($stage, 'POST')];
        self::assertCount(1, $told);
        self::assertStringEndsWith('/orders/a1/fulfilment', (string) $told[0]->getUri());
        self::assertSame('{"state":"FULFILLED"}', (string) $told[0]->getBody());
        self::assertCount(2, $refunds);
        foreach ($refunds as $request) {
            self::assertStringEndsWith('/operations/347074400000000002/refunds', (string) $request->getUri());
            self::assertSame('{"amount":"3545","currency":"EUR"}', (string) $request->getBody());
            self::assertSame('give back 347074400000000002', $request->getHeaderLine('idempotency-key'));
        }
        self::assertSame(['PAID', "a1\n", []], [$orders->order(self::ORDER)['status'] ?? null, $this->shipments(), $this->row()['outbox']]);
    }

    public function testAnOrderThatIsPaidWhenAFurtherAttemptIsBuiltIsReadAtOnce(): void
    {
        $orders = $this->book(new Stage([self::order('3545', '0', [self::FIRST])]));
        $refused = static fn () => throw PayframeException::of(ErrorKind::Caller, 'GW9006', 'an approved payment');
        try {
            $orders->pay(self::ORDER, $refused);
            self::fail('It was built');
        } catch (PayframeException $exception) {
            self::assertSame('GW9006', $exception->errorCode);
        }
        $order = $orders->order(self::ORDER);
        self::assertSame(['PAID', [], "a1\n"], [$order['status'] ?? null, $order['open'] ?? null, $this->shipments()]);
    }

    public function testAGatewayThatDoesNotAnswerIsAskedAgainAndAPersonIsCalledWhenItCanNotBeUnderstood(): void
    {
        $orders = $this->book(new Stage([Stage::lost(), Stage::answer(['orderStatus' => []])], 0));
        $orders->happens(self::ORDER, ['type' => 'FEED']);
        self::assertSame(['UNPAID', 2], [$orders->order(self::ORDER)['status'] ?? null, $this->row()['question']['ticket']]);
        $orders->happens(self::ORDER, ['type' => 'FEED']);
        self::assertSame('UNREADABLE', $orders->order(self::ORDER)['statusDetail'] ?? null);
        self::assertSame('Order a1 needs a person: UNREADABLE', $this->reported[1]);
    }

    public function testWhatIsDueIsDoneOnce(): void
    {
        $none = self::order('0', '0', []);
        $stage = new Stage([Stage::lost(), $none], 0);
        $orders = $this->book($stage, 0);
        $orders->pay(self::ORDER, static fn (): array => ['sessionId' => 's']);
        self::assertSame([], $stage->sent);
        // The time is over. To close the session fails once; after the answer of the read it is tried again.
        $orders->due();
        self::assertSame(['GIVEN_UP', 5], [$orders->order(self::ORDER)['status'] ?? null, \count($stage->sent)]);
        self::assertSame(['{"state":"CANCELED"}'], array_map(static fn ($sent): string => (string) $sent->getBody(), self::sent($stage, 'PUT')));
        self::assertSame(['s', 's'], array_map(static fn ($sent) => json_decode((string) $sent->getBody(), true)['sessionId'], self::sent($stage, 'POST')));
        $orders->due();
        self::assertSame([5, ''], [\count($stage->sent), $this->shipments()]);
    }

    public function testAQuestionWaitsForItsTime(): void
    {
        $stage = new Stage([self::order('3545', '0', [self::FIRST])]);
        $orders = $this->book($stage);
        $orders->pay(self::ORDER, static fn (): array => ['sessionId' => 's']);
        $orders->due();
        self::assertSame([], $stage->sent);
        $row = $this->row();
        $row['question']['at'] -= 5;
        file_put_contents("$this->folder/a1.json", json_encode($row));
        $orders->due();
        self::assertSame(['PAID', "a1\n"], [$orders->order(self::ORDER)['status'] ?? null, $this->shipments()]);
        // The read, what is told of the goods, and the end of the session.
        self::assertSame(['GET', 'PUT', 'POST'], \array_slice(array_map(static fn ($sent) => $sent->getMethod(), $stage->sent), 0, 3));
    }

    public function testAnOrderThatIsNotThereIsNone(): void
    {
        $orders = $this->book(new Stage([Stage::answer()]));
        foreach (['', 'b2', '../a1', 'a1.json', "a1\n", 'A1'] as $orderId) {
            self::assertNull($orders->order($orderId));
        }
    }
}
