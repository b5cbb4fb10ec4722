"""One reference moves money once, and an outcome that is not known stays unknown."""

import json
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest
from conftest import Stage
from gateway_side import authorize, new_reference
from scripted import OK, SILENCE, Scripted

from payframe_connectors.adapter import Adapter
from payframe_connectors.ledger import Ledger
from payframe_connectors.messages import Terms
from payframe_connectors.processor import Answer, Payment, Result
from payframe_connectors.statuses import AUTHENTICATION_REQUIRED


def results(outcome: dict[str, Any]) -> tuple[str, str]:
    return outcome["result"], outcome["responseCode"]


def test_a_payment_is_asked_for_once_however_often_it_comes(stage: Stage) -> None:
    reference = new_reference()
    first = stage.gateway.pay(reference)
    again = stage.gateway.pay(reference, card={"securityCodeStatus": "LOST"})
    assert first == again
    assert stage.gateway.inquire(reference) == {"reference": reference, "known": True, "outcome": first}
    assert stage.processor.asked == ["authorize 1000"]


def test_copies_at_the_same_moment_are_asked_for_once(stage: Stage) -> None:
    reference, outcomes, another = new_reference(), list[dict[str, Any]](), threading.Event()

    def say(asked: str) -> Answer:
        if not asked.startswith("authorize"):
            another.set()
        # The processor takes its time: a copy that does not wait for it would ask meanwhile.
        another.wait(0.3)
        return OK

    stage.processor.says = say
    copies = [threading.Thread(target=lambda: outcomes.append(stage.gateway.pay(reference))) for _ in range(6)]
    for copy in copies:
        copy.start()
    for copy in copies:
        copy.join()
    assert [one["result"] for one in outcomes] == ["APPROVED"] * 6
    assert stage.processor.asked == ["authorize 1000"]


def test_after_no_answer_the_processor_is_asked_and_never_charged_again(stage: Stage) -> None:
    reference = new_reference()
    stage.processor.says = lambda _asked: SILENCE
    assert results(stage.gateway.pay(reference)) == ("PENDING", "911")
    assert results(stage.gateway.pay(reference)) == ("PENDING", "911")
    stage.processor.says = lambda _asked: OK
    assert results(stage.gateway.pay(reference)) == ("APPROVED", "000")
    assert stage.processor.asked == ["authorize 1000", "status", "status"]


def test_an_intent_without_an_outcome_is_never_sent_after_a_crash(stage: Stage) -> None:
    reference = new_reference()
    terms = Terms("PAY", "EXPLICIT", 1000, "EUR", 2)
    assert stage.ledger.intend("main", reference, reference, reference, terms, None)
    stage.processor.says = lambda _asked: SILENCE
    assert stage.gateway.pay(reference)["result"] == "PENDING"
    assert stage.processor.asked == ["status"]


def test_a_final_outcome_never_changes(stage: Stage) -> None:
    reference = new_reference()
    stage.processor.says = lambda _asked: Answer(Result.DECLINED, "116")
    assert results(stage.gateway.pay(reference)) == ("DECLINED", "116")
    stage.processor.says = lambda _asked: OK
    assert results(stage.gateway.pay(reference)) == ("DECLINED", "116")
    assert not stage.ledger.conclude("main", reference, OK)
    assert results(stage.gateway.inquire(reference)["outcome"]) == ("DECLINED", "116")


@pytest.mark.parametrize(
    "change", [{"amountMinor": 1001}, {"currency": "USD"}, {"capture": "IMPLICIT"}, {"minorDigits": 3}]
)
def test_a_reference_with_other_terms_is_not_answered(stage: Stage, change: dict[str, Any]) -> None:
    reference = new_reference()
    stage.gateway.pay(reference)
    response = stage.gateway.post("authorize", json.dumps(authorize(reference, **change)).encode())
    assert response.status_code == 400
    assert stage.processor.asked == ["authorize 1000"]


def test_totals_are_never_exceeded(stage: Stage) -> None:
    payment = new_reference()
    stage.gateway.pay(payment)

    def move(operation: str, amount: int) -> tuple[str, str]:
        return results(stage.gateway.move(new_reference(), payment, operation, amount))

    assert move("REFUND", 1) == ("FAILED", "110")
    assert move("CAPTURE", 1001) == ("FAILED", "110")
    assert move("CAPTURE", 400) == ("APPROVED", "000")
    assert move("CAPTURE", 601) == ("FAILED", "110")
    assert move("REFUND", 401) == ("FAILED", "110")
    assert move("REFUND", 400) == ("APPROVED", "000")
    assert move("REFUND", 1) == ("FAILED", "110")
    # Processors release all that is held.
    assert move("VOID", 599) == ("FAILED", "909")
    assert move("VOID", 600) == ("APPROVED", "000")
    assert move("CAPTURE", 1) == ("FAILED", "110")
    assert move("CANCEL", 400) == ("FAILED", "909")
    assert stage.processor.asked[1:] == ["CAPTURE 400 #2", "REFUND 400 #1", "VOID 600 #1"]


def test_an_unknown_refund_uses_its_amount_up(stage: Stage) -> None:
    payment, first, second = new_reference(), new_reference(), new_reference()
    stage.gateway.pay(payment, capture="IMPLICIT")
    stage.processor.says = lambda _asked: SILENCE
    assert stage.gateway.move(first, payment, "REFUND", 600)["result"] == "PENDING"
    stage.processor.says = lambda _asked: OK
    assert results(stage.gateway.move(second, payment, "REFUND", 401)) == ("FAILED", "110")
    assert stage.processor.asked == ["authorize 1000", "REFUND 600 #1"]


def test_a_hold_is_not_released_while_a_capture_is_unknown(stage: Stage) -> None:
    payment, capture, void = new_reference(), new_reference(), new_reference()
    stage.gateway.pay(payment)
    stage.processor.says = lambda _asked: SILENCE
    assert stage.gateway.move(capture, payment, "CAPTURE", 400)["result"] == "PENDING"
    assert results(stage.gateway.move(void, payment, "VOID", 600)) == ("FAILED", "909")
    assert stage.processor.asked == ["authorize 1000", "CAPTURE 400 #1"]


def test_follow_ups_are_repeated_only_where_a_key_makes_it_safe(stage: Stage) -> None:
    payment, capture = new_reference(), new_reference()
    stage.gateway.pay(payment)
    stage.processor.says = lambda _asked: Answer(Result.UNKNOWN)
    for _ in range(2):
        assert stage.gateway.move(capture, payment, "CAPTURE", 400)["result"] == "PENDING"
    stage.processor.repeats_for_seconds = 3600
    assert stage.gateway.move(capture, payment, "CAPTURE", 400)["result"] == "PENDING"
    assert stage.processor.asked[1:] == ["CAPTURE 400 #1", "status of CAPTURE", "CAPTURE 400 #1 again"]


def test_a_processor_of_one_capture_releases_the_rest_by_it(stage: Stage) -> None:
    payment = new_reference()
    stage.processor.takes_several_captures = False
    stage.gateway.pay(payment)
    assert stage.gateway.move(new_reference(), payment, "CAPTURE", 400)["result"] == "APPROVED"
    assert results(stage.gateway.move(new_reference(), payment, "CAPTURE", 100)) == ("FAILED", "909")
    assert stage.gateway.move(new_reference(), payment, "VOID", 600)["result"] == "APPROVED"
    assert stage.processor.asked == ["authorize 1000", "CAPTURE 400 #1"]


def test_a_decline_has_its_reason_in_every_answer(stage: Stage) -> None:
    reference = new_reference()
    demand = Answer(Result.DECLINED, "100", decline_reason=AUTHENTICATION_REQUIRED)
    stage.processor.says = lambda _asked: demand
    first = stage.gateway.pay(reference)
    assert (results(first), first["declineReason"]) == (("DECLINED", "100"), "AUTHENTICATION_REQUIRED")
    stage.processor.says = lambda _asked: OK
    assert stage.gateway.pay(reference) == first
    assert stage.gateway.inquire(reference)["outcome"] == first
    # Another reference is another attempt.
    assert "declineReason" not in stage.gateway.pay(new_reference())


def test_a_decline_without_a_reason_names_none(stage: Stage) -> None:
    stage.processor.says = lambda _asked: Answer(Result.DECLINED, "116")
    assert "declineReason" not in stage.gateway.pay(new_reference())


def test_a_file_of_an_earlier_version_is_read_on(tmp_path: Path) -> None:
    file, terms = tmp_path / "connectors.db", Terms("PAY", "EXPLICIT", 1000, "EUR", 2)
    before = Ledger(file)
    before.intend("main", "1", "1", "1", terms, Answer(Result.DECLINED, "116"))
    before.intend("main", "2", "2", "2", terms, None)
    with sqlite3.connect(file) as tables:
        tables.execute("ALTER TABLE operation DROP COLUMN decline_reason")
    tables.close()
    after = Ledger(file)
    declined = after.find("main", "1")
    assert declined is not None
    assert (declined.result, declined.decline_reason) == ("DECLINED", None)
    assert after.conclude("main", "2", Answer(Result.DECLINED, "100", decline_reason=AUTHENTICATION_REQUIRED))
    demanded = after.find("main", "2")
    assert demanded is not None
    assert demanded.decline_reason == "AUTHENTICATION_REQUIRED"


def test_a_partial_approval_is_released_and_declined(stage: Stage) -> None:
    reference = new_reference()
    partial = Answer(Result.PARTIAL, "116", transaction="t1")
    stage.processor.says = lambda asked: partial if asked.startswith("authorize") else OK
    assert results(stage.gateway.pay(reference)) == ("DECLINED", "116")
    assert stage.processor.asked == ["authorize 1000", "VOID 1000 #1"]


def test_a_partial_approval_whose_release_is_not_certain_stays_unknown(stage: Stage) -> None:
    reference = new_reference()
    answers = {"authorize 1000": Answer(Result.PARTIAL, "116", transaction="t1")}
    stage.processor.says = lambda asked: answers.get(asked, SILENCE)
    assert stage.gateway.pay(reference)["result"] == "PENDING"
    assert stage.gateway.inquire(reference)["outcome"]["result"] == "PENDING"
    answers["status of VOID"] = OK
    assert results(stage.gateway.inquire(reference)["outcome"]) == ("DECLINED", "116")
    assert stage.processor.asked == ["authorize 1000", "VOID 1000 #1", "status of VOID", "status of VOID"]


def test_an_operator_links_a_payment_that_the_processor_knows_by_its_own_id(stage: Stage) -> None:
    class Linked(Scripted):
        def payment_status(self, payment: Payment) -> Answer:
            return OK if payment.transaction == "t9" else SILENCE

    reference = new_reference()
    stage.processor.says = lambda _asked: SILENCE
    assert stage.gateway.pay(reference)["result"] == "PENDING"
    adapter = Adapter("main", stage.ledger, Linked(), stage.log.append)
    assert adapter.link(reference, "t8") == "UNKNOWN"
    assert adapter.link(reference, "t9") == "APPROVED"
    assert stage.gateway.pay(reference)["result"] == "APPROVED"


def test_a_verification_is_not_supported(stage: Stage) -> None:
    outcome = stage.gateway.pay(new_reference(), action="VERIFY", amountMinor=0, capture="IMPLICIT")
    assert results(outcome) == ("FAILED", "909")
    assert stage.processor.asked == []


def test_a_payment_in_the_cards_own_currency_is_not_charged_in_another_one(stage: Stage) -> None:
    conversion = {"amountMinor": 1115, "currency": "USD", "minorDigits": 2, "exchangeRate": "0.897085020"}
    outcome = stage.gateway.pay(new_reference(), conversion=conversion)
    assert results(outcome) == ("FAILED", "909")
    assert stage.processor.asked == []


def test_books_of_two_processors_are_apart(stage: Stage) -> None:
    reference = new_reference()
    stage.gateway.pay(reference)
    assert stage.ledger.find("other", reference) is None
