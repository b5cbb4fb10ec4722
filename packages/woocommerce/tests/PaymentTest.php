<?php

declare(strict_types=1);

namespace Payframe\WooCommerce\Tests;

use Payframe\WooCommerce\Plugin;

/** A buyer pays an order, and everything that goes wrong meanwhile. */
final class PaymentTest extends ShopTestCase
{
    public function testAnOrderIsPaidByANotificationAndTheReturnPageLeadsToIt(): void
    {
        $orderId = $this->placed();
        $this->gateway->pay($this->formOf($orderId));
        self::assertSame('pending', $this->order($orderId)->get_status());
        self::assertSame(204, $this->notify("w$orderId"));
        $order = $this->order($orderId);
        self::assertSame(['processing', '000000000000000001', "w$orderId"], [$order->get_status(), $order->get_transaction_id(), $order->get_meta('_payframe_reference')]);
        self::assertStringContainsString('order-received', $this->returns($orderId));
        self::assertSame(['FULFILLED'], $this->gateway->orders["w$orderId"]['told']);
    }

    public function testANotificationThatComesTwiceOrLateChangesNothing(): void
    {
        $orderId = $this->paid();
        foreach ([0, 1, 2] as $_) {
            self::assertSame(204, $this->notify("w$orderId"));
        }
        $this->returns($orderId);
        self::assertSame(["$orderId pending processing"], $this->world->transitions);
        self::assertSame(35_45, $this->gateway->held("w$orderId"));
    }

    public function testAnOrderIsPaidThoughNotificationAndBuyerAreLost(): void
    {
        $orderId = $this->placed();
        $this->gateway->pay($this->formOf($orderId));
        $this->pass(1);
        self::assertSame('processing', $this->order($orderId)->get_status());
    }

    public function testTheFeedNamesAnOrderWhoseQuestionsAreFarApart(): void
    {
        $orderId = $this->placed();
        $session = $this->formOf($orderId);
        $this->pass(50);
        self::assertSame('pending', $this->order($orderId)->get_status());
        $this->gateway->pay($session);
        $this->pass(1);
        self::assertSame('processing', $this->order($orderId)->get_status());
    }

    public function testAForgedNotificationReadsNothing(): void
    {
        $orderId = $this->placed();
        $this->formOf($orderId);
        $calls = $this->gateway->calls;
        self::assertSame(400, $this->notify("w$orderId", 'whsec_' . base64_encode(str_repeat('x', 32))));
        self::assertSame($calls, $this->gateway->calls);
    }

    public function testANotificationOfAnUnknownOrderComesAgain(): void
    {
        self::assertSame(404, $this->notify('w999'));
    }

    public function testANotificationThatIsNotAboutMoneyIsNothingToAShop(): void
    {
        $calls = $this->gateway->calls;
        self::assertSame(204, $this->post(['eventId' => 'event-1', 'eventType' => 'TERMINAL_ATTACK', 'attack' => ['terminalId' => '91000001']]));
        self::assertSame($calls, $this->gateway->calls);
    }

    public function testTheReturnPageDoesNotBelieveTheBrowser(): void
    {
        $orderId = $this->placed();
        $this->formOf($orderId);
        self::assertStringContainsString('order-pay', $this->returns($orderId));
        self::assertContains('You have not paid. Nothing was charged.', $this->world->said);
        self::assertSame('pending', $this->order($orderId)->get_status());
    }

    public function testTheAddressOfTheReturnPageSendsTheBuyerOn(): void
    {
        $orderId = $this->paid();
        $_GET = ['order' => (string) $orderId, 'key' => "wc_order_$orderId"];
        try {
            do_action('woocommerce_api_payframe_return');
            self::fail('Nobody was sent on');
        } catch (Fake\Killed $end) {
            self::assertStringContainsString("order-received/$orderId", $end->getMessage());
        } finally {
            $_GET = [];
        }
    }

    public function testTheReturnPageAsksNothingForSomebodyWithoutTheKey(): void
    {
        $orderId = $this->placed();
        $this->gateway->pay($this->formOf($orderId));
        $calls = $this->gateway->calls;
        foreach (['', 'wrong'] as $key) {
            self::assertSame('https://shop.example/store/checkout/', $this->returns($orderId, $key));
        }
        self::assertSame($calls, $this->gateway->calls);
    }

    public function testASecondTabShowsTheSameForm(): void
    {
        $orderId = $this->placed();
        $first = $this->formOf($orderId);
        self::assertSame($first, $this->formOf($orderId));
        self::assertCount(1, $this->gateway->sessions);
        $this->gateway->pay($first);
        self::assertStringContainsString('This order is paid', $this->page($orderId));
        self::assertSame('processing', $this->order($orderId)->get_status());
        self::assertCount(1, $this->gateway->sessions);
    }

    public function testARefusedCardCanBeTriedAgain(): void
    {
        $orderId = $this->placed();
        $session = $this->formOf($orderId);
        $this->gateway->pay($session, 'DECLINED');
        $this->notify("w$orderId");
        self::assertSame('pending', $this->order($orderId)->get_status());
        self::assertSame($session, $this->formOf($orderId));
        $this->gateway->pay($session);
        $this->notify("w$orderId");
        self::assertSame('processing', $this->order($orderId)->get_status());
    }

    public function testABankThatHasNotDecidedLeavesTheOrderUnpaid(): void
    {
        $orderId = $this->placed();
        $this->gateway->pay($this->formOf($orderId), 'PENDING');
        self::assertStringContainsString('order-pay', $this->returns($orderId));
        self::assertSame('pending', $this->order($orderId)->get_status());
        self::assertStringContainsString('has not decided', $this->page($orderId));
        $this->gateway->orders["w$orderId"]['operations'][0]['operationResult'] = 'AUTHORIZED';
        $this->pass(1);
        self::assertSame('processing', $this->order($orderId)->get_status());
    }

    public function testAnotherSumOpensAnotherForm(): void
    {
        $orderId = $this->placed();
        $first = $this->formOf($orderId);
        $this->world->orders[$orderId]['total'] = '40.00';
        $second = $this->formOf($orderId);
        self::assertSame(['OVER', '4000', "w$orderId-2"], [$this->gateway->sessions[$first]['state'], $this->gateway->sessions[$second]['amount'], $this->gateway->sessions[$second]['orderId']]);
        self::assertSame('pending', $this->order($orderId)->get_status());
        $this->gateway->pay($second);
        $this->notify("w$orderId-2");
        self::assertSame(['processing', ["$orderId pending processing"]], [$this->order($orderId)->get_status(), $this->world->transitions]);
    }

    public function testAFormerSumThatWasPaidInAnotherTabGoesBackAndTheNewOneIsPaid(): void
    {
        $orderId = $this->placed();
        $first = $this->formOf($orderId);
        $this->world->orders[$orderId]['total'] = '40.00';
        $this->gateway->pay($first);
        self::assertStringContainsString('order-pay', $this->returns($orderId));
        self::assertStringContainsString('That money goes back to you', implode("\n", $this->world->said));
        $this->notify("w$orderId");
        self::assertSame([0, 'pending'], [$this->gateway->held("w$orderId"), $this->order($orderId)->get_status()]);
        $this->pass(1);
        self::assertSame('REFUNDED', $this->status("w$orderId"));
        $this->gateway->pay($this->formOf($orderId));
        $this->notify("w$orderId-2");
        self::assertSame([4000, 'processing'], [$this->gateway->held("w$orderId-2"), $this->order($orderId)->get_status()]);
    }

    public function testASecondChargeIsGivenBack(): void
    {
        $orderId = $this->placed();
        $this->formOf($orderId);
        $this->gateway->operate("w$orderId", 'AUTHORIZATION', 'AUTHORIZED', 3545);
        $second = $this->gateway->operate("w$orderId", 'AUTHORIZATION', 'AUTHORIZED', 3545);
        $this->notify("w$orderId");
        self::assertSame('processing', $this->order($orderId)->get_status());
        self::assertSame(["POST /operations/$second[operationId]/refunds"], $this->gateway->called('POST /operations'));
    }

    public function testAnOrderThatWasPaidInAnotherWayGivesTheCardsMoneyBack(): void
    {
        $orderId = $this->placed();
        $session = $this->formOf($orderId);
        $order = $this->order($orderId);
        $order->set_payment_method('cod');
        $order->update_status('processing');
        $this->gateway->pay($session);
        $this->notify("w$orderId");
        self::assertSame([0, ['CANCELED']], [$this->gateway->held("w$orderId"), $this->gateway->orders["w$orderId"]['told']]);
        self::assertSame(['processing', 'cod', ''], [$this->order($orderId)->get_status(), $this->order($orderId)->get_payment_method(), $this->order($orderId)->get_transaction_id()]);
    }

    public function testAnOrderThatTheStaffSetToProcessingIsPaidByTheCard(): void
    {
        $orderId = $this->placed();
        $session = $this->formOf($orderId);
        $this->order($orderId)->update_status('processing');
        $this->gateway->pay($session);
        $this->notify("w$orderId");
        self::assertSame([3545, '000000000000000001'], [$this->gateway->held("w$orderId"), $this->order($orderId)->get_transaction_id()]);
    }

    public function testAnIdThatTheGatewayKnowsOfAnotherShopIsPassedOver(): void
    {
        $orderId = $this->placed();
        $this->gateway->orders["w$orderId"] = ['currency' => 'EUR', 'operations' => [], 'told' => [], 'version' => 1];
        $this->gateway->operate("w$orderId", 'AUTHORIZATION', 'AUTHORIZED', 3545);
        $session = $this->formOf($orderId);
        self::assertSame("w$orderId-2", $this->gateway->sessions[$session]['orderId']);
        self::assertSame('pending', $this->order($orderId)->get_status());
    }

    public function testAGatewayThatDoesNotAnswerShowsASentenceAndNoForm(): void
    {
        $orderId = $this->placed();
        $this->gateway->lost = ['POST /orders/build'];
        self::assertStringContainsString('Nothing was charged', $this->page($orderId));
        $this->gateway->lost = [];
        self::assertSame('session-1', $this->formOf($orderId));
        $this->gateway->lost = ['GET /orders'];
        self::assertStringContainsString('order-pay', $this->returns($orderId));
        self::assertStringNotContainsString('key-of-the-shop', implode("\n", $this->world->logged));
    }

    public function testCardsAreSavedForACustomerWhoIsLoggedInAndForNobodyElse(): void
    {
        $orderId = $this->placed(['customer_id' => 12]);
        $this->world->user = 12;
        $own = $this->formOf($orderId);
        $this->world->user = 13;
        $others = $this->formOf($orderId);
        $this->world->user = 0;
        $guests = $this->formOf($orderId);
        self::assertCount(3, array_unique([$own, $others, $guests === $others ? 'same' : 'other']));
        [$first, $second] = $this->gateway->requests;
        self::assertSame(['u12', 'CONTRACT_CREATION', 'USE_AND_REMOVE'], [$first['order']['customerId'], $first['paymentSession']['recurrence']['action'], $first['form']['savedCards']]);
        self::assertArrayNotHasKey('customerId', $second['order']);
        self::assertArrayNotHasKey('recurrence', $second['paymentSession']);
        self::assertArrayNotHasKey('savedCards', $second['form']);
    }

    public function testTheSessionIsOpenedForThisShop(): void
    {
        $orderId = $this->placed();
        add_filter('payframe_session_request', static fn (array $body): array => array_replace_recursive($body, ['order' => ['description' => 'Shirts']]));
        $this->formOf($orderId);
        self::assertSame(
            [
                'merchantUrl' => 'https://shop.example',
                'order' => ['orderId' => "w$orderId", 'amount' => '3545', 'currency' => 'EUR', 'description' => 'Shirts'],
                'paymentSession' => [
                    'amount' => '3545',
                    'paymentService' => 'CARDS',
                    'language' => 'deu',
                    'resultUrl' => "https://shop.example/store/wc-api/payframe_return/?order=$orderId&key=wc_order_$orderId",
                    'cancelUrl' => "https://shop.example/store/wc-api/payframe_return/?order=$orderId&key=wc_order_$orderId",
                    'notificationUrl' => 'https://shop.example/store/wp-json/payframe/v1/notifications',
                    'captureType' => 'EXPLICIT',
                ],
                'form' => ['closing' => 'FRAME', 'attempts' => 3],
            ],
            $this->gateway->requests[0],
        );
    }

    public function testThePageHasTheScriptsTheFormAndTheWayBack(): void
    {
        $orderId = $this->placed();
        $page = $this->page($orderId);
        self::assertStringContainsString('<script type="module" src="https://gateway.example/sdk/payframe.js"></script>', $page);
        self::assertStringContainsString('assets/pay.js', $page);
        self::assertStringContainsString("wc-api/payframe_return/?order=$orderId&amp;key=wc_order_$orderId", $page);
        self::assertStringContainsString('<payment-form gateway="https://gateway.example" session="session-1"></payment-form>', $this->page($orderId));
    }

    public function testAPersonIsCalledForPartPaymentsAndToldOnThePagesOfTheAdmin(): void
    {
        $orderId = $this->placed();
        $this->gateway->pay($this->formOf($orderId), amount: 1000);
        $this->notify("w$orderId");
        self::assertSame(['PARTLY_PAID', 'pending'], [$this->status("w$orderId"), $this->order($orderId)->get_status()]);
        $this->world->user = 1;
        ob_start();
        do_action('admin_notices');
        self::assertStringContainsString("w$orderId (TOO_LITTLE)", (string) ob_get_clean());
        do_action('woocommerce_order_action_payframe_look_again', $this->order($orderId));
        self::assertSame('PARTLY_PAID', Plugin::book()->rows->known("w$orderId")->kept['status']);
    }
}
