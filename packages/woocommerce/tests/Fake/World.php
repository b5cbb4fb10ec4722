<?php

declare(strict_types=1);

namespace Payframe\WooCommerce\Tests\Fake;

/** What outlives a program: the database, the shop's orders and options; and what a test wants to know or to break. */
class World
{
    public \wpdb $database;
    /** The address of the shop. */
    public string $shop = 'https://shop.example/store';
    /** @var array<string, mixed> */
    public array $options = [];
    /** @var array<int, array<string, mixed>> orders and refunds as they are stored */
    public array $orders = [];
    /** @var array<string, list<array{callable, int}>> callbacks by hook and priority */
    public array $hooks = [];
    /** @var list<string> statuses that orders got: what sends mails */
    public array $transitions = [];
    /** @var list<string> notes of orders, and notices of pages */
    public array $said = [];
    /** @var list<string> */
    public array $logged = [];
    /** @var array<string, array<string, mixed>> */
    public array $routes = [];
    /** @var array<string, mixed> planned work, by hook */
    public array $planned = [];
    /** @var \Closure(string, array<string, mixed>): (array<string, mixed>|\WP_Error) */
    public \Closure $http;
    public int $user = 0;
    protected int $numbers = 0;
    private int $steps = 0;
    private ?int $lastStep = null;

    public function __construct(?\wpdb $database = null)
    {
        $this->database = $database ?? new \wpdb();
        $this->http = static fn (): \WP_Error => new \WP_Error('http_request_failed', 'nobody is there');
    }

    public static function now(?self $new = null): self
    {
        static $world;
        $world = $new ?? $world ?? new self();
        $GLOBALS['wpdb'] = $world->database;
        return $world;
    }

    public function number(): int
    {
        return ++$this->numbers;
    }

    /** The next program ends at its step number `$step`: before or after a write, or a call of the gateway. */
    public function endAt(?int $step): void
    {
        [$this->steps, $this->lastStep] = [0, $step];
    }

    /** A program can end here. */
    public function step(): void
    {
        if (++$this->steps === $this->lastStep) {
            $this->lastStep = null;
            throw new Killed('step');
        }
    }
}
