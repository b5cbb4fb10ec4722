<?php

declare(strict_types=1);

namespace Payframe\WooCommerce;

use Payframe\Exception\PayframeException;
use Payframe\NotificationVerifier;
use Payframe\Payframe;

/**
 * What the shop has set: in WooCommerce → Settings → Payments, or as constants in `wp-config.php`, which are out of the database.
 */
final class Options
{
    public const NAME = 'woocommerce_payframe_settings';

    /**
     * @param list<string> $secrets notification secrets, `whsec_…`
     * @param 'TERMINAL'|'IMPLICIT'|'EXPLICIT' $capture when money is captured
     */
    public function __construct(
        public readonly string $gateway,
        #[\SensitiveParameter] private readonly string $apiKey,
        #[\SensitiveParameter] private readonly array $secrets,
        public readonly string $capture,
        public readonly bool $savesCards,
        public readonly int $payWithinMinutes,
        public readonly string $referencePrefix,
    ) {
    }

    public static function ofShop(): self
    {
        $stored = get_option(self::NAME, []);
        $stored = \is_array($stored) ? $stored : [];
        $text = static fn (string $name): string => \is_string($stored[$name] ?? null) ? trim($stored[$name]) : '';
        $constant = static fn (string $name): string => \defined($name) ? (string) \constant($name) : '';
        $capture = $text('capture');
        return new self(
            rtrim($text('gateway'), '/'),
            $constant('PAYFRAME_API_KEY') ?: $text('api_key'),
            self::secretsIn($constant('PAYFRAME_NOTIFICATION_SECRET') ?: $text('secrets')),
            \in_array($capture, ['IMPLICIT', 'EXPLICIT'], true) ? $capture : 'TERMINAL',
            $text('saved_cards') === 'yes',
            max(1, (int) ($text('pay_within_minutes') ?: 1440)),
            preg_match('/^[A-Za-z0-9]{0,8}$/D', $text('reference_prefix')) ? $text('reference_prefix') : '',
        );
    }

    /** Why no payment can be made with them; null if one can. */
    public function problem(): ?string
    {
        try {
            $this->payframe(new Log());
            $this->verifier();
        } catch (PayframeException $exception) {
            return $exception->getMessage();
        }
        return null;
    }

    /** @throws PayframeException if an option is missing or wrong */
    public function payframe(Log $log, ?\Payframe\Runtime $runtime = null): Payframe
    {
        $factory = new Http\Factory();
        // One repetition: somebody waits. What fails is tried again by the order book.
        return new Payframe($this->gateway, $this->apiKey, new Http\Client(), $factory, $factory, $log, 1, $runtime);
    }

    /** @throws PayframeException if a secret is missing or wrong */
    public function verifier(): NotificationVerifier
    {
        return new NotificationVerifier($this->secrets);
    }

    /** @return list<string> */
    private static function secretsIn(#[\SensitiveParameter] string $text): array
    {
        return preg_split('/[\s,]+/', $text, -1, PREG_SPLIT_NO_EMPTY) ?: [];
    }
}
