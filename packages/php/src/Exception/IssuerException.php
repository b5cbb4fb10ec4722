<?php

declare(strict_types=1);

namespace Payframe\Exception;

/** The issuer, the network or the payment method said no. */
final class IssuerException extends PayframeException
{
}
