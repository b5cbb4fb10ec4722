"""What the library's words about a refusal mean in the protocol's."""

from types import SimpleNamespace

import pytest

from payframe_connectors.statuses import decline_code, decline_reason


def error(*, network: str = "", issuer: str = "", unified: str = "", processor: str = "") -> SimpleNamespace:
    """The library's account of a refusal. What is not told is empty, as in its messages."""
    return SimpleNamespace(
        issuer_details=SimpleNamespace(code=issuer, network_details=SimpleNamespace(decline_code=network)),
        unified_details=SimpleNamespace(code=unified),
        connector_details=SimpleNamespace(code=processor),
    )


@pytest.mark.parametrize(
    "told",
    [
        error(network="65"),
        error(network="1A"),
        error(network="1a"),
        error(issuer="1A"),
        error(unified="AUTHENTICATION_REQUIRED"),
        error(issuer="authentication_required"),
        error(processor="authentication_required"),
        error(network="05", processor="authentication-required"),
    ],
)
def test_an_issuer_that_wants_the_buyer_authenticated_is_understood(told: SimpleNamespace) -> None:
    assert decline_reason(told) == "AUTHENTICATION_REQUIRED"


@pytest.mark.parametrize(
    "told",
    [
        error(),
        error(network="51"),
        error(network="05", processor="card_declined"),
        # Numbers of a processor's own are not the networks'.
        error(processor="65"),
        error(unified="65"),
        error(processor="authentication_failed"),
        error(processor="authentication_required_later"),
    ],
)
def test_all_else_is_a_decline_without_a_reason(told: SimpleNamespace) -> None:
    assert decline_reason(told) is None


@pytest.mark.parametrize(("network", "code"), [("65", "123"), ("1A", "100"), ("51", "116"), ("", "100")])
def test_a_demand_has_the_code_of_every_decline(network: str, code: str) -> None:
    assert decline_code(SimpleNamespace(error=error(network=network))) == code
