"""Requests of the gateway, as they are read."""

from typing import Any

import pytest
from gateway_side import authorize, new_reference

from payframe_connectors.messages import Refused, read_authorize


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        ({"wallet": "APPLEPAY", "cryptogram": "AAAA", "eci": "07"}, ("AAAA", "07")),
        ({"wallet": "GOOGLEPAY", "cryptogram": "AAA="}, ("AAA=", None)),
        ({"wallet": "GOOGLEPAY"}, (None, None)),
    ],
)
def test_a_network_token_has_a_cryptogram_for_one_payment(token: dict[str, str], expected: tuple[str, str]) -> None:
    card = read_authorize(authorize(new_reference(), card={"networkToken": token})).card
    assert card.network_token is not None
    assert (card.network_token.cryptogram, card.network_token.eci) == expected
    assert "AAA" not in repr(card.network_token)
    assert read_authorize(authorize(new_reference())).card.network_token is None


@pytest.mark.parametrize("token", [7, {"cryptogram": ""}, {"cryptogram": "A A"}, {"eci": "7"}, {"eci": 7}])
def test_a_malformed_network_token_is_refused(token: Any) -> None:
    with pytest.raises(Refused):
        read_authorize(authorize(new_reference(), card={"networkToken": token}))
