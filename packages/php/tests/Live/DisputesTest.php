<?php

declare(strict_types=1);

namespace Payframe\Tests\Live;

use Payframe\Exception\PayframeException;
use PHPUnit\Framework\TestCase;

/** Disputes and settlements of a gateway that runs in the sandbox. `Sandbox` has the variables. */
final class DisputesTest extends TestCase
{
    private const PDF = '%PDF-1.7 a delivery note';

    public function testADisputeIsOpenedAnsweredDecidedAndToldOfInTheFeed(): void
    {
        $payframe = Sandbox::payframe();
        $disputes = $payframe->disputes;
        $orderId = Sandbox::newOrderId();
        $operationId = Sandbox::captured($orderId);
        $cursor = $payframe->events->list(['after' => 'latest'])['nextCursor'];
        $opened = $payframe->testDisputes->open(['operationId' => $operationId, 'category' => 'FRAUD', 'reasonCode' => '10.4']);
        $id = $opened['disputeId'];
        self::assertSame(['NEEDS_RESPONSE', 'CHARGEBACK', '3545'], [$opened['state'], $opened['kind'], $opened['amount']]);
        self::assertSame([$opened], $disputes->list(['orderId' => $orderId])['disputes']);
        self::assertSame('GW9014', self::refused(static fn () => $payframe->operations->refund($operationId, ['amount' => '3545']))[0]);
        self::assertSame('3545', $payframe->orders->read($orderId)['disputedAmount']);

        $file = $disputes->addFile($id, 'delivery note.pdf', self::PDF, "file of $orderId");
        self::assertSame($file, $disputes->addFile($id, 'delivery note.pdf', self::PDF, "file of $orderId"));
        self::assertSame(['application/pdf', \strlen(self::PDF)], [$file['mediaType'], $file['size']]);
        self::assertSame(['file' => $file, 'content' => self::PDF], $disputes->readFile($file['fileId']));
        $other = $disputes->addFile($id, 'twice.pdf', self::PDF)['fileId'];
        $disputes->removeFile($other);
        self::assertSame(['not_found', null], self::refused(static fn () => $disputes->readFile($other)));
        self::assertSame(['PS0026', 'content'], self::refused(static fn () => $disputes->addFile($id, 'note.txt', 'a note')));

        $answered = $disputes->submitEvidence($id, ['delivery' => 'handed over at the counter']);
        self::assertSame(['UNDER_REVIEW', [$file]], [$answered['state'], $answered['files']]);
        self::assertSame('GW9003', self::refused(static fn () => $disputes->accept($id))[0]);
        self::assertSame('WON', $payframe->testDisputes->decide($id, 'WON')['state']);
        self::assertSame('WON', $disputes->read($id)['state']);
        $told = array_column(iterator_to_array($payframe->events->since($cursor), false), 'dispute');
        $states = array_column(array_filter($told, static fn (array $dispute): bool => $dispute['disputeId'] === $id), 'state');
        self::assertSame(['NEEDS_RESPONSE', 'UNDER_REVIEW', 'WON'], $states);
    }

    public function testADisputeIsAcceptedAndAllAreReadPageByPage(): void
    {
        $payframe = Sandbox::payframe();
        $orderId = Sandbox::newOrderId();
        $operationId = Sandbox::captured($orderId);
        $open = static fn (string $amount): string => $payframe->testDisputes->open(['operationId' => $operationId, 'amount' => $amount])['disputeId'];
        $opened = array_map($open, ['1000', '2000', '545']);
        self::assertSame('ACCEPTED', $payframe->disputes->accept($opened[2])['state']);
        $read = iterator_to_array($payframe->disputes->all(['orderId' => $orderId, 'limit' => 1]), false);
        self::assertSame(array_reverse($opened), array_column($read, 'disputeId'));
    }

    public function testNoSettlementIsImported(): void
    {
        $settlements = Sandbox::payframe()->settlements;
        self::assertSame([], $settlements->list(['limit' => 10])['settlements']);
        self::assertSame([], iterator_to_array($settlements->all(), false));
        self::assertSame(['not_found', null], self::refused(static fn () => $settlements->read('347074400000000000')));
        self::assertSame(['PS0026', 'after'], self::refused(static fn () => $settlements->list(['after' => 'x'])));
    }

    /** Code and member of the refusal of a call. @return array{string, ?string} */
    private static function refused(callable $call): array
    {
        try {
            $call();
        } catch (PayframeException $exception) {
            return [$exception->errorCode, $exception->member];
        }
        self::fail('The call succeeded');
    }
}
