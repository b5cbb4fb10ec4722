<?php

declare(strict_types=1);

namespace Payframe\Tests;

use Payframe\Exception\PayframeException;
use Payframe\Money;
use Payframe\Payframe;
use Payframe\Runtime;
use PHPUnit\Framework\TestCase;

/** Each method makes the call that the gateway's document has. */
final class CallsTest extends TestCase
{
    private const SUM = ['amount' => '3545', 'currency' => 'EUR'];
    private const BODY = ['order' => ['orderId' => 'A1', 'articles' => []]];

    /** @return list<array{callable(Payframe): mixed, string, string, array<string, mixed>|null}> */
    private static function rows(): array
    {
        return [
            [static fn (Payframe $p) => $p->sessions->create(self::BODY), 'POST', '/orders/build', self::BODY],
            [static fn (Payframe $p) => $p->sessions->change(['sessionId' => 's']), 'PATCH', '/build/session', ['sessionId' => 's']],
            [static fn (Payframe $p) => $p->sessions->read('s+1'), 'GET', '/build/state?sessionId=s%2B1', null],
            [static fn (Payframe $p) => $p->sessions->readCard('s'), 'GET', '/build/cardData?sessionId=s', null],
            [static fn (Payframe $p) => $p->sessions->finalize('s'), 'POST', '/build/finalize_payment', ['sessionId' => 's']],
            [static fn (Payframe $p) => $p->sessions->confirm(['amount' => '1']), 'POST', '/build/confirm_payment', ['amount' => '1']],
            [static fn (Payframe $p) => $p->sessions->cancel('s'), 'POST', '/build/cancel', ['sessionId' => 's']],
            [static fn (Payframe $p) => $p->orders->read('A#1?'), 'GET', '/orders/A%231%3F', null],
            [static fn (Payframe $p) => $p->orders->list(['maxRecords' => 10, 'orderId' => null]), 'GET', '/orders?maxRecords=10', null],
            [static fn (Payframe $p) => $p->orders->tellFulfilment('A#1', ['state' => 'NONE']), 'PUT', '/orders/A%231/fulfilment', ['state' => 'NONE']],
            [static fn (Payframe $p) => $p->operations->read('1'), 'GET', '/operations/1', null],
            [static fn (Payframe $p) => $p->operations->list(), 'GET', '/operations', null],
            [static fn (Payframe $p) => $p->operations->actions('1'), 'GET', '/operations/1/actions', null],
            [static fn (Payframe $p) => $p->operations->capture('1', self::SUM), 'POST', '/operations/1/captures', self::SUM],
            [static fn (Payframe $p) => $p->operations->refund('1', self::SUM), 'POST', '/operations/1/refunds', self::SUM],
            [static fn (Payframe $p) => $p->operations->cancel('1', 'twice'), 'POST', '/operations/1/cancels', ['description' => 'twice']],
            [static fn (Payframe $p) => $p->links->create(self::BODY), 'POST', '/v2/orders/paybylink', self::BODY],
            [static fn (Payframe $p) => $p->links->read('l'), 'GET', '/orders/paybylink/l', null],
            [static fn (Payframe $p) => $p->links->list(['status' => 'ACTIVE']), 'GET', '/orders/paybylink?status=ACTIVE', null],
            [static fn (Payframe $p) => $p->links->renew('l'), 'POST', '/orders/paybylink/l/renewals', null],
            [static fn (Payframe $p) => $p->links->cancel('l'), 'POST', '/paybylink/l/cancels', null],
            [static fn (Payframe $p) => $p->hostedPages->create(self::BODY), 'POST', '/orders/hpp', self::BODY],
            [static fn (Payframe $p) => $p->events->list(['after' => '1-a', 'limit' => 9]), 'GET', '/events?after=1-a&limit=9', null],
            [static fn (Payframe $p) => $p->disputes->list(['state' => 'WON', 'limit' => 9]), 'GET', '/disputes?state=WON&limit=9', null],
            [static fn (Payframe $p) => $p->disputes->read('d/1'), 'GET', '/disputes/d%2F1', null],
            [static fn (Payframe $p) => $p->disputes->addFile('d', 'a.pdf', '%PDF-'), 'POST', '/disputes/d/files', ['name' => 'a.pdf', 'content' => 'JVBERi0=']],
            [static fn (Payframe $p) => $p->disputes->readFile('f'), 'GET', '/disputes/files/f', null],
            [static fn (Payframe $p) => $p->disputes->removeFile('f'), 'POST', '/disputes/files/f/removal', null],
            [static fn (Payframe $p) => $p->disputes->submitEvidence('d', ['goods' => 'g']), 'POST', '/disputes/d/evidence', ['goods' => 'g']],
            [static fn (Payframe $p) => $p->disputes->accept('d'), 'POST', '/disputes/d/acceptance', null],
            [static fn (Payframe $p) => $p->settlements->list(['limit' => 9]), 'GET', '/settlements?limit=9', null],
            [static fn (Payframe $p) => $p->settlements->read('1', ['after' => '101']), 'GET', '/settlements/1?after=101', null],
            [static fn (Payframe $p) => $p->testDisputes->open(['operationId' => '1']), 'POST', '/test/disputes', ['operationId' => '1']],
            [static fn (Payframe $p) => $p->testDisputes->decide('d', 'WON'), 'POST', '/test/disputes/d/result', ['result' => 'WON']],
            [static fn (Payframe $p) => $p->testClock->read(), 'GET', '/test/clock', null],
            [static fn (Payframe $p) => $p->testClock->advanceTo(new \DateTimeImmutable('2027-01-01T00:00:00Z')), 'POST', '/test/clock/advance', ['to' => '2027-01-01T00:00:00.000+00:00']],
            [static fn (Payframe $p) => $p->call('POST', '/orders/mit', self::BODY, ['a' => true]), 'POST', '/orders/mit?a=true', self::BODY],
        ];
    }

    /** An answer for every call: it has all members that methods look for. */
    private static function stage(): Stage
    {
        return new Stage([Stage::answer(['orders' => [], 'operations' => [], 'actions' => [], 'paymentLinks' => [], 'paymentLink' => ['linkId' => 'l'], 'content' => ''])]);
    }

    public function testEachMethodMakesTheCallThatTheDocumentHas(): void
    {
        $document = json_decode((string) file_get_contents(__DIR__ . '/../../server/types/openapi.json'), true, 512, JSON_THROW_ON_ERROR);
        $documented = [];
        foreach ($document['paths'] as $path => $verbs) {
            foreach (array_keys($verbs) as $verb) {
                $documented[strtoupper($verb) . ' ' . $path] = '~^' . preg_replace('/\{\w+\}/', '[^/]+', $path) . '$~D';
            }
        }
        $covered = [];
        foreach (self::rows() as [$call, $verb, $path, $body]) {
            $stage = self::stage();
            $call($stage->payframe);
            self::assertCount(1, $stage->sent);
            [$request] = $stage->sent;
            self::assertSame([$verb, Stage::GATEWAY . "/api$path"], [$request->getMethod(), (string) $request->getUri()]);
            self::assertSame($body, json_decode((string) $request->getBody(), true));
            foreach ($documented as $name => $pattern) {
                if (str_starts_with($name, "$verb ") && preg_match($pattern, explode('?', $path)[0]) && !isset($covered[$name])) {
                    $covered[$name] = true;
                    break;
                }
            }
        }
        self::assertSame([], array_keys(array_diff_key($documented, $covered)));
    }

    public function testEveryCallCarriesTheKeyAndAnIdAndOnlyWritesCarryAnIdempotencyKey(): void
    {
        foreach (self::rows() as [$call, $verb, $path, $body]) {
            $stage = self::stage();
            $call($stage->payframe);
            [$request] = $stage->sent;
            self::assertSame(Stage::API_KEY, $request->getHeaderLine('x-api-key'));
            self::assertSame('id-1', $request->getHeaderLine('correlation-id'));
            self::assertSame('2026-11-27', $request->getHeaderLine('payframe-version'));
            self::assertSame($verb !== 'GET', $request->hasHeader('idempotency-key'), $path);
            self::assertSame($body !== null, $request->hasHeader('content-type'), $path);
        }
    }

    public function testEventsAreReadPageByPageUntilThereIsNone(): void
    {
        foreach ([[null, ''], ['1-a', '?after=1-a']] as [$cursor, $first]) {
            $stage = new Stage([
                Stage::answer(['events' => [['cursor' => '2-b'], ['cursor' => '3-c']], 'nextCursor' => '3-c', 'hasMore' => true]),
                Stage::answer(['events' => [['cursor' => '4-d']], 'nextCursor' => '4-d', 'hasMore' => false]),
            ]);
            $read = array_column(iterator_to_array($stage->payframe->events->since($cursor), false), 'cursor');
            self::assertSame(['2-b', '3-c', '4-d'], $read);
            $urls = array_map(static fn ($request): string => (string) $request->getUri(), $stage->sent);
            self::assertSame([Stage::GATEWAY . "/api/events$first", Stage::GATEWAY . '/api/events?after=3-c'], $urls);
        }
    }

    public function testASpanOfTimeIsAddedToWhatTheClockIsAheadAlready(): void
    {
        $stage = new Stage([Stage::answer(['secondsAhead' => 60])]);
        $stage->payframe->testClock->advance(days: 1, seconds: 1);
        self::assertSame(['secondsAhead' => 60 + 86_401], json_decode((string) $stage->sent[1]->getBody(), true));
        try {
            $stage->payframe->testClock->advance(hours: -1);
            self::fail('time went back');
        } catch (PayframeException $exception) {
            self::assertSame(['seconds', 2], [$exception->member, \count($stage->sent)]);
        }
    }

    public function testARefundOfAnOrderThatWasSeenCarriesItsVersion(): void
    {
        $stage = self::stage();
        $stage->payframe->operations->refund('1', self::SUM, orderVersion: '5f2b8c1e');
        self::assertSame('"5f2b8c1e"', $stage->sent[0]->getHeaderLine('if-match'));
        try {
            $stage->payframe->operations->refund('1', self::SUM, orderVersion: 'a"b');
            self::fail('a version with a quotation mark was sent');
        } catch (PayframeException $exception) {
            self::assertSame('orderVersion', $exception->member);
        }
    }

    public function testABodyWithoutMembersIsAnObject(): void
    {
        $stage = self::stage();
        $stage->payframe->operations->cancel('1');
        self::assertSame('{}', (string) $stage->sent[0]->getBody());
    }

    public function testAGivenIdempotencyKeyIsSentAsItIsAndWithoutOneEachCallHasItsOwn(): void
    {
        $stage = self::stage();
        $stage->payframe->operations->refund('1', self::SUM, 'refund of 1');
        $stage->payframe->operations->refund('1', self::SUM);
        $stage->payframe->operations->refund('1', self::SUM);
        $keys = array_map(static fn ($request): string => $request->getHeaderLine('idempotency-key'), $stage->sent);
        self::assertSame('refund of 1', $keys[0]);
        self::assertCount(3, array_unique($keys));
        foreach (['', str_repeat('x', 64), 'é', "a\nb", "a\n"] as $key) {
            self::assertSame('idempotencyKey', $stage->exception(static fn (Payframe $p) => $p->sessions->cancel('s', $key))->member);
        }
        self::assertCount(3, $stage->sent);
    }

    public function testTheDefaultIdsAreRandomUuids(): void
    {
        $runtime = new Runtime();
        $ids = [$runtime->uuid(), $runtime->uuid()];
        self::assertNotSame($ids[0], $ids[1]);
        foreach ($ids as $id) {
            self::assertMatchesRegularExpression('/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/D', $id);
        }
        self::assertEqualsWithDelta(microtime(true), $runtime->now(), 5);
        self::assertLessThanOrEqual(1.0, $runtime->random());
        self::assertGreaterThanOrEqual(0.0, $runtime->random());
    }

    public function testAnIdCanNotChangeThePathOfACall(): void
    {
        $stage = self::stage();
        foreach (['', '.', '..', "\xff"] as $id) {
            self::assertSame('orderId', $stage->exception(static fn (Payframe $p) => $p->orders->read($id))->member);
        }
        foreach (['', 'orders', '/orders?x=1', '/orders/../..', '/%2e%2E/office', '/a\\b', '//../x', '/x#y', '/a b', "/a\n"] as $path) {
            self::assertSame('path', $stage->exception(static fn (Payframe $p) => $p->call('GET', $path))->member, $path);
        }
        self::assertSame('verb', $stage->exception(static fn (Payframe $p) => $p->call('get', '/orders'))->member);
        $stage->payframe->orders->read('a/../b');
        self::assertSame(Stage::GATEWAY . '/api/orders/a%2F..%2Fb', (string) $stage->sent[0]->getUri());
        self::assertCount(1, $stage->sent);
    }

    public function testAListAnswersItsRows(): void
    {
        $stage = new Stage([Stage::answer(['orders' => [['orderId' => 'A']], 'operations' => [2], 'paymentLinks' => [3], 'actions' => [4]])]);
        $payframe = $stage->payframe;
        self::assertSame(
            [[['orderId' => 'A']], [2], [3], [4]],
            [$payframe->orders->list(), $payframe->operations->list(), $payframe->links->list(), $payframe->operations->actions('1')],
        );
    }

    public function testAVoidReleasesExactlyWhatIsHeld(): void
    {
        $actions = [['actionType' => 'REFUND', 'maxAmount' => '1000', 'currency' => 'EUR'], ['actionType' => 'VOID', 'maxAmount' => '2545', 'currency' => 'EUR']];
        $stage = new Stage([Stage::answer(['actions' => $actions]), Stage::answer(['operationId' => '2'])]);
        self::assertSame(['operationId' => '2'], $stage->payframe->operations->void('1', 'sold out', 'k'));
        $body = json_decode((string) $stage->sent[1]->getBody(), true);
        self::assertSame(['amount' => '2545', 'currency' => 'EUR', 'description' => 'sold out'], $body);
        self::assertSame('k', $stage->sent[1]->getHeaderLine('idempotency-key'));
    }

    public function testAVoidThatTheGatewayWouldTakeForARefundIsNotSent(): void
    {
        $refund = ['actionType' => 'REFUND', 'maxAmount' => '2000', 'currency' => 'EUR'];
        $capture = ['actionType' => 'CAPTURE', 'maxAmount' => '1545', 'currency' => 'EUR'];
        foreach (['void_ambiguous' => [$capture, $refund], 'nothing_to_void' => [$refund]] as $code => $actions) {
            $stage = new Stage([Stage::answer(['actions' => $actions])]);
            self::assertSame($code, $stage->exception(static fn (Payframe $p) => $p->operations->void('1'))->errorCode);
            self::assertSame([], $stage->writes());
        }
    }

    public function testSumsAreWholeMinorUnits(): void
    {
        self::assertSame(['amount' => '3545', 'currency' => 'EUR'], Money::of(3545, 'EUR'));
        self::assertSame('999999999999', Money::of('999999999999', 'JPY')['amount']);
        foreach ([-1, '35.45', '', '0x1', '01', '1000000000000', "1\n"] as $amount) {
            self::assertSame('amountMinor', self::stage()->exception(static fn () => Money::of($amount, 'EUR'))->member);
        }
        foreach (['eur', 'EURO', '', "EUR\n"] as $currency) {
            self::assertSame('currency', self::stage()->exception(static fn () => Money::of(1, $currency))->member);
        }
    }

    public function testWhatJsonOrTheApiDoesNotHaveIsNotSent(): void
    {
        $rows = [
            'amount' => ['amount' => 35.45],
            'list' => ['list' => [1, 2.5]],
            'text' => ['text' => "\xff"],
            'object' => ['object' => new \stdClass()],
        ];
        foreach ($rows as $member => $body) {
            $stage = self::stage();
            self::assertSame($member, $stage->exception(static fn (Payframe $p) => $p->operations->refund('1', $body))->member);
            self::assertSame([], $stage->sent);
        }
    }
}
