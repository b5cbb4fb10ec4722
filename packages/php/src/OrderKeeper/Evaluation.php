<?php

declare(strict_types=1);

namespace Payframe\OrderKeeper;

/**
 * The meaning of an answer of the gateway for an order. Only this class decides what is paid.
 *
 * @internal
 */
final class Evaluation
{
    /**
     * @param bool $isCovered whether a payment covers the whole amount and is kept
     * @param list<array{string, int}> $extra payments to refund, each with the amount to refund
     * @param int $kept the held money besides these
     */
    private function __construct(
        private readonly bool $isCovered,
        private readonly array $extra,
        private readonly int $kept,
        private readonly bool $isUndecided,
        private readonly bool $wasReturned,
    ) {
    }

    /**
     * Evaluates the answer to the newest question.
     *
     * @param array{held: int, payments: list<array{operation: string, outcome: string, amount: int}>} $reading
     */
    public static function apply(Working $working, array $reading): void
    {
        $evaluation = self::of($working, $reading);
        foreach ($evaluation->extra as [$operation, $amount]) {
            if (!\in_array($operation, $working->returning, true)) {
                $working->returning[] = $operation;
                $working->outputs[] = ['type' => 'GIVE_BACK', 'operation' => $operation, 'amount' => $amount];
            }
        }
        if ($evaluation->isCovered) {
            $evaluation->paid($working);
        } elseif ($evaluation->kept > 0) {
            self::partlyPaid($working);
        } elseif ($evaluation->extra === []) {
            $evaluation->nothingHeld($working);
        } elseif ($working->goods === 'RELEASED') {
            $working->needsPerson('PAID_AFTER_RELEASE');
        }
        $evaluation->goOn($working);
    }

    /** @param array{held: int, payments: list<array{operation: string, outcome: string, amount: int}>} $reading */
    private static function of(Working $working, array $reading): self
    {
        $keeps = $working->intent !== 'GIVE_BACK' && $working->goods !== 'RELEASED';
        $approved = array_filter($reading['payments'], static fn (array $one): bool => $one['outcome'] === 'APPROVED');
        $isReturning = static fn (array $one): bool => \in_array($one['operation'], $working->returning, true);
        $cover = null;
        foreach ($approved as $payment) {
            if ($cover === null && $keeps && $payment['amount'] >= $working->due && !$isReturning($payment)) {
                $cover = $payment;
            }
        }
        $kept = $reading['held'];
        if ($cover !== null || !$keeps) {
            $excess = max(0, $kept - ($cover['amount'] ?? 0));
            $spare = array_filter($approved, static fn (array $one): bool => $one !== $cover);
        } else {
            // Money that is being refunded already is not a part payment.
            $excess = $kept;
            $spare = array_filter($approved, $isReturning);
        }
        $extra = [];
        foreach ($spare as $payment) {
            $amount = min($payment['amount'], $excess);
            if ($amount > 0) {
                $excess -= $amount;
                $kept -= $amount;
                $extra[] = [$payment['operation'], $amount];
            }
        }
        $outcomes = array_column($reading['payments'], 'outcome');
        return new self(
            $cover !== null && $kept >= $working->due,
            $extra,
            $kept,
            \in_array('UNDECIDED', $outcomes, true),
            \in_array('RETURNED', $outcomes, true),
        );
    }

    private function paid(Working $working): void
    {
        $working->intent = 'SELL';
        $working->closeAll();
        if ($this->kept > $working->due) {
            $working->needsPerson('TOO_MUCH');
            return;
        }
        $working->setStatus('PAID');
        if ($working->called !== 'NOT_GIVEN_BACK') {
            $working->called = null;
        }
        $working->fulfil();
    }

    private static function partlyPaid(Working $working): void
    {
        $working->setStatus('PARTLY_PAID');
        $working->closeAll();
        if ($working->goods !== 'FULFILLED') {
            $working->call('TOO_LITTLE');
        }
    }

    private function nothingHeld(Working $working): void
    {
        $isOver = $working->intent !== 'SELL' || $this->wasReturned;
        if ($isOver) {
            $working->closeAll();
        }
        if ($this->isUndecided) {
            if ($working->goods === 'RESERVED' && $working->status !== 'NEEDS_PERSON') {
                $working->setStatus('PAYING', 'ISSUER');
            }
        } elseif ($this->wasReturned) {
            // The open attempts are being closed. When the last one is closed, the order is read again.
            if ($working->open === []) {
                self::over($working, 'REFUNDED');
            }
        } elseif ($working->goods === 'FULFILLED') {
            $working->needsPerson('FULFILLED_UNPAID');
        } elseif ($working->open !== []) {
            if ($working->goods === 'RESERVED') {
                $working->setStatus('PAYING', 'BUYER');
            }
        } elseif ($isOver) {
            self::over($working, 'GIVEN_UP');
        } else {
            $working->setStatus('UNPAID');
            $working->called = null;
        }
    }

    private static function over(Working $working, string $status): void
    {
        $working->setStatus($status);
        $working->called = null;
        $working->release();
    }

    /** Reads the order again while it can change without a message, and calls a person if nothing changes for too long. */
    private function goOn(Working $working): void
    {
        $isWithBuyer = $working->status === 'PAYING' && $working->statusDetail === 'BUYER';
        if (!$this->isUndecided && $this->extra === [] && !$isWithBuyer) {
            $working->reads = 0;
            return;
        }
        $working->askLater();
        if ($working->reads < Working::READS_UNTIL_PERSON) {
            return;
        }
        if ($this->extra !== []) {
            $working->call('NOT_GIVEN_BACK');
        } elseif ($this->isUndecided) {
            if ($working->status === 'PAYING' && $working->statusDetail === 'ISSUER') {
                $working->setStatus('NEEDS_PERSON', 'UNDECIDED');
            }
            $working->call('UNDECIDED');
        }
    }
}
