<?php

declare(strict_types=1);

namespace Payframe;

/** Whose fault an error is. */
enum ErrorKind: string
{
    /** The call or an option is wrong; change the program. */
    case Caller = 'caller';
    /** The buyer can do something about it, such as starting the payment again. */
    case Buyer = 'buyer';
    /** The issuer, the network or the payment method said no. */
    case Issuer = 'issuer';
    /** No answer of the gateway arrived. */
    case Network = 'network';
    /** The gateway failed. */
    case Gateway = 'gateway';
    /** The gateway is not set up for this call; tell its operator. */
    case Operator = 'operator';
    /** A notification could not be verified. */
    case Notification = 'notification';

    /** Whose fault a code of the gateway is. */
    public static function ofCode(string $code, int $status): self
    {
        return self::tryFrom(self::CODES[$code] ?? '') ?? ($status >= 500 ? self::Gateway : self::Caller);
    }

    /** The codes that are not what their status says. */
    private const CODES = [
        'PS0004' => 'issuer',
        'PS0032' => 'issuer',
        'PS0033' => 'issuer',
        'PS0034' => 'issuer',
        'PS0018' => 'gateway',
        'PS0040' => 'operator',
        'PS0051' => 'operator',
        'PS0044' => 'buyer',
        'PS0061' => 'buyer',
        'GW0002' => 'operator',
        'GW9005' => 'caller',
        'GW9009' => 'operator',
        'GW9010' => 'operator',
    ];
}
