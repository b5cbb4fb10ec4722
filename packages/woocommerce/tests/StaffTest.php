<?php

declare(strict_types=1);

namespace Payframe\WooCommerce\Tests;

use Payframe\WooCommerce\Plugin;

/** What the staff and WooCommerce itself do with an order: capture, refund, cancel, "Hold stock". */
final class StaffTest extends ShopTestCase
{
    /** What the button "Refund via Card" of WooCommerce does. */
    private function refund(int $orderId, string $amount): \WC_Order_Refund|\WP_Error
    {
        return wc_create_refund(['order_id' => $orderId, 'amount' => $amount, 'reason' => 'returned', 'refund_payment' => true]);
    }

    private function captured(): int
    {
        $orderId = $this->paid();
        $this->order($orderId)->update_status('completed');
        return $orderId;
    }

    /** @return list<string> amounts of the refunds that WooCommerce has, the newest first */
    private function refunds(int $orderId): array
    {
        return array_map(static fn (\WC_Order_Refund $one): string => $one->get_amount(), $this->order($orderId)->get_refunds());
    }

    public function testCompletedCapturesOnce(): void
    {
        $orderId = $this->captured();
        self::assertSame(3545, $this->gateway->sum("w$orderId", 'CAPTURE'));
        $this->order($orderId)->update_status('processing');
        $this->order($orderId)->update_status('completed');
        do_action('woocommerce_order_action_payframe_capture', $this->order($orderId));
        $this->pass(5);
        self::assertSame(['POST /operations/000000000000000001/captures'], $this->gateway->called('POST /operations'));
    }

    public function testGoodsThatNeedNoShippingAreCapturedWhenTheyArePaid(): void
    {
        $orderId = $this->placed(['is_download' => true]);
        $this->gateway->pay($this->formOf($orderId));
        $this->notify("w$orderId");
        self::assertSame(['completed', 3545], [$this->order($orderId)->get_status(), $this->gateway->sum("w$orderId", 'CAPTURE')]);
    }

    public function testACaptureWithoutAnAnswerIsRepeatedAndMadeOnce(): void
    {
        $orderId = $this->paid();
        $this->gateway->unanswered = ['POST /operations'];
        $this->order($orderId)->update_status('completed');
        $this->pass(2);
        $this->gateway->unanswered = [];
        $this->pass(2);
        self::assertSame([3545, 'DONE'], [$this->gateway->sum("w$orderId", 'CAPTURE'), Plugin::book()->rows->known("w$orderId")->capture['state']]);
    }

    public function testACaptureThatIsRefusedCallsAPersonAndCanBeTriedAgain(): void
    {
        $orderId = $this->paid();
        $answer = $this->world->http;
        $this->world->http = static fn (string $url, array $arguments): array => str_ends_with($url, '/captures')
            ? ['headers' => [], 'response' => ['code' => 400], 'body' => '{"errors":[{"code":"PS0034","description":"It is refused."}]}']
            : $answer($url, $arguments);
        $this->order($orderId)->update_status('completed');
        self::assertSame('CAPTURE_REFUSED', Plugin::book()->rows->known("w$orderId")->needsPerson);
        $this->world->http = $answer;
        $this->pass(5);
        self::assertSame(0, $this->gateway->sum("w$orderId", 'CAPTURE'));
        do_action('woocommerce_order_action_payframe_capture', $this->order($orderId));
        self::assertSame(3545, $this->gateway->sum("w$orderId", 'CAPTURE'));
    }

    public function testPartsAreRefundedAndThenTheRest(): void
    {
        $orderId = $this->captured();
        self::assertInstanceOf(\WC_Order_Refund::class, $this->refund($orderId, '10.00'));
        self::assertSame([1000, 'completed', 'PARTLY_PAID'], [$this->gateway->sum("w$orderId", 'REFUND'), $this->order($orderId)->get_status(), $this->status("w$orderId")]);
        self::assertInstanceOf(\WC_Order_Refund::class, $this->refund($orderId, '25.45'));
        $this->pass(60);
        self::assertSame([0, 'refunded', ['25.45', '10.00']], [$this->gateway->held("w$orderId"), $this->order($orderId)->get_status(), $this->refunds($orderId)]);
    }

    public function testHeldMoneyGoesBackAsAWholeOnly(): void
    {
        $orderId = $this->paid();
        $refused = $this->refund($orderId, '10.00');
        self::assertStringContainsString('Complete the order first', $refused->get_error_message());
        self::assertSame([3545, []], [$this->gateway->held("w$orderId"), $this->refunds($orderId)]);
        self::assertInstanceOf(\WC_Order_Refund::class, $this->refund($orderId, '35.45'));
        self::assertSame([0, 'refunded', 3545], [$this->gateway->held("w$orderId"), $this->order($orderId)->get_status(), $this->gateway->sum("w$orderId", 'VOID')]);
    }

    public function testARefundWhoseAnswerIsLostIsMadeOnceAndStandsInWooCommerce(): void
    {
        $orderId = $this->captured();
        $this->gateway->unanswered = ['POST /operations'];
        $unknown = $this->refund($orderId, '10.00');
        self::assertSame('payframe_outcome_unknown', $unknown->get_error_code());
        self::assertSame([[], 1000], [$this->refunds($orderId), $this->gateway->sum("w$orderId", 'REFUND')]);
        $this->gateway->unanswered = [];
        $this->pass(2);
        self::assertSame([['10.00'], 1000], [$this->refunds($orderId), $this->gateway->sum("w$orderId", 'REFUND')]);
        $this->pass(10);
        self::assertSame(['10.00'], $this->refunds($orderId));
    }

    public function testToPressAgainAfterALostAnswerIsTheSameRefund(): void
    {
        $orderId = $this->captured();
        $this->gateway->unanswered = ['POST /operations'];
        $this->refund($orderId, '10.00');
        $this->gateway->unanswered = [];
        self::assertInstanceOf(\WC_Order_Refund::class, $this->refund($orderId, '10.00'));
        $this->pass(10);
        self::assertSame([['10.00'], 1000], [$this->refunds($orderId), $this->gateway->sum("w$orderId", 'REFUND')]);
    }

    public function testTwoRefundsOfOneSumAreTwo(): void
    {
        $orderId = $this->captured();
        $this->refund($orderId, '10.00');
        $this->refund($orderId, '10.00');
        self::assertSame([['10.00', '10.00'], 2000], [$this->refunds($orderId), $this->gateway->sum("w$orderId", 'REFUND')]);
    }

    public function testARefundThatTheGatewayRefusesDoesNotStandInWooCommerce(): void
    {
        $orderId = $this->captured();
        $this->gateway->operate("w$orderId", 'REFUND', 'EXECUTED', 3000);
        $refused = $this->refund($orderId, '10.00');
        self::assertInstanceOf(\WP_Error::class, $refused);
        self::assertSame([], $this->refunds($orderId));
        $this->pass(12);
        self::assertSame([['30.00'], []], [$this->refunds($orderId), Plugin::book()->rows->known("w$orderId")->refunds]);
    }

    public function testARefundOfTheBackOfficeStandsInWooCommerceOnce(): void
    {
        $orderId = $this->captured();
        $this->gateway->operate("w$orderId", 'REFUND', 'EXECUTED', 545);
        $this->pass(3);
        $this->notify("w$orderId");
        self::assertSame(['5.45'], $this->refunds($orderId));
        self::assertSame(['POST /operations/000000000000000001/captures'], $this->gateway->called('POST /operations'));
    }

    public function testARefundThatWooCommerceOnlyWritesMovesNoMoney(): void
    {
        $orderId = $this->captured();
        wc_create_refund(['order_id' => $orderId, 'amount' => '10.00', 'refund_payment' => false]);
        $this->pass(3);
        self::assertSame([3545, []], [$this->gateway->held("w$orderId"), Plugin::book()->rows->known("w$orderId")->refunds]);
    }

    public function testAnAnswerThatCanNotBeUnderstoodMovesNoMoneyAndCallsAPerson(): void
    {
        $orderId = $this->captured();
        $answer = $this->world->http;
        $this->world->http = static fn (string $url, array $arguments): array => $arguments['method'] === 'GET' && str_contains($url, '/api/orders/')
            ? ['headers' => [], 'response' => ['code' => 200], 'body' => '{"orderStatus":{"order":{"currency":"EUR"}},"operations":"none"}']
            : $answer($url, $arguments);
        self::assertStringContainsString('can not be understood', $this->refund($orderId, '10.00')->get_error_message());
        $this->notify("w$orderId");
        self::assertSame('UNREADABLE', Plugin::book()->rows->known("w$orderId")->needsPerson);
        $this->world->http = $answer;
        $this->pass(1);
        self::assertSame(['PAID', '', 3545], [$this->status("w$orderId"), Plugin::book()->rows->known("w$orderId")->needsPerson, $this->gateway->held("w$orderId")]);
    }

    public function testAnOrderThatWasNeverPaidByCardIsNotRefunded(): void
    {
        self::assertSame('payframe_no_payment', $this->refund($this->placed(), '10.00')->get_error_code());
    }

    public function testCancelledReleasesHeldMoneyAndTellsTheGateway(): void
    {
        $orderId = $this->paid();
        $this->order($orderId)->update_status('cancelled');
        $this->pass(1);
        self::assertSame([0, 'REFUNDED', 'cancelled'], [$this->gateway->held("w$orderId"), $this->status("w$orderId"), $this->order($orderId)->get_status()]);
        self::assertSame(['FULFILLED', 'CANCELED'], $this->gateway->orders["w$orderId"]['told']);
    }

    public function testCancelledGivesCapturedMoneyBack(): void
    {
        $orderId = $this->captured();
        $this->order($orderId)->update_status('cancelled');
        self::assertSame([0, 3545], [$this->gateway->held("w$orderId"), $this->gateway->sum("w$orderId", 'REFUND')]);
    }

    public function testAnOrderThatIsCancelledWhileTheBuyerPaysGivesTheMoneyBack(): void
    {
        $orderId = $this->placed();
        $session = $this->formOf($orderId);
        $this->gateway->pay($session);
        $this->order($orderId)->update_status('cancelled');
        $this->notify("w$orderId");
        $this->pass(2);
        self::assertSame([0, 'cancelled', ["$orderId pending cancelled"]], [$this->gateway->held("w$orderId"), $this->order($orderId)->get_status(), $this->world->transitions]);
    }

    public function testTheFormOfACancelledOrderTakesNoMoney(): void
    {
        $orderId = $this->placed();
        $session = $this->formOf($orderId);
        $this->order($orderId)->update_status('cancelled');
        $this->expectExceptionMessage('The form is closed');
        $this->gateway->pay($session);
    }

    public function testHoldStockDoesNotCancelAnOrderWhoseMoneyIsHeld(): void
    {
        $orderId = $this->placed();
        $this->gateway->pay($this->formOf($orderId));
        self::assertFalse(apply_filters('woocommerce_cancel_unpaid_order', true, $this->order($orderId)));
        self::assertSame(['processing', 3545], [$this->order($orderId)->get_status(), $this->gateway->held("w$orderId")]);
    }

    public function testHoldStockClosesTheFormBeforeItCancels(): void
    {
        $orderId = $this->placed();
        $session = $this->formOf($orderId);
        $this->gateway->lost = ['POST /build/cancel'];
        self::assertFalse(apply_filters('woocommerce_cancel_unpaid_order', true, $this->order($orderId)));
        $this->gateway->lost = [];
        $this->pass(1);
        self::assertSame(['OVER', 'cancelled', 'GIVEN_UP'], [$this->gateway->sessions[$session]['state'], $this->order($orderId)->get_status(), $this->status("w$orderId")]);
        self::assertSame(["$orderId pending cancelled"], $this->world->transitions);
    }

    public function testHoldStockDoesNotCancelWhatTheOrderBookHasCancelled(): void
    {
        $orderId = $this->placed();
        $this->formOf($orderId);
        $asWooCommerceReadIt = $this->order($orderId);
        self::assertFalse(apply_filters('woocommerce_cancel_unpaid_order', true, $asWooCommerceReadIt));
        self::assertSame(["$orderId pending cancelled"], $this->world->transitions);
    }

    public function testHoldStockCancelsOrdersOfOthersAndThoseThatNobodyWantedToPay(): void
    {
        self::assertTrue(apply_filters('woocommerce_cancel_unpaid_order', true, $this->order($this->placed())));
        self::assertFalse(apply_filters('woocommerce_cancel_unpaid_order', false, $this->order($this->placed())));
    }

    public function testAnOrderThatNobodyPaysIsGivenUpAfterItsTime(): void
    {
        $orderId = $this->placed();
        $session = $this->formOf($orderId);
        $this->pass(58);
        self::assertSame('pending', $this->order($orderId)->get_status());
        $this->pass(3);
        self::assertSame(['cancelled', 'OVER'], [$this->order($orderId)->get_status(), $this->gateway->sessions[$session]['state']]);
        self::assertSame(['CANCELED'], $this->gateway->orders["w$orderId"]['told']);
    }

    public function testAStatusWhoseHookNeverCameIsSeenWhenTheRowIsCompared(): void
    {
        [$completed, $cancelled] = [$this->paid(), $this->paid()];
        $this->world->orders[$completed]['status'] = 'completed';
        $this->world->orders[$cancelled]['status'] = 'cancelled';
        $this->pass(1);
        self::assertSame([3545, 0], [$this->gateway->held("w$cancelled"), $this->gateway->sum("w$completed", 'CAPTURE')]);
        $this->clock->time += 6 * 3600;
        $this->pass(2);
        self::assertSame([0, 3545], [$this->gateway->held("w$cancelled"), $this->gateway->sum("w$completed", 'CAPTURE')]);
    }

    public function testADeletedOrderGivesMoneyThatComesLaterBackAndKeepsWhatWasSold(): void
    {
        [$sold, $unsold] = [$this->paid(), $this->placed()];
        $this->gateway->pay($this->formOf($unsold));
        unset($this->world->orders[$sold], $this->world->orders[$unsold]);
        $this->notify("w$unsold");
        $this->clock->time += 6 * 3600;
        $this->pass(2);
        self::assertSame([3545, 0], [$this->gateway->held("w$sold"), $this->gateway->held("w$unsold")]);
    }

    public function testTheOrderPageHasActionsForOrdersOfThisPlugInOnly(): void
    {
        $actions = static fn (int $orderId): array => array_keys(apply_filters('woocommerce_order_actions', [], new \WC_Order($orderId)));
        self::assertSame([['payframe_look_again', 'payframe_capture'], []], [$actions($this->paid()), $actions($this->placed())]);
    }
}
