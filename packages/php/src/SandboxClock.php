<?php

declare(strict_types=1);

namespace Payframe;

use Payframe\Exception\PayframeException;

/** The clock of a sandbox, for tests: days pass at once. A gateway in production has no such calls, so they are `not_found` there. */
final class SandboxClock
{
    /** @internal */
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * The time of payments.
     *
     * @return array{time: string, realTime: string, secondsAhead: int, latestTime: string}
     */
    public function read(): array
    {
        /** @var array{time: string, realTime: string, secondsAhead: int, latestTime: string} */
        return $this->transport->call('GET', '/test/clock');
    }

    /**
     * Lets time pass for the whole sandbox. What is due by then has happened when the call answers, and notifications are on their way.
     *
     * @return array{time: string, realTime: string, secondsAhead: int, latestTime: string}
     */
    public function advance(int $days = 0, int $hours = 0, int $minutes = 0, int $seconds = 0): array
    {
        $span = (($days * 24 + $hours) * 60 + $minutes) * 60 + $seconds;
        if ($span < 0) {
            throw PayframeException::refusedValue('seconds', 'must not come to less than nothing: time does not go back');
        }
        return $this->put(['secondsAhead' => $this->read()['secondsAhead'] + $span]);
    }

    /**
     * The same, until an instant. One that has passed changes nothing.
     *
     * @return array{time: string, realTime: string, secondsAhead: int, latestTime: string}
     */
    public function advanceTo(\DateTimeInterface $instant): array
    {
        return $this->put(['to' => $instant->format(\DateTimeInterface::RFC3339_EXTENDED)]);
    }

    /**
     * @param array<string, mixed> $body
     * @return array{time: string, realTime: string, secondsAhead: int, latestTime: string}
     */
    private function put(array $body): array
    {
        /** @var array{time: string, realTime: string, secondsAhead: int, latestTime: string} */
        return $this->transport->call('POST', '/test/clock/advance', $body);
    }
}
