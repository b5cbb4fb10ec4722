<?php

declare(strict_types=1);

namespace Payframe\WooCommerce\Tests;

use Automattic\WooCommerce\Utilities\FeaturesUtil;
use Payframe\Exception\PayframeException;
use Payframe\WooCommerce\Amounts;
use Payframe\WooCommerce\BlockCheckout;
use Payframe\WooCommerce\Gateway;
use Payframe\WooCommerce\Options;
use Payframe\WooCommerce\Schedule;
use Payframe\WooCommerce\Tests\Fake\World;

/** Settings, installation, schedule, sums, and what WooCommerce asks a payment method. */
final class SettingsTest extends ShopTestCase
{
    public function testAPlacedOrderLeadsToThePageWithTheForm(): void
    {
        $gateway = new Gateway();
        $orderId = $this->placed();
        self::assertSame(
            ['result' => 'success', 'redirect' => "https://shop.example/store/checkout/order-pay/$orderId/?key=wc_order_$orderId"],
            $gateway->process_payment($orderId),
        );
        self::assertSame(['result' => 'failure'], $gateway->process_payment(99));
        self::assertTrue($gateway->supports('refunds'));
        self::assertContains(Gateway::class, apply_filters('woocommerce_payment_gateways', []));
        self::assertStringContainsString('never run inside WooCommerce', $gateway->method_description);
    }

    public function testAShopWithoutAKeyOffersNothingAndSaysWhy(): void
    {
        self::assertTrue((new Gateway())->is_available());
        foreach (['gateway' => 'http://gateway.example', 'api_key' => '', 'secrets' => 'nonsense'] as $name => $value) {
            $this->world->options[Options::NAME] = [$name => $value] + self::SETTINGS;
            self::assertFalse((new Gateway())->is_available(), $name);
            ob_start();
            (new Gateway())->admin_options();
            self::assertStringContainsString('notice-error', (string) ob_get_clean(), $name);
        }
    }

    public function testAShopThatIsNotSetUpHasNoRouteAndNoSchedule(): void
    {
        $this->install([]);
        self::assertSame([[], []], [$this->world->routes, $this->world->planned]);
    }

    public function testWrongValuesOfTheSettingsPageAreRefused(): void
    {
        $post = fn (array $values): array => array_combine(array_map(static fn (string $name): string => "woocommerce_payframe_$name", array_keys($values)), $values);
        $_POST = $post(['gateway' => 'ftp://gateway.example', 'reference_prefix' => 'much too long'] + self::SETTINGS);
        $gateway = new Gateway();
        $gateway->process_admin_options();
        self::assertCount(2, $gateway->errors);
        self::assertSame(['https://gateway.example', 'w'], [Options::ofShop()->gateway, Options::ofShop()->referencePrefix]);
        $_POST = $post(['gateway' => ' https://other.example/ '] + self::SETTINGS);
        (new Gateway())->process_admin_options();
        self::assertSame('https://other.example', Options::ofShop()->gateway);
        $_POST = [];
    }

    public function testTheKeyIsNotShownByADump(): void
    {
        self::assertStringNotContainsString('whsec_', print_r(Options::ofShop()->verifier(), true));
    }

    public function testBothSecretsAreTakenWhileOneIsChanged(): void
    {
        $next = 'whsec_' . base64_encode(str_repeat('n', 32));
        $this->world->options[Options::NAME]['secrets'] = self::SECRET . ", $next";
        $orderId = $this->placed();
        $this->formOf($orderId);
        self::assertSame([204, 204], [$this->notify("w$orderId"), $this->notify("w$orderId", $next)]);
    }

    public function testATerminalsOwnSettingOfTheCaptureIsNotOverridden(): void
    {
        $this->install(['capture' => 'TERMINAL'] + self::SETTINGS);
        $this->gateway->capturesAtOnce = true;
        $orderId = $this->paid();
        self::assertArrayNotHasKey('captureType', $this->gateway->requests[0]['paymentSession']);
        $this->order($orderId)->update_status('completed');
        self::assertSame([], $this->gateway->called('POST /operations'));
    }

    public function testTheCheckoutOfBlocksHasALabelAndASentence(): void
    {
        $registry = new class () {
            public ?BlockCheckout $method = null;

            public function register(BlockCheckout $method): void
            {
                $this->method = $method;
            }
        };
        do_action('woocommerce_blocks_payment_method_type_registration', $registry);
        $registry->method->initialize();
        self::assertSame(['payframe', true, ['payframe-blocks']], [$registry->method->get_name(), $registry->method->is_active(), $registry->method->get_payment_method_script_handles()]);
        self::assertSame(['title' => 'Card', 'description' => '', 'supports' => ['products']], $registry->method->get_payment_method_data());
        self::assertSame(['custom_order_tables' => true, 'cart_checkout_blocks' => true], FeaturesUtil::$declared);
    }

    public function testTheWorkIsPlannedOnceAndEndsWithThePlugIn(): void
    {
        self::assertSame(['as payframe_wake' => 60], $this->world->planned);
        $this->world->options['test_cron'] = false;
        $this->world->planned = [];
        do_action('init');
        self::assertSame([], $this->world->planned, 'a page of a buyer');
        do_action('admin_init');
        self::assertSame(['as payframe_wake' => 60], $this->world->planned);
        Schedule::ensure();
        self::assertCount(1, $this->world->planned);
        self::assertSame(60, apply_filters('cron_schedules', [])['payframe_minute']['interval']);
        do_action('deactivate');
        self::assertSame([], $this->world->planned);
    }

    public function testWhatIsKnownOfMoneyStaysWhenThePlugInIsDeleted(): void
    {
        $orderId = $this->paid();
        \Payframe\WooCommerce\Installation::remove();
        self::assertArrayNotHasKey(Options::NAME, $this->world->options);
        self::assertCount(1, (new \Payframe\WooCommerce\Rows($this->world->database))->ofOrder($orderId));
    }

    public function testItGoesIfTheShopWantsThat(): void
    {
        $this->world->options[Options::NAME]['delete_data'] = 'yes';
        \Payframe\WooCommerce\Installation::remove();
        self::assertSame([], $this->world->options);
        $this->expectException(\PDOException::class);
        (new \Payframe\WooCommerce\Rows($this->world->database))->find('w1');
    }

    public function testAnUpdateMakesTheTable(): void
    {
        unset($this->world->options['payframe_table_version']);
        do_action('admin_init');
        self::assertSame('1', World::now()->options['payframe_table_version']);
    }

    /** @dataProvider sums */
    public function testSumsAreWholeMinorUnits(string|int|float $amount, string $currency, int $minor, string $major): void
    {
        self::assertSame([$minor, $major], [Amounts::minorOf($amount, $currency), Amounts::majorOf($minor, $currency)]);
    }

    /** @return list<array{string|int|float, string, int, string}> */
    public function sums(): array
    {
        return [
            ['35.45', 'EUR', 3545, '35.45'],
            ['35', 'EUR', 3500, '35.00'],
            ['0.07', 'EUR', 7, '0.07'],
            ['35.450', 'EUR', 3545, '35.45'],
            [10.1 + 20.2, 'EUR', 3030, '30.30'],
            [7, 'EUR', 700, '7.00'],
            ['1200', 'JPY', 1200, '1200'],
            ['1.234', 'KWD', 1234, '1.234'],
        ];
    }

    /** @dataProvider noSums */
    public function testOtherSumsAreRefusedAndNeverRounded(string|float $amount, string $currency): void
    {
        $this->expectException(PayframeException::class);
        Amounts::minorOf($amount, $currency);
    }

    /** @return list<array{string|float, string}> */
    public function noSums(): array
    {
        return [['35.455', 'EUR'], ['1.5', 'JPY'], ['-1', 'EUR'], ['', 'EUR'], ['1e3', 'EUR'], ['1,5', 'EUR'], [NAN, 'EUR'], ['1234567890123', 'EUR']];
    }
}
