<?php

declare(strict_types=1);

namespace Payframe;

/**
 * What an attempt of a call came to: an answer, or none. It says whether to repeat the call, and after how long.
 *
 * Only calls that the gateway carries out once come here: reads, and writes with an idempotency key, which is the same in every attempt.
 *
 * @internal
 */
final class Attempt
{
    /**
     * @param int|null $status null without an answer
     * @param string|null $code of the gateway
     * @param string|null $requestId null if something else than the gateway answered
     * @param string|null $retryAfter the header
     * @param array<string, mixed>|null $answer null if it is not the gateway's, or a refusal
     */
    public function __construct(
        public readonly ?int $status = null,
        public readonly ?string $code = null,
        public readonly ?string $description = null,
        public readonly ?string $requestId = null,
        public readonly ?string $retryAfter = null,
        public readonly ?array $answer = null,
    ) {
    }

    /**
     * Whether the same call may succeed later. So it is without an answer, after a failure of the gateway or of something before it, after
     * too many calls, and while a call with the same key is still running.
     */
    public function canBeRepeated(): bool
    {
        return \in_array($this->status, [null, 429, 500, 502, 503, 504], true)
            || ($this->status === 409 && $this->code === 'GW9001');
    }

    /** Whether a write may have been carried out, after this attempt and those before it. */
    public function isOutcomeUnknown(bool $wasUnknown): bool
    {
        // A redirect or a success that is not the gateway's answer tells nothing.
        if ($this->status === null || $this->status === 409 || $this->status < 400) {
            return true;
        }
        if ($this->status >= 500) {
            return $this->code !== 'GW9005' || $wasUnknown;
        }
        // The gateway looks for the answer to the key before it reads the object: such a refusal answers all attempts.
        $isRefusal = \in_array($this->status, [400, 404], true) || $this->code === 'GW9012';
        $isOfKey = $this->requestId !== null && $isRefusal;
        return $wasUnknown && !$isOfKey;
    }

    /** How many seconds to wait before the next attempt; null if the gateway asks for more than a call should wait. */
    public function delay(int $retries, Runtime $runtime): ?float
    {
        $asked = $this->retryAfter === null ? 0.0 : self::asked($this->retryAfter, $runtime->now());
        if ($asked > self::LONGEST_WAIT) {
            return null;
        }
        $ceiling = min(self::LONGEST_BACKOFF, self::FIRST_BACKOFF * 2 ** $retries);
        // Half of it is fixed, so that there always is a pause; half is random, so that clients do not come back together.
        return $asked + $ceiling / 2 + $runtime->random() * $ceiling / 2;
    }

    /** Seconds, from seconds or a date. */
    private static function asked(string $retryAfter, float $now): float
    {
        $text = trim($retryAfter);
        if (preg_match('/^[0-9]{1,9}$/D', $text)) {
            return (float) $text;
        }
        $until = \DateTimeImmutable::createFromFormat(self::HTTP_DATE, $text, new \DateTimeZone('UTC'));
        return $until === false ? 0.0 : max(0.0, $until->getTimestamp() - $now);
    }

    private const HTTP_DATE = 'D, d M Y H:i:s \G\M\T';
    private const FIRST_BACKOFF = 0.5;
    private const LONGEST_BACKOFF = 8.0;
    private const LONGEST_WAIT = 60.0;
}
