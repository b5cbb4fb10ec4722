<?php

declare(strict_types=1);

namespace Payframe\Tests;

use Payframe\ErrorKind;
use Payframe\Payframe;
use PHPUnit\Framework\TestCase;
use Psr\Http\Message\RequestInterface;

/** Disputes and settlements: files are bytes, and lists are read to their end. */
final class DisputesTest extends TestCase
{
    public function testEveryByteOfAFileArrivesAsItWas(): void
    {
        $bytes = str_repeat(implode('', array_map(chr(...), range(0, 255))), 400);
        $stage = new Stage([Stage::answer(['file' => ['fileId' => 'f'], 'content' => base64_encode($bytes)])]);
        $stage->payframe->disputes->addFile('d', 'a.pdf', $bytes);
        self::assertSame($bytes, base64_decode(json_decode((string) $stage->sent[0]->getBody(), true)['content'], true));
        self::assertSame(['file' => ['fileId' => 'f'], 'content' => $bytes], $stage->payframe->disputes->readFile('f'));
    }

    public function testAContentThatIsNoBase64IsNotTheGateways(): void
    {
        foreach ([['file' => []], ['file' => [], 'content' => '%'], ['file' => [], 'content' => 7]] as $answer) {
            $exception = (new Stage([Stage::answer($answer)]))->exception(static fn (Payframe $p) => $p->disputes->readFile('f'));
            self::assertSame([ErrorKind::Gateway, 'unreadable_answer'], [$exception->kind, $exception->errorCode]);
        }
    }

    public function testTheExceptionOfAFileThatTheGatewayRefusesHasTheMember(): void
    {
        $stage = new Stage([Stage::refusal(400, 'PS0026', 'content is refused: the file must be a PDF document, or a PNG or JPEG picture')]);
        $exception = $stage->exception(static fn (Payframe $p) => $p->disputes->addFile('d', 'a.txt', 'a', 'k'));
        self::assertSame(
            [ErrorKind::Caller, 'PS0026', 'content', 'k', false],
            [$exception->kind, $exception->errorCode, $exception->member, $exception->idempotencyKey, $exception->outcomeUnknown],
        );
    }

    public function testEvidenceWithoutTextsIsAnObject(): void
    {
        $stage = new Stage([Stage::answer()]);
        $stage->payframe->disputes->submitEvidence('d');
        self::assertSame('{}', (string) $stage->sent[0]->getBody());
    }

    public function testDisputesAreReadPageByPageUntilThereIsNone(): void
    {
        $stage = new Stage([
            Stage::answer(['disputes' => [['disputeId' => 'c'], ['disputeId' => 'b']], 'hasMore' => true]),
            Stage::answer(['disputes' => [['disputeId' => 'a']], 'hasMore' => false]),
        ]);
        $read = array_column(iterator_to_array($stage->payframe->disputes->all(['state' => 'WON']), false), 'disputeId');
        self::assertSame(['c', 'b', 'a'], $read);
        self::assertSame(['/disputes?state=WON', '/disputes?state=WON&after=b'], self::paths($stage));
        $empty = new Stage([Stage::answer(['disputes' => [], 'hasMore' => false])]);
        self::assertSame([], iterator_to_array($empty->payframe->disputes->all(), false));
    }

    public function testSettlementsAndTheLinesOfOneAreReadPageByPageUntilThereIsNone(): void
    {
        $stage = new Stage([
            Stage::answer(['settlements' => [['settlementId' => '2']], 'nextCursor' => '5-2']),
            Stage::answer(['settlements' => [['settlementId' => '1']]]),
            Stage::answer(['lines' => [['line' => 2], ['line' => 3]], 'nextCursor' => '3']),
            Stage::answer(['lines' => [['line' => 4]]]),
        ]);
        $settlements = $stage->payframe->settlements;
        self::assertSame(['2', '1'], array_column(iterator_to_array($settlements->all(), false), 'settlementId'));
        self::assertSame([2, 3, 4], array_column(iterator_to_array($settlements->lines('2', ['limit' => 2]), false), 'line'));
        self::assertSame(['/settlements', '/settlements?after=5-2', '/settlements/2?limit=2', '/settlements/2?limit=2&after=3'], self::paths($stage));
    }

    /** @return list<string> */
    private static function paths(Stage $stage): array
    {
        $path = static fn (RequestInterface $sent): string => str_replace(Stage::GATEWAY . '/api', '', (string) $sent->getUri());
        return array_map($path, $stage->sent);
    }
}
