<?php

declare(strict_types=1);

namespace Payframe\Exception;

use Payframe\ErrorKind;

/**
 * Something that this package could not do. Each kind has a class of its own, to be caught.
 *
 * `$kind` says whose fault it is, `$errorCode` what happened. Codes are stable; compare them, never the sentences. An exception holds no
 * API key, no session, no body and no signature, and has no previous one that could hold them, so it can be logged as it is. It is for what
 * fails: a declined payment is an answer, not an exception.
 */
abstract class PayframeException extends \RuntimeException implements \JsonSerializable
{
    /**
     * @param string $errorCode a code of the gateway, such as `PS0026`, or one of this package, such as `unreachable`
     * @param int|null $status the HTTP status of the answer; null if there was none
     * @param string|null $member the member of the request, or the argument, that is wrong; null if none is named
     * @param string|null $requestId the gateway's own id of the call (header `cid`): tell it to the operator
     * @param string|null $correlationId the id of the call in the logs of both sides
     * @param string|null $idempotencyKey the key to repeat the call with; null if the call carried none
     * @param bool $isRetryable whether the same call, with the same idempotency key, can succeed later
     * @param bool $outcomeUnknown whether the gateway may have carried out a call that writes although it seems to have failed:
     *   repeat it with the same key, or read the order, before anything else
     */
    final private function __construct(
        string $message,
        public readonly ErrorKind $kind,
        public readonly string $errorCode,
        public readonly ?int $status,
        public readonly ?string $member,
        public readonly ?string $requestId,
        public readonly ?string $correlationId,
        public readonly ?string $idempotencyKey,
        public readonly bool $isRetryable,
        public readonly bool $outcomeUnknown,
    ) {
        parent::__construct($message);
    }

    /** The exception of a kind. @internal */
    public static function of(
        ErrorKind $kind,
        string $errorCode,
        string $message,
        ?int $status = null,
        ?string $member = null,
        ?string $requestId = null,
        ?string $correlationId = null,
        ?string $idempotencyKey = null,
        bool $isRetryable = false,
        bool $outcomeUnknown = false,
    ): self {
        $class = match ($kind) {
            ErrorKind::Caller => CallerException::class,
            ErrorKind::Buyer => BuyerException::class,
            ErrorKind::Issuer => IssuerException::class,
            ErrorKind::Network => NetworkException::class,
            ErrorKind::Gateway => GatewayException::class,
            ErrorKind::Operator => OperatorException::class,
            ErrorKind::Notification => NotificationException::class,
        };
        return new $class(
            $message,
            $kind,
            $errorCode,
            $status,
            $member,
            $requestId,
            $correlationId,
            $idempotencyKey,
            $isRetryable,
            $outcomeUnknown,
        );
    }

    /** An argument that this package does not accept. @param string $accepted a part of a sentence: "must be …" @internal */
    public static function refusedValue(string $member, string $accepted): self
    {
        return self::of(ErrorKind::Caller, 'bad_value', "$member $accepted", member: $member);
    }

    /**
     * What it holds, for structured logs.
     *
     * @return array<string, string|int|bool|null>
     */
    public function jsonSerialize(): array
    {
        return [
            'message' => $this->getMessage(),
            'kind' => $this->kind->value,
            'code' => $this->errorCode,
            'status' => $this->status,
            'member' => $this->member,
            'requestId' => $this->requestId,
            'correlationId' => $this->correlationId,
            'idempotencyKey' => $this->idempotencyKey,
            'isRetryable' => $this->isRetryable,
            'outcomeUnknown' => $this->outcomeUnknown,
        ];
    }
}
