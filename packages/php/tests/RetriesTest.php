<?php

declare(strict_types=1);

namespace Payframe\Tests;

use Payframe\Payframe;
use PHPUnit\Framework\TestCase;
use Psr\Http\Message\ResponseInterface;
use Psr\Log\AbstractLogger;

/** Which calls are repeated, how, and what is said of those that are given up. */
final class RetriesTest extends TestCase
{
    private const SUM = ['amount' => '3545', 'currency' => 'EUR'];
    private const TAKEN = ['operationId' => '2', 'operationTime' => '2030-01-31T10:00:00.000Z'];

    private static function busy(): ResponseInterface
    {
        return Stage::refusal(429, 'GW9002', 'too many requests', ['retry-after' => '3']);
    }

    private static function away(): ResponseInterface
    {
        return Stage::refusal(503, 'GW9013', 'the gateway has no access to its data now', ['retry-after' => '5']);
    }

    private static function running(): ResponseInterface
    {
        return Stage::refusal(409, 'GW9001', 'a request with this idempotency key is still running');
    }

    private static function denied(): ResponseInterface
    {
        return Stage::refusal(401, 'GW9020', 'header X-API-KEY must hold a valid API key');
    }

    private static function tooMuch(): ResponseInterface
    {
        return Stage::refusal(400, 'PS0029', 'amount is above what is captured');
    }

    public function testACallThatFailedOnTheWayIsRepeatedWithTheSameKeyAndTheSameId(): void
    {
        $steps = [
            Stage::lost(), new \RuntimeException('of a client'), Stage::text('<html>', 502, []), Stage::answer([], 503), Stage::answer([], 504),
            self::busy(), self::away(), self::running(), Stage::refusal(500, 'PS0000', 'a failure of ours'),
        ];
        foreach ($steps as $step) {
            $stage = new Stage([$step, Stage::answer(self::TAKEN)]);
            self::assertSame(self::TAKEN, $stage->payframe->operations->refund('1', self::SUM));
            self::assertCount(2, $stage->sent);
            [$first, $second] = $stage->sent;
            self::assertSame($first->getHeaders(), $second->getHeaders());
            self::assertSame(json_encode(self::SUM), (string) $second->getBody());
        }
    }

    public function testAReadIsRepeatedToo(): void
    {
        $stage = new Stage([Stage::lost(), Stage::lost(), Stage::answer(['orders' => []])]);
        self::assertSame([], $stage->payframe->orders->list());
        self::assertCount(3, $stage->sent);
    }

    public function testARefusalIsNotRepeated(): void
    {
        $steps = [
            Stage::refusal(400, 'PS0026', 'amount is missing'), self::denied(), Stage::refusal(409, 'GW9999', 'another conflict'),
            Stage::answer([], 404), Stage::answer([], 413), Stage::answer([], 302), Stage::text('no JSON'), Stage::text('[]'), Stage::text('7'),
        ];
        foreach ($steps as $step) {
            $stage = new Stage([$step]);
            $exception = $stage->exception(static fn (Payframe $p) => $p->operations->refund('1', self::SUM));
            self::assertCount(1, $stage->sent);
            self::assertFalse($exception->isRetryable);
        }
    }

    public function testAnAnswerWithoutTheMemberThatIsWantedIsUnreadable(): void
    {
        $exception = (new Stage([Stage::answer(['x' => 1])]))->exception(static fn (Payframe $p) => $p->orders->list());
        self::assertSame(['unreadable_answer', 200], [$exception->errorCode, $exception->status]);
    }

    public function testThePausesGrowUpToALimitAndHalfOfEachIsRandom(): void
    {
        $stage = new Stage([Stage::answer([], 503)], 7);
        $stage->exception(static fn (Payframe $p) => $p->orders->list());
        self::assertSame([0.25, 0.5, 1.0, 2.0, 4.0, 4.0, 4.0], $stage->waits);
        $late = new Stage([Stage::answer([], 503)], 1, 1.0);
        $late->exception(static fn (Payframe $p) => $p->orders->list());
        self::assertSame([0.5], $late->waits);
    }

    public function testRetryAfterIsHeededAsSecondsAndAsADate(): void
    {
        $rows = [
            '3' => 3.25, 'Thu, 31 Jan 2030 10:00:20 GMT' => 20.25, 'Thu, 31 Jan 2030 09:00:00 GMT' => 0.25, 'soon' => 0.25, '-5' => 0.25, '60' => 60.25,
        ];
        foreach ($rows as $retryAfter => $expected) {
            $stage = new Stage([Stage::answer([], 503, ['retry-after' => (string) $retryAfter]), Stage::answer()]);
            $stage->payframe->orders->read('A1');
            self::assertSame([$expected], $stage->waits, (string) $retryAfter);
        }
    }

    public function testACallDoesNotWaitForMoreThanAMinuteBecauseItIsAskedTo(): void
    {
        $stage = new Stage([Stage::answer([], 503, ['retry-after' => '61'])]);
        $exception = $stage->exception(static fn (Payframe $p) => $p->orders->read('A1'));
        self::assertSame([1, 'http_503', true], [\count($stage->sent), $exception->errorCode, $exception->isRetryable]);
    }

    public function testMaxRetriesIsTheNumberOfRepetitions(): void
    {
        foreach ([0, 1, 5] as $maxRetries) {
            $stage = new Stage([Stage::lost()], $maxRetries);
            $stage->exception(static fn (Payframe $p) => $p->orders->list());
            self::assertCount($maxRetries + 1, $stage->sent);
        }
    }

    public function testAWriteWithoutAnAnswerSaysThatItsOutcomeIsNotKnownAndWithWhichKeyToRepeatIt(): void
    {
        $rows = [
            [[Stage::lost()], 'unreachable'],
            [[Stage::answer([], 502)], 'http_502'],
            [[self::running()], 'GW9001'],
            [[Stage::refusal(500, 'PS0000', 'a failure of ours')], 'PS0000'],
            [[self::away()], 'GW9013'],
            [[Stage::text('<html>')], 'unreadable_answer'],
            [[Stage::answer([], 307)], 'unreadable_answer'],
            // What came first may have been carried out, and what came last says nothing of it.
            [[Stage::lost(), self::busy()], 'GW9002'],
            [[Stage::lost(), self::denied()], 'GW9020'],
            [[Stage::lost(), Stage::answer([], 403, [])], 'http_403'],
        ];
        foreach ($rows as [$steps, $code]) {
            $exception = self::refund($steps);
            self::assertSame([$code, true, 'k'], [$exception->errorCode, $exception->outcomeUnknown, $exception->idempotencyKey]);
            self::assertStringContainsString('not known: repeat it with the same idempotency key', $exception->getMessage());
        }
    }

    public function testAWriteThatWasRefusedHasAnOutcomeNothingHappened(): void
    {
        $rows = [
            [self::tooMuch()], [self::busy()], [self::denied()], [Stage::refusal(500, 'GW9005', 'a fault')],
            // The gateway looks the key up first, so this refusal is of the first attempt too.
            [Stage::lost(), self::tooMuch()], [Stage::lost(), Stage::answer([], 404)],
        ];
        foreach ($rows as $steps) {
            self::assertFalse(self::refund($steps)->outcomeUnknown);
        }
    }

    public function testAReadNeverHasAnUnknownOutcome(): void
    {
        $exception = (new Stage([Stage::lost()]))->exception(static fn (Payframe $p) => $p->orders->read('A1'));
        self::assertSame(
            ['network', false, true, null],
            [$exception->kind->value, $exception->outcomeUnknown, $exception->isRetryable, $exception->idempotencyKey],
        );
    }

    public function testARepeatedCallIsLoggedWithoutAnythingSecret(): void
    {
        $log = new class () extends AbstractLogger {
            /** @var list<string> */
            public array $lines = [];

            /** @param mixed $level @param string|\Stringable $message @param array<mixed> $context */
            public function log($level, $message, array $context = []): void
            {
                $this->lines[] = "$level $message " . json_encode($context);
            }
        };
        $stage = new Stage([self::busy(), Stage::answer()], log: $log);
        $stage->payframe->sessions->finalize('a-secret-session');
        $context = '{"verb":"POST","status":429,"code":"GW9002","correlationId":"id-1","seconds":3.25}';
        self::assertSame(["notice A call to the gateway is repeated. $context"], $log->lines);
    }

    /** @param list<ResponseInterface|\Exception> $steps */
    private static function refund(array $steps): \Payframe\Exception\PayframeException
    {
        $stage = new Stage($steps, \count($steps) - 1);
        return $stage->exception(static fn (Payframe $p) => $p->operations->refund('1', self::SUM, 'k'));
    }
}
