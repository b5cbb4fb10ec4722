"""The one error class of this package.

``kind`` says whose fault it is, ``code`` what happened. Codes are stable; compare them, never the sentences. An error
holds no API key, no session, no body and no signature, and has no cause that could hold them, so it can be logged as it
is. It is for what fails: a declined payment is an answer, not an error.
"""

from __future__ import annotations

from typing import Final, Literal, TypedDict

ErrorKind = Literal["caller", "buyer", "issuer", "network", "gateway", "operator", "notification"]
"""Whose fault it is.

- ``caller``: the call or an option is wrong; change the program.
- ``buyer``: the buyer can do something about it, such as starting the payment again.
- ``issuer``: the issuer, the network or the payment method said no.
- ``network``: no answer of the gateway arrived.
- ``gateway``: the gateway failed.
- ``operator``: the gateway is not set up for this call; tell its operator.
- ``notification``: a notification could not be verified.
"""


class ErrorDetails(TypedDict):
    """What an error holds beside its sentence, for logs."""

    kind: ErrorKind
    code: str
    status: int | None
    member: str | None
    request_id: str | None
    correlation_id: str | None
    idempotency_key: str | None
    is_retryable: bool
    outcome_unknown: bool


class PayframeError(Exception):
    """Something that this package could not do."""

    def __init__(
        self,
        message: str,
        *,
        kind: ErrorKind,
        code: str,
        status: int | None = None,
        member: str | None = None,
        request_id: str | None = None,
        correlation_id: str | None = None,
        idempotency_key: str | None = None,
        is_retryable: bool = False,
        outcome_unknown: bool = False,
    ) -> None:
        super().__init__(message)
        self.message: Final = message
        self.kind: Final[ErrorKind] = kind
        """Whose fault it is."""
        self.code: Final = code
        """What happened: a code of the gateway, such as ``PS0026``, or one of this package, such as ``timeout``."""
        self.status: Final = status
        """The HTTP status of the answer; ``None`` if there was none."""
        self.member: Final = member
        """The member of the request, or the argument, that is wrong; ``None`` if none is named."""
        self.request_id: Final = request_id
        """The gateway's own id of the call (header ``cid``): tell it to the operator."""
        self.correlation_id: Final = correlation_id
        """The id of the call in the logs of both sides."""
        self.idempotency_key: Final = idempotency_key
        """The key to repeat the call with; ``None`` if the call carried none."""
        self.is_retryable: Final = is_retryable
        """Whether the same call, with the same idempotency key, can succeed later."""
        self.outcome_unknown: Final = outcome_unknown
        """Whether the gateway may have carried out a call that writes although it seems to have failed.

        Repeat the call with ``idempotency_key``, or read the order, before anything else.
        """

    def details(self) -> ErrorDetails:
        """What it holds beside its sentence, for structured logs."""
        return {
            "kind": self.kind,
            "code": self.code,
            "status": self.status,
            "member": self.member,
            "request_id": self.request_id,
            "correlation_id": self.correlation_id,
            "idempotency_key": self.idempotency_key,
            "is_retryable": self.is_retryable,
            "outcome_unknown": self.outcome_unknown,
        }

    def __repr__(self) -> str:
        known = [f"{name}={value!r}" for name, value in self.details().items() if value not in (None, False)]
        return f"PayframeError({self.message!r}, {', '.join(known)})"

    def __reduce__(self) -> tuple[object, tuple[str, ErrorDetails]]:
        """Errors cross process borders, such as those of a task queue."""
        return _restored, (self.message, self.details())


def _restored(message: str, details: ErrorDetails) -> PayframeError:
    return PayframeError(message, **details)


def refused_value(member: str, accepted: str) -> PayframeError:
    """An option or a value that this package does not accept. ``accepted`` is a sentence part: "must be …"."""
    return PayframeError(f"{member} {accepted}", kind="caller", code="bad_value", member=member)


def kind_of(code: str, status: int) -> ErrorKind:
    """Whose fault a code of the gateway is."""
    return _KINDS.get(code, "gateway" if status >= 500 else "caller")


_KINDS: Final[dict[str, ErrorKind]] = {
    "PS0004": "issuer",
    "PS0032": "issuer",
    "PS0033": "issuer",
    "PS0034": "issuer",
    "PS0018": "gateway",
    "PS0040": "operator",
    "PS0051": "operator",
    "PS0044": "buyer",
    "PS0061": "buyer",
    "GW0002": "operator",
    "GW9005": "caller",
    "GW9009": "operator",
    "GW9010": "operator",
}
"""The codes that are not what their status says."""
