"""What the library's statuses and a processor's HTTP statuses mean for money.

The rule: what is not certain is not an outcome.
"""

from typing import Any

from .processor import Result

PARTIALLY_CAPTURED = frozenset({"PARTIAL_CHARGED", "PARTIAL_CHARGED_AND_CHARGEABLE"})
CAPTURED = PARTIALLY_CAPTURED | {"CHARGED"}
RELEASED = frozenset({"VOIDED", "EXPIRED"})
REFUSED = frozenset({"AUTHENTICATION_FAILED", "AUTHORIZATION_FAILED", "ROUTER_DECLINED", "FAILURE"})


def is_outcome(status: int) -> bool:
    """Whether an answer with this HTTP status may say what has become of a request.

    A server's fault, a proxy's refusal, a limit of requests or a request that is in progress say nothing.
    """
    return 200 <= status < 300 or is_certain_refusal(status)


def is_certain_refusal(status: int) -> bool:
    """Whether an error of the processor's own, with this HTTP status, says that nothing was done."""
    return status in (400, 402, 422)


def refund_result(status: str, http_status: int) -> Result:
    """What a refund's status says."""
    if status == "REFUND_SUCCESS":
        return Result.APPROVED
    if status in ("REFUND_FAILURE", "REFUND_TRANSACTION_FAILURE") and is_outcome(http_status):
        return Result.FAILED
    return Result.UNKNOWN


def decline_code(said: Any) -> str:
    """The code of a refusal, as in ISO 8583:1993, from the issuer's of 1987 where the library tells it."""
    issuer: str = said.error.issuer_details.network_details.decline_code
    return _CODES_OF_1993.get(issuer, "100")


def decline_reason(error: Any) -> str | None:
    """Why the issuer refused, in the protocol's words, where the library tells it.

    A code of the issuer's counts by the networks' list. A processor's own code counts by its name alone, because its
    numbers mean something else at each processor.
    """
    issuer = error.issuer_details
    if {issuer.network_details.decline_code.upper(), issuer.code.upper()} & _DEMANDS_OF_ISSUERS:
        return AUTHENTICATION_REQUIRED
    names = (error.unified_details.code, issuer.code, error.connector_details.code)
    if any(name.upper().replace("-", "_") == AUTHENTICATION_REQUIRED for name in names):
        return AUTHENTICATION_REQUIRED
    return None


AUTHENTICATION_REQUIRED = "AUTHENTICATION_REQUIRED"
# What the networks call a soft decline: the buyer has to be authenticated first.
_DEMANDS_OF_ISSUERS = frozenset({"65", "1A"})

_CODES_OF_1993 = {
    "14": "111",
    "41": "208",
    "43": "209",
    "51": "116",
    "54": "101",
    "57": "119",
    "59": "102",
    "61": "121",
    "62": "104",
    "65": "123",
}
