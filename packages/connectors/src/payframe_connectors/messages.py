"""Requests of the acquirer protocol, read and checked.

A request that can not be read raises `Refused`, and leaves nothing behind. The card is in `Card` alone, whose `repr`
shows nothing of it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

JsonObject = Mapping[str, object]

LARGEST_AMOUNT_MINOR = 999_999_999_999


class Refused(Exception):
    """The request is not answered: it is not from the gateway, or can not be read. Nothing was done."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


@dataclass(frozen=True)
class Authentication:
    """The result of 3-D Secure."""

    eci: str
    value: str = field(repr=False)
    ds_transaction_id: str
    version: str


@dataclass(frozen=True)
class NetworkToken:
    """What is known of a number that a wallet made for one device."""

    cryptogram: str | None = field(repr=False)
    eci: str | None


@dataclass(frozen=True)
class BillingAddress:
    """Where the bill for the card goes, as the buyer says."""

    country: str = field(repr=False)
    postal_code: str | None = field(repr=False)
    line1: str | None = field(default=None, repr=False)
    line2: str | None = field(default=None, repr=False)
    city: str | None = field(default=None, repr=False)
    state: str | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Card:
    """The card of one authorization. It is never stored."""

    number: str = field(repr=False)
    expiry_month: int = field(repr=False)
    expiry_year: int = field(repr=False)
    network: str
    security_code: str | None = field(repr=False)
    holder_name: str | None = field(repr=False)
    holder_email: str | None = field(repr=False)
    is_initiated_by_merchant: bool
    authentication: Authentication | None = field(repr=False)
    billing_address: BillingAddress | None = field(default=None, repr=False)
    network_token: NetworkToken | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Terms:
    """What a copy of a request must not change."""

    operation: str
    capture: str
    amount_minor: int
    currency: str
    minor_digits: int


@dataclass(frozen=True)
class Authorize:
    """A request to `/authorize`."""

    reference: str
    terms: Terms
    card: Card
    is_converted: bool
    """The cardholder is to be charged in the card's own currency."""


@dataclass(frozen=True)
class FollowUp:
    """A request to `/follow-up`."""

    reference: str
    authorization: str
    target: str
    terms: Terms


def read_authorize(message: JsonObject) -> Authorize:
    """Reads a request to `/authorize`."""
    card = _object(message, "card")
    return Authorize(
        reference=_text(message, "reference"),
        terms=Terms(
            operation=_one_of(message, "action", ("PAY", "PREAUTH", "VERIFY")),
            capture=_one_of(message, "capture", ("IMPLICIT", "EXPLICIT")),
            amount_minor=_integer(message, "amountMinor", 0, LARGEST_AMOUNT_MINOR),
            currency=_matching(message, "currency", "[A-Z]{3}"),
            minor_digits=_integer(message, "minorDigits", 0, 9),
        ),
        card=Card(
            number=_matching(card, "number", "[0-9]{12,19}"),
            expiry_month=_integer(card, "expiryMonth", 1, 12),
            expiry_year=_integer(card, "expiryYear", 2000, 9999),
            network=_text(card, "network"),
            security_code=_matching(card, "securityCode", "[0-9]{3,4}") if "securityCode" in card else None,
            holder_name=_text(card, "holderName", 255) if "holderName" in card else None,
            holder_email=_text(card, "holderEmail", 255) if "holderEmail" in card else None,
            is_initiated_by_merchant=_one_of(card, "initiator", ("CARDHOLDER", "MERCHANT")) == "MERCHANT",
            authentication=_authentication(card),
            billing_address=_billing_address(card),
            network_token=_network_token(card),
        ),
        is_converted="conversion" in message,
    )


def read_follow_up(message: JsonObject) -> FollowUp:
    """Reads a request to `/follow-up`."""
    return FollowUp(
        reference=_text(message, "reference"),
        authorization=_text(message, "authorization"),
        target=_text(message, "target"),
        terms=Terms(
            operation=_one_of(message, "operation", ("CAPTURE", "VOID", "REFUND", "CANCEL", "INCREMENTAL")),
            capture="",
            amount_minor=_integer(message, "amountMinor", 0, LARGEST_AMOUNT_MINOR),
            currency=_matching(message, "currency", "[A-Z]{3}"),
            minor_digits=_integer(message, "minorDigits", 0, 9),
        ),
    )


def read_inquire(message: JsonObject) -> str:
    """Reads a request to `/inquire`: its reference."""
    return _text(message, "reference")


def _authentication(card: JsonObject) -> Authentication | None:
    if "authentication" not in card:
        return None
    given = _object(card, "authentication")
    return Authentication(
        eci=_matching(given, "eci", "[0-9]{2}"),
        value=_text(given, "authenticationValue"),
        ds_transaction_id=_text(given, "dsTransactionId") if "dsTransactionId" in given else "",
        version=_text(given, "version") if "version" in given else "",
    )


def _network_token(card: JsonObject) -> NetworkToken | None:
    if "networkToken" not in card:
        return None
    given = _object(card, "networkToken")
    return NetworkToken(
        cryptogram=_matching(given, "cryptogram", "[A-Za-z0-9+/]+={0,2}") if "cryptogram" in given else None,
        eci=_matching(given, "eci", "[0-9]{2}") if "eci" in given else None,
    )


def _billing_address(card: JsonObject) -> BillingAddress | None:
    if "billingAddress" not in card:
        return None
    given = _object(card, "billingAddress")

    def part(name: str) -> str | None:
        return _text(given, name) if name in given else None

    return BillingAddress(
        country=_matching(given, "country", "[A-Z]{2}"),
        postal_code=part("postalCode"),
        line1=part("line1"),
        line2=part("line2"),
        city=part("city"),
        state=part("state"),
    )


def _object(message: JsonObject, member: str) -> JsonObject:
    value = message.get(member)
    if not isinstance(value, dict):
        raise Refused(400)
    return cast("JsonObject", value)


def _text(message: JsonObject, member: str, longest: int = 64) -> str:
    value = message.get(member)
    if not isinstance(value, str) or not 1 <= len(value) <= longest:
        raise Refused(400)
    return value


def _one_of(message: JsonObject, member: str, values: tuple[str, ...]) -> str:
    value = _text(message, member)
    if value not in values:
        raise Refused(400)
    return value


def _matching(message: JsonObject, member: str, pattern: str) -> str:
    value = _text(message, member)
    if not re.fullmatch(pattern, value, re.ASCII):
        raise Refused(400)
    return value


def _integer(message: JsonObject, member: str, least: int, most: int) -> int:
    value = message.get(member)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise Refused(400)
    return value
