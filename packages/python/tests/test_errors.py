"""What an error says, and what it never holds."""

from __future__ import annotations

import copy
import json
import pickle
import traceback
from typing import Any

import pytest
from conftest import NewStage
from stage import (
    API_KEY,
    CID,
    FOREIGN,
    LOST,
    NO_CONNECTION,
    NO_CONNECTION_IN_TIME,
    SILENT,
    Answer,
    Step,
    refusal,
)

from payframe import PayframeError

SESSION = "a-secret-session"


def _error(stage: NewStage, step: Step) -> PayframeError:
    return stage([step], max_retries=0).error(lambda p: p.sessions.finalize(SESSION))


def test_a_refusal_keeps_code_status_sentence_member_and_the_ids_for_the_operator(stage: NewStage) -> None:
    error = _error(stage, refusal(400, "PS0026", "order.amount is missing"))
    assert str(error) == error.message == "PS0026: order.amount is missing"
    assert json.loads(json.dumps(error.details())) == {
        "kind": "caller",
        "code": "PS0026",
        "status": 400,
        "member": "order.amount",
        "request_id": CID,
        "correlation_id": "id-1",
        "idempotency_key": "id-2",
        "is_retryable": False,
        "outcome_unknown": False,
    }
    assert repr(error).startswith("PayframeError('PS0026: order.amount is missing', kind='caller', code='PS0026', ")


@pytest.mark.parametrize(
    ("code", "description", "member"),
    [
        ("PS0026", "order.installments[0].date is missing", "order.installments[0].date"),
        ("PS0036", "order.amount must be 1 to 12 digits, in the minor unit", "order.amount"),
        ("PS0007", "paymentSession.amount is above order.amount", "paymentSession.amount"),
        ("PS0041", "script in order.description", "order.description"),
        ("PS0026", "delivery holds a card number: card data is taken by the form only", "delivery"),
        ("PS0025", "header Idempotency-Key was used for another request", "Idempotency-Key"),
        ("PS0035", "the body must be JSON", None),
        ("PS0026", "the body must be an object", None),
        ("GW9003", "the session is in READY_FOR_PAYMENT, which does not allow this call", None),
        ("PS0061", "build session expired", None),
    ],
)
def test_the_member_is_read_from_the_sentence(
    stage: NewStage, code: str, description: str, member: str | None
) -> None:
    assert _error(stage, refusal(400, code, description)).member == member


def test_a_long_sentence_is_cut(stage: NewStage) -> None:
    assert len(_error(stage, refusal(400, "PS0026", "x" * 9000)).message) < 600


@pytest.mark.parametrize(
    ("step", "kind", "code"),
    [
        (refusal(400, "PS0026", "x is missing"), "caller", "PS0026"),
        (refusal(400, "PS0061", "build session expired"), "buyer", "PS0061"),
        (refusal(400, "PS0004", "the card could not be verified"), "issuer", "PS0004"),
        (refusal(400, "GW9009", "the terminal has no acquirer"), "operator", "GW9009"),
        (refusal(400, "GW9010", "buyers of the terminal can not be authenticated"), "operator", "GW9010"),
        (refusal(500, "PS0000", "a failure of ours"), "gateway", "PS0000"),
        (refusal(503, "GW9013", "the gateway has no access to its data now"), "gateway", "GW9013"),
        (Answer(503, text="", headers={}), "gateway", "http_503"),
        (Answer(404, text=""), "caller", "not_found"),
        (Answer(404, text="", headers={}), "caller", "http_404"),
        (Answer(text="["), "gateway", "unreadable_answer"),
        (Answer(text="null"), "gateway", "unreadable_answer"),
        (Answer(text="[1]"), "gateway", "unreadable_answer"),
        (Answer(text="[" * 100_000), "gateway", "unreadable_answer"),
        (Answer(302, text="", headers={"location": "https://x.example/"}), "gateway", "unreadable_answer"),
        (LOST, "network", "unreachable"),
        (SILENT, "network", "timeout"),
        (NO_CONNECTION, "network", "unreachable"),
        (NO_CONNECTION_IN_TIME, "network", "timeout"),
        (FOREIGN, "network", "unreachable"),
    ],
)
def test_the_kind_says_whose_fault_it_is(stage: NewStage, step: Step, kind: str, code: str) -> None:
    error = _error(stage, step)
    assert (error.kind, error.code) == (kind, code)


def test_a_list_without_its_rows_is_not_the_gateways(stage: NewStage) -> None:
    error = stage([Answer(json={})]).error(lambda p: p.orders.list())
    assert (error.kind, error.code) == ("gateway", "unreadable_answer")


PAGE = f"<html>{API_KEY} {SESSION}"
LEAKS: list[Step] = [
    LOST,
    SILENT,
    NO_CONNECTION,
    FOREIGN,
    Answer(text=PAGE),
    Answer(502, text=PAGE),
    Answer(302, text=PAGE, headers={"location": f"https://x.example/{API_KEY}"}),
    Answer(400, {"errors": PAGE}),
    Answer(400, {"errors": [PAGE]}),
    Answer(400, {"errors": [{"code": PAGE, "description": PAGE}]}),
    refusal(401, "GW9020", f"no such key: {API_KEY}"),
]


@pytest.mark.parametrize("step", LEAKS, ids=range(len(LEAKS)))
def test_no_error_shows_the_api_key_the_session_the_body_or_what_a_proxy_wrote(stage: NewStage, step: Step) -> None:
    error = _error(stage, step)
    assert error.__cause__ is None
    assert error.__context__ is None
    shown = [repr(error), str(error), repr(vars(error)), repr(error.args), json.dumps(error.details())]
    shown += traceback.format_exception(error)
    for text in [*shown, repr(pickle.dumps(error))]:
        assert API_KEY not in text
        assert SESSION not in text
        assert "<html>" not in text


@pytest.mark.parametrize("step", LEAKS, ids=range(len(LEAKS)))
def test_no_variable_of_the_package_shows_the_api_key_where_an_error_passes(stage: NewStage, step: Step) -> None:
    """Error trackers record the variables of each frame."""
    frames = list(traceback.walk_tb(_error(stage, step).__traceback__))
    ours = [frame for frame, _ in frames if "/payframe/" in frame.f_code.co_filename]
    assert len(ours) >= 3
    for frame in ours:
        assert API_KEY not in repr(frame.f_locals)


def test_errors_survive_pickling_and_copying(stage: NewStage) -> None:
    error = _error(stage, LOST)
    for other in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(other) is PayframeError
        assert (str(other), other.details()) == (str(error), error.details())


def test_a_client_that_is_closed_makes_no_call(stage: NewStage) -> None:
    made = stage([Answer()])

    def closed(payframe: Any) -> Any:
        return payframe.close() if hasattr(payframe, "close") else payframe.aclose()

    made.run(closed)
    made.run(closed)
    assert made.error(lambda p: p.orders.read("A1")).code == "client_closed"
    assert made.sent == []
