"""The adapter and the library, in front of two fake processors whose line fails."""

import json
import subprocess
import threading
from typing import Any

import httpx
import pytest
from gateway_side import APPROVED, DECLINED, Gateway, authorize, new_reference

from processors.bank import Fault
from processors.stage import Stage


def gateway_of(stage: Stage) -> Gateway:
    assert stage.gateway is not None
    return stage.gateway


def result(outcome: dict[str, Any]) -> str:
    text: str = outcome["result"]
    return text


@pytest.fixture(params=["by_reference", "by_id"])
def stage(request: pytest.FixtureRequest) -> Stage:
    either: Stage = request.getfixturevalue(request.param)
    return either


@pytest.mark.parametrize(("currency", "digits"), [("EUR", 2), ("JPY", 0), ("KWD", 3)])
def test_a_payment_lives_in_every_kind_of_currency(stage: Stage, currency: str, digits: int) -> None:
    gateway, bank, payment = gateway_of(stage), stage.fake.bank, new_reference()
    terms = {"currency": currency, "minorDigits": digits}
    assert result(gateway.pay(payment, amountMinor=123_457, **terms)) == "APPROVED"
    assert (bank.payments[0].amount, bank.payments[0].currency) == (123_457, currency)
    for operation, amount in (("CAPTURE", 100_000), ("CAPTURE", 20_000), ("VOID", 3_457), ("REFUND", 120_000)):
        request = {
            "reference": new_reference(),
            "authorization": payment,
            "target": payment,
            "terminalId": "55000001",
            "operation": operation,
            "amountMinor": amount,
            **terms,
        }
        assert result(gateway.call("follow-up", request)) == "APPROVED", operation
    paid = bank.payments[0]
    assert (paid.captured, paid.refunded, paid.is_released) == (120_000, 120_000, True)


def test_a_unit_that_the_library_has_otherwise_is_not_charged(stage: Stage) -> None:
    outcome = gateway_of(stage).pay(new_reference(), currency="KWD", minorDigits=2)
    assert (outcome["result"], outcome["responseCode"]) == ("FAILED", "909")
    assert stage.fake.bank.requests == []


def test_a_declined_card_is_declined(stage: Stage) -> None:
    assert result(gateway_of(stage).pay(new_reference(), card={"number": DECLINED})) == "DECLINED"


def test_an_amount_that_is_captured_at_once_is_captured(stage: Stage) -> None:
    assert result(gateway_of(stage).pay(new_reference(), capture="IMPLICIT")) == "APPROVED"
    assert stage.fake.bank.payments[0].captured == 1000


def test_a_result_of_3d_secure_is_passed_on_or_nothing_is_asked(stage: Stage) -> None:
    value = "AJkBBkhgQQAAAE4gSEJydQAAAAA="
    authentication = {
        "eci": "05",
        "authenticationValue": value,
        "dsTransactionId": "c4e59ceb-a382-4d6a-bc87-385d591fa09d",
        "version": "2.2.0",
    }
    outcome = gateway_of(stage).pay(new_reference(), card={"authentication": authentication})
    sent = stage.fake.bank.requests
    assert (outcome["result"], len(sent)) in (("APPROVED", 1), ("FAILED", 0))
    assert all(value in body for _, body, _ in sent)


LOST = [Fault.LOST_ANSWER, Fault.LATE_ANSWER, Fault.BROKEN_ANSWER, Fault.SERVER_FAULT]


@pytest.mark.parametrize("fault", LOST)
def test_after_a_lost_answer_the_outcome_is_asked_for_by_reference(by_reference: Stage, fault: Fault) -> None:
    gateway, bank, reference = gateway_of(by_reference), by_reference.fake.bank, new_reference()
    bank.faults.append(fault)
    assert result(gateway.pay(reference, capture="IMPLICIT")) == "PENDING"
    assert result(gateway.pay(reference, capture="IMPLICIT")) == "APPROVED"
    assert len(bank.payments) == 1
    refund = new_reference()
    bank.faults.append(fault)
    assert result(gateway.move(refund, reference, "REFUND", 600)) == "PENDING"
    assert result(gateway.move(new_reference(), reference, "REFUND", 600)) == "FAILED"
    assert result(gateway.inquire(refund)["outcome"]) == "APPROVED"
    assert bank.payments[0].refunded == 600


@pytest.mark.parametrize("fault", LOST)
def test_after_a_lost_answer_to_a_capture_or_a_release_the_payment_tells(by_reference: Stage, fault: Fault) -> None:
    gateway, bank = gateway_of(by_reference), by_reference.fake.bank
    for operation in ("CAPTURE", "VOID"):
        payment, movement = new_reference(), new_reference()
        gateway.pay(payment)
        bank.faults.append(fault)
        assert result(gateway.move(movement, payment, operation, 1000)) == "PENDING"
        assert result(gateway.move(movement, payment, operation, 1000)) == "APPROVED"
    assert [(one.captured, one.is_released) for one in bank.payments] == [(1000, False), (0, True)]


@pytest.mark.parametrize("fault", LOST)
def test_a_lost_answer_is_asked_for_again_with_the_same_key(by_id: Stage, fault: Fault) -> None:
    gateway, bank, reference = gateway_of(by_id), by_id.fake.bank, new_reference()
    bank.faults.append(fault)
    assert result(gateway.pay(reference, capture="IMPLICIT")) == "APPROVED"
    first, second = bank.requests
    assert first == second
    assert first[2] == reference
    bank.faults.append(fault)
    assert result(gateway.move(new_reference(), reference, "REFUND", 600)) == "APPROVED"
    assert (len(bank.payments), bank.payments[0].refunded) == (1, 600)


def test_a_payment_whose_answers_are_all_lost_stays_unknown_until_the_operator_looks(by_id: Stage) -> None:
    gateway, bank, reference = gateway_of(by_id), by_id.fake.bank, new_reference()
    bank.faults.extend([Fault.LOST_ANSWER, Fault.LOST_ANSWER])
    assert result(gateway.pay(reference)) == "PENDING"
    assert result(gateway.pay(reference)) == "PENDING"
    assert (len(bank.payments), len(bank.requests)) == (1, 2)
    file = str(by_id.settings)
    assert f"main {reference} PAY 1000 EUR" in by_id.command("unknown", file)
    assert by_id.command("resolve", file, "main", reference, "--transaction", bank.payments[0].id) == "APPROVED\n"
    assert result(gateway.inquire(reference)["outcome"]) == "APPROVED"
    assert by_id.command("unknown", file) == ""


def test_an_operator_says_that_nothing_moved(by_id: Stage) -> None:
    gateway, bank, reference = gateway_of(by_id), by_id.fake.bank, new_reference()
    bank.faults.extend([Fault.LOST_REQUEST, Fault.LOST_REQUEST])
    assert result(gateway.pay(reference)) == "PENDING"
    assert by_id.command("resolve", str(by_id.settings), "main", reference, "--nothing-moved") == "FAILED\n"
    assert result(gateway.pay(reference)) == "FAILED"
    assert bank.payments == []


def test_a_request_that_never_came_stays_unknown_and_is_not_sent_again(by_reference: Stage) -> None:
    gateway, bank, reference = gateway_of(by_reference), by_reference.fake.bank, new_reference()
    bank.faults.append(Fault.LOST_REQUEST)
    assert result(gateway.pay(reference)) == "PENDING"
    assert result(gateway.pay(reference)) == "PENDING"
    assert (len(bank.requests), bank.payments) == (1, [])


def test_an_answer_that_comes_twice_is_not_the_answer_to_the_next_request(stage: Stage) -> None:
    gateway, bank = gateway_of(stage), stage.fake.bank
    bank.faults.append(Fault.DOUBLED_ANSWER)
    assert result(gateway.pay(new_reference())) == "APPROVED"
    assert result(gateway.pay(new_reference(), card={"number": DECLINED})) == "DECLINED"


def test_a_smaller_amount_is_no_approval_and_is_released(by_id: Stage) -> None:
    gateway, bank, reference = gateway_of(by_id), by_id.fake.bank, new_reference()
    bank.faults.append(Fault.OTHER_AMOUNT)
    outcome = gateway.pay(reference)
    assert (outcome["result"], outcome["responseCode"]) == ("DECLINED", "116")
    assert bank.payments[0].is_released
    assert gateway.pay(reference) == outcome


def test_a_larger_amount_is_no_approval(by_id: Stage) -> None:
    gateway, bank, reference = gateway_of(by_id), by_id.fake.bank, new_reference()
    bank.faults.append(Fault.LARGER_AMOUNT)
    assert result(gateway.pay(reference)) == "PENDING"
    assert len(bank.requests) == 1


def test_copies_at_the_same_moment_charge_once(stage: Stage) -> None:
    gateway, reference, outcomes = gateway_of(stage), new_reference(), list[str]()
    copies = [threading.Thread(target=lambda: outcomes.append(result(gateway.pay(reference)))) for _ in range(4)]
    for copy in copies:
        copy.start()
    for copy in copies:
        copy.join()
    assert outcomes == ["APPROVED"] * 4
    assert len(stage.fake.bank.requests) == 1


def test_after_a_crash_between_intent_and_answer_nothing_is_sent_again(by_reference: Stage) -> None:
    gateway, bank, reference = gateway_of(by_reference), by_reference.fake.bank, new_reference()
    bank.faults.append(Fault.LATE_ANSWER)

    def call() -> None:
        with pytest.raises(httpx.TransportError):
            gateway.pay(reference)

    caller = threading.Thread(target=call)
    caller.start()
    assert bank.arrived.wait(10)
    by_reference.stop()
    caller.join()
    again = by_reference.start()
    assert result(again.pay(reference, card={"securityCodeStatus": "LOST"})) == "APPROVED"
    assert (len(bank.payments), len(bank.requests)) == (1, 1)


def test_two_processes_do_not_serve_with_one_file(stage: Stage) -> None:
    with pytest.raises(subprocess.CalledProcessError) as refused:
        stage.command("serve", str(stage.settings))
    assert "another process serves with it" in refused.value.stderr


def test_no_card_is_left_behind(stage: Stage) -> None:
    gateway, bank = gateway_of(stage), stage.fake.bank
    for fault in (Fault.BROKEN_ANSWER, Fault.SERVER_FAULT, Fault.LOST_ANSWER):
        bank.faults.append(fault)
        gateway.pay(new_reference())
    gateway.pay(new_reference(), card={"number": DECLINED})
    assert gateway.post("authorize", json.dumps(authorize("")).encode()).status_code == 400
    stage.stop()
    kept = b"".join(file.read_bytes() for file in stage.folder.iterdir()) + "".join(stage.log).encode()
    assert b"/main/authorize 200" in kept
    for secret in (APPROVED, DECLINED, "Rossi"):
        assert secret.encode() not in kept
