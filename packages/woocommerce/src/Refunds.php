<?php

declare(strict_types=1);

namespace Payframe\WooCommerce;

use Payframe\Exception\PayframeException;
use Payframe\Money;
use Payframe\OrderKeeper\OrderKeeper;
use Payframe\Runtime;

/**
 * Refunds of the staff, and refunds that somebody made at the gateway.
 *
 * WooCommerce stores a refund, asks the plug-in to make it, and deletes it if it hears of an error. So the key of the gateway's call is in
 * both books before the call: in the row (PLANNED, then WANTED, then DONE or REFUSED) and in the refund's meta data. A call without an
 * answer is repeated with this key until its outcome is known, and WooCommerce gets the refund that it may have deleted meanwhile.
 */
final class Refunds
{
    /** Meta data of a refund: the key of its call, and the operation of the gateway. */
    public const KEY = '_payframe_refund';
    public const OPERATION = '_payframe_operation';
    /** @var array<int, string> keys of the refunds that this program makes now, by order */
    private array $keys = [];
    /** @var array<string, string> meta data of the refund that is being recorded */
    private array $recording = [];

    public function __construct(private readonly Book $book, private readonly Runtime $runtime)
    {
    }

    /**
     * WooCommerce is about to store a refund.
     *
     * @param array<string, mixed> $arguments of `wc_create_refund`
     */
    public function planned(\WC_Order_Refund $refund, array $arguments): void
    {
        foreach ($this->recording as $name => $value) {
            $refund->update_meta_data($name, $value);
        }
        if ($this->recording !== [] || empty($arguments['refund_payment'])) {
            return;
        }
        $order = $this->book->shop->order((int) ($arguments['order_id'] ?? 0));
        $row = $order === null ? null : $this->book->rows->paying($order->get_id(), $order->get_transaction_id());
        if ($row === null) {
            return;
        }
        $amount = Amounts::minorOf($refund->get_amount(), $row->currency);
        $key = $this->unfinishedKey($row, $amount) ?? "refund {$this->runtime->uuid()}";
        $this->book->rows->change($row->reference, function (Row $row) use ($key, $amount): void {
            if (!\in_array($key, array_column($row->refunds, 'key'), true)) {
                $at = $this->now() + self::PLANNED_SECONDS;
                $row->refunds[] = ['key' => $key, 'amount' => $amount, 'state' => 'PLANNED', 'at' => $at, 'version' => '', 'operation' => ''];
                $row->workAt ??= $at;
            }
        });
        $refund->update_meta_data(self::KEY, $key);
        $this->keys[$order->get_id()] = $key;
    }

    /** Makes a refund that WooCommerce has stored. Anything but true makes WooCommerce delete it again. */
    public function make(int $orderId, string|int|float|null $amount): true|\WP_Error
    {
        $key = $this->keys[$orderId] ?? null;
        unset($this->keys[$orderId]);
        $order = $this->book->shop->order($orderId);
        $row = $order === null ? null : $this->book->rows->paying($orderId, $order->get_transaction_id());
        if ($row === null) {
            return self::error('no_payment', __('No card payment of this order has money.', 'payframe-woocommerce'));
        }
        try {
            $minor = Amounts::minorOf($amount ?? 0, $row->currency);
            return $this->makeOf($row, $key ?? "refund {$this->runtime->uuid()}", $minor);
        } catch (PayframeException $exception) {
            $this->book->log->failure($exception);
            return self::error($exception->errorCode, $exception->getMessage());
        }
    }

    private function makeOf(Row $row, string $key, int $amount): true|\WP_Error
    {
        $isRepeated = ($this->refundOf($row, $key)['state'] ?? '') === 'WANTED';
        if (!$isRepeated) {
            $seen = $this->book->payframe->orders->read($row->reference);
            $refusal = $this->refusal($row, $seen, $amount);
            if ($refusal !== null) {
                $this->refused($row->reference, $key);
                return self::error('not_possible', $refusal);
            }
            $row = $this->book->rows->change($row->reference, function (Row $row) use ($key, $amount, $seen): void {
                $others = array_values(array_filter($row->refunds, static fn (array $one): bool => $one['key'] !== $key));
                $wanted = ['state' => 'WANTED', 'at' => $this->now() + Book::RETRY_SECONDS, 'version' => (string) ($seen['orderVersion'] ?? ''), 'operation' => ''];
                $row->refunds = [...$others, ['key' => $key, 'amount' => $amount] + $wanted];
                $row->workAt = $this->now() + Book::RETRY_SECONDS;
            });
        }
        try {
            $result = $this->call($row, $this->refundOf($row, $key));
        } catch (PayframeException $exception) {
            if ($exception->isRetryable || $exception->outcomeUnknown) {
                $this->book->log->failure($exception);
                return self::error('outcome_unknown', __(
                    'The gateway did not answer. The refund is repeated until its outcome is known, and then stands here. Do not make another one.',
                    'payframe-woocommerce',
                ));
            }
            $this->refused($row->reference, $key);
            throw $exception;
        }
        if ($result === 'REFUSED') {
            return self::error('refused', __('The refund was refused.', 'payframe-woocommerce'));
        }
        // WooCommerce has stored it before it asked.
        $this->changeOne($row->reference, $key, ['isStored' => true]);
        $this->book->happens($row->reference, ['type' => 'FEED']);
        return true;
    }

    /** Refunds of which the outcome is not known: a program ended, or no answer came. */
    public function finish(Row $row): void
    {
        foreach ($row->openRefunds() as $refund) {
            if ($refund['at'] > $this->now()) {
                $this->book->rows->change($row->reference, static fn (Row $row) => $row->workAt ??= $refund['at']);
                continue;
            }
            $stored = $this->storedWith($row, self::KEY, $refund['key']);
            if ($refund['state'] === 'REFUSED' || ($refund['state'] === 'PLANNED' && $stored === null)) {
                // It was refused, and WooCommerce did not come to delete it; or WooCommerce has not stored it, and so never asked for money.
                $stored?->delete(true);
                $this->forget($row->reference, $refund['key']);
                // What was not recorded while it was open is recorded now.
                $this->book->happens($row->reference, ['type' => 'FEED']);
                continue;
            }
            $this->finishOne($row, $refund, $stored);
        }
    }

    private function finishOne(Row $row, array $refund, ?\WC_Order_Refund $stored): void
    {
        try {
            $refused = $this->call($row, $refund) === 'REFUSED' ? __('It was refused.', 'payframe-woocommerce') : null;
        } catch (PayframeException $exception) {
            if ($exception->isRetryable || $exception->outcomeUnknown) {
                throw $exception;
            }
            $refused = $exception->getMessage();
        }
        if ($refused !== null) {
            // As WooCommerce does it when it hears of an error.
            $stored?->delete(true);
            $this->forget($row->reference, $refund['key']);
            $sum = Amounts::majorOf($refund['amount'], $row->currency) . " $row->currency";
            /* translators: 1: a sum, 2: why */
            $this->book->shop->note($row, sprintf(__('the refund of %1$s was not made. %2$s', 'payframe-woocommerce'), $sum, $refused));
            return;
        }
        $this->book->happens($row->reference, ['type' => 'FEED']);
    }

    /**
     * Writes refunds and releases of the gateway's order that WooCommerce does not have: of the gateway's back office, or of calls that had
     * no answer. To do it again changes nothing.
     *
     * @param array<string, mixed> $answer of `orders->read()`
     */
    public function record(string $reference, array $answer): void
    {
        $row = $this->book->rows->known($reference);
        $order = $this->book->shop->order($row->orderId);
        $isPaid = $order !== null && $row->operation !== '' && $order->get_transaction_id() === $row->operation;
        $isOpen = array_intersect(array_column($row->refunds, 'state'), ['PLANNED', 'WANTED']) !== [];
        if (!$isPaid || $isOpen || $order->has_status(['cancelled', 'refunded'])) {
            return;
        }
        foreach (array_reverse($answer['operations']) as $operation) {
            $isRefund = \in_array($operation['operationType'], ['REFUND', 'VOID'], true) && ($operation['operationResult'] ?? '') === 'EXECUTED';
            if ($isRefund && !$this->isRecorded($row, $operation['operationId'])) {
                $this->recordOne($row, $operation);
            }
        }
    }

    private function isRecorded(Row $row, string $operation): bool
    {
        $refund = array_column($row->refunds, null, 'operation')[$operation] ?? null;
        return $this->storedWith($row, self::OPERATION, $operation) !== null
            || ($refund !== null && (($refund['isStored'] ?? false) || $this->storedWith($row, self::KEY, $refund['key']) !== null));
    }

    private function recordOne(Row $row, array $operation): void
    {
        $this->recording = [self::OPERATION => $operation['operationId']];
        try {
            $made = wc_create_refund([
                'order_id' => $row->orderId,
                'amount' => Amounts::majorOf((int) $operation['operationAmount'], $row->currency),
                'reason' => __('Made at the gateway', 'payframe-woocommerce'),
                'refund_payment' => false,
                'restock_items' => false,
            ]);
        } finally {
            $this->recording = [];
        }
        if (is_wp_error($made)) {
            $this->book->log->error("The refund $operation[operationId] of $row->reference could not be written: {$made->get_error_message()}");
        }
    }

    /** Why a refund can not be made; null if it can. */
    private function refusal(Row $row, array $seen, int $amount): ?string
    {
        if (OrderKeeper::readInput(0, $seen, $row->currency)['type'] !== 'READ') {
            return __('The answer of the gateway can not be understood.', 'payframe-woocommerce');
        }
        $status = $seen['orderStatus'];
        $captured = (int) ($status['capturedAmount'] ?? 0);
        $held = (int) $status['authorizedAmount'] - $captured;
        return match (true) {
            $amount <= 0 => __('There is nothing to refund.', 'payframe-woocommerce'),
            $captured === 0 && $amount !== $held => __(
                'The money is only held, so that it can only go back as a whole. Complete the order first: this captures it.',
                'payframe-woocommerce',
            ),
            // The gateway takes such a sum for a release.
            $captured > 0 && $amount === $held && $held > $captured => __(
                'Less than this is captured. Complete the order first: this captures the rest.',
                'payframe-woocommerce',
            ),
            default => null,
        };
    }

    /** @return 'MADE'|'REFUSED' */
    private function call(Row $row, array $refund): string
    {
        $made = $this->book->payframe->operations->refund(
            $row->operation,
            Money::of($refund['amount'], $row->currency),
            $refund['key'],
            $refund['version'] === '' ? null : $refund['version'],
        );
        $result = $this->book->payframe->operations->read($made['operationId'])['operationResult'];
        if (\in_array($result, ['DECLINED', 'FAILED', 'CANCELED'], true)) {
            $this->refused($row->reference, $refund['key']);
            return 'REFUSED';
        }
        $this->changeOne($row->reference, $refund['key'], ['state' => 'DONE', 'operation' => $made['operationId']]);
        return 'MADE';
    }

    /** The key of a refund of the same sum that had no answer, and that WooCommerce has deleted: to press again is the same call. */
    private function unfinishedKey(Row $row, int $amount): ?string
    {
        foreach ($row->openRefunds() as $refund) {
            if ($refund['state'] === 'WANTED' && $refund['amount'] === $amount && $this->storedWith($row, self::KEY, $refund['key']) === null) {
                return $refund['key'];
            }
        }
        return null;
    }

    private function storedWith(Row $row, string $name, string $value): ?\WC_Order_Refund
    {
        foreach ($this->book->shop->order($row->orderId)?->get_refunds() ?? [] as $refund) {
            if ($refund->get_meta($name) === $value) {
                return $refund;
            }
        }
        return null;
    }

    private function refundOf(Row $row, string $key): ?array
    {
        return array_column($row->refunds, null, 'key')[$key] ?? null;
    }

    private function changeOne(string $reference, string $key, array $members): void
    {
        $this->book->rows->change($reference, static function (Row $row) use ($key, $members): void {
            $row->refunds = array_map(static fn (array $one): array => $one['key'] === $key ? $members + $one : $one, $row->refunds);
        });
    }

    /** WooCommerce hears of it, and deletes its refund. If it ends before that, the refund is deleted later. */
    private function refused(string $reference, string $key): void
    {
        $this->changeOne($reference, $key, ['state' => 'REFUSED', 'at' => $this->now() + self::PLANNED_SECONDS]);
    }

    private function forget(string $reference, string $key): void
    {
        $this->book->rows->change($reference, static function (Row $row) use ($key): void {
            $row->refunds = array_values(array_filter($row->refunds, static fn (array $one): bool => $one['key'] !== $key));
        });
    }

    private static function error(string $code, string $message): \WP_Error
    {
        return new \WP_Error("payframe_$code", $message);
    }

    private function now(): int
    {
        return (int) $this->runtime->now();
    }

    /** How long WooCommerce may take from planning a refund to asking for it, and from hearing of a refusal to deleting it. */
    private const PLANNED_SECONDS = 600;
}
