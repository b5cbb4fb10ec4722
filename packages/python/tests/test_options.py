"""What a client accepts, and that it shows no key."""

from __future__ import annotations

import pickle
import traceback
from typing import Any

import httpx
import pytest
from conftest import NewStage
from stage import API_KEY, Answer

from payframe import AsyncPayframe, Payframe, PayframeError

GOOD: dict[str, Any] = {"api_key": API_KEY, "gateway": "https://gateway.example"}
OTHER_THINGS_IN_ADDRESSES = ["https://gateway.example/?a", "https://gateway.example#a", "https://a:b@gateway.example"]
NO_ADDRESSES = [None, "", "gateway.example", "ftp://gateway.example", "https://gateway.example/api", "https://"]
REFUSED: dict[str, list[object]] = {
    "api_key": [None, "", 7, "two words", "line\nbreak", "line\n", "kéy"],
    "gateway": [*NO_ADDRESSES, *OTHER_THINGS_IN_ADDRESSES, "https://gateway.example:70000", "https://a b", "https://a\n"],
    "timeout": [0, -1, "9", 601, float("nan"), float("inf"), True],
    "max_retries": [-1, 11, 0.5, "2", True],
    "transport": ["transport", object()],
}


def _made(**change: Any) -> Payframe:
    options: dict[str, Any] = {**GOOD, **change}
    return Payframe(**options)


@pytest.mark.parametrize("kind", [Payframe, AsyncPayframe])
@pytest.mark.parametrize(("member", "value"), [(name, value) for name, values in REFUSED.items() for value in values])
def test_an_option_that_is_wrong_is_named_with_what_is_accepted(kind: Any, member: str, value: object) -> None:
    with pytest.raises(PayframeError, match=f"^{member} must be ") as caught:
        kind(**{**GOOD, member: value})
    assert (caught.value.kind, caught.value.code, caught.value.member) == ("caller", "bad_value", member)


@pytest.mark.parametrize(
    "gateway",
    [
        "http://gateway.example",
        "http://10.0.0.1",
        "http://localhost.example",
        "http://127.0.0.1.example",
        "http://127.1",
        "http://0.0.0.0",
        "http://[::2]",
    ],
)
def test_the_api_key_is_not_sent_over_http_to_other_machines(gateway: str) -> None:
    with pytest.raises(PayframeError, match="must be https"):
        _made(gateway=gateway)


@pytest.mark.parametrize(
    ("gateway", "base"),
    [
        ("http://localhost:8080", "http://localhost:8080/api"),
        ("http://shop.localhost", "http://shop.localhost/api"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080/api"),
        ("http://127.9.9.9", "http://127.9.9.9/api"),
        ("http://[::1]:8080", "http://[::1]:8080/api"),
        ("https://gateway.example/", "https://gateway.example/api"),
        ("HTTPS://Gateway.Example:444", "https://gateway.example:444/api"),
    ],
)
def test_an_origin_is_accepted(stage: NewStage, gateway: str, base: str) -> None:
    made = stage([Answer()], gateway=gateway)
    made.run(lambda p: p.call("GET", "/x"))
    assert made.sent[0].url == f"{base}/x"


def test_a_wrong_option_does_not_show_the_api_key() -> None:
    with pytest.raises(PayframeError) as caught:
        _made(api_key="secret key")
    assert "secret key" not in repr(caught.value) + "".join(traceback.format_exception_only(caught.value))


def test_a_client_shows_no_key_and_is_not_pickled(stage: NewStage) -> None:
    payframe = stage([Answer()]).payframe
    seen: list[object] = [payframe]
    # Everything that it refers to, three levels deep.
    for _ in range(3):
        seen += [value for thing in seen for value in getattr(thing, "__dict__", {}).values()]
    assert len(seen) > 10
    assert API_KEY not in repr(seen)
    with pytest.raises(TypeError):
        pickle.dumps(payframe)


def test_a_transport_of_the_other_kind_is_refused() -> None:
    with pytest.raises(PayframeError, match=r"must be a httpx\.BaseTransport"):
        Payframe(**GOOD, transport=httpx.AsyncHTTPTransport())  # type: ignore[arg-type]
    with pytest.raises(PayframeError, match=r"must be a httpx\.AsyncBaseTransport"):
        AsyncPayframe(**GOOD, transport=httpx.HTTPTransport())  # type: ignore[arg-type]
