"""Carries out the requests of the acquirer protocol for one processor.

A reference is sent to the processor once. If it is not certain what came of it, the processor is asked what it knows;
only follow-up operations of a processor that carries a key out once are sent again. An outcome that is not known
stays unknown until the processor or the operator tells it.
"""

import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace

from .ledger import REFUSED, Ledger, Operation, available
from .messages import FollowUp, JsonObject, Refused, read_authorize, read_follow_up, read_inquire
from .processor import UNSUPPORTED, Answer, Movement, Payment, Processor, Result

ASK_AGAIN_SECONDS = 5


class Adapter:
    """The adapter of one processor."""

    def __init__(self, name: str, ledger: Ledger, processor: Processor, log: Callable[[str], None]) -> None:
        self._name = name
        self._ledger = ledger
        self._processor = processor
        self._log = log
        # Requests about one authorization wait for each other.
        self._locks = [threading.Lock() for _ in range(256)]

    def answer(self, endpoint: str, message: JsonObject) -> dict[str, object]:
        """Answers a request. Raises `Refused` if it can not be read, or contradicts an earlier one."""
        handlers = {
            "describe": self._describe,
            "authorize": self._authorize,
            "follow-up": self._follow_up,
            "inquire": self._inquire,
        }
        if endpoint not in handlers:
            raise Refused(404)
        return handlers[endpoint](message)

    def link(self, reference: str, transaction: str) -> str:
        """Gives an operation the processor's id of it, asks the processor, and says what is known then."""
        operation = self._ledger.find(self._name, reference)
        if operation is None:
            raise LookupError(reference)
        with self._lock_of(operation.authorization):
            self._ledger.learn(self._name, reference, Answer(Result.UNKNOWN, transaction=transaction))
            return self._settle(self._reread(operation)).result or "UNKNOWN"

    def _describe(self, _message: JsonObject) -> dict[str, object]:
        return {"name": "payframe-connectors", "protocols": [1], "operations": self._processor.operations}

    def _authorize(self, message: JsonObject) -> dict[str, object]:
        request = read_authorize(message)
        reference = request.reference
        with self._lock_of(reference):
            refusal = UNSUPPORTED if request.terms.operation == "VERIFY" or request.is_converted else None
            is_new = self._ledger.intend(self._name, reference, reference, reference, request.terms, refusal)
            operation = self._find(reference)
            if operation.authorization != reference or operation.terms != request.terms:
                raise Refused(400)
            if is_new and refusal is None:
                payment = self._payment(operation, [])
                self._note(operation, self._processor.authorize(payment, request.card, operation.minor_digits))
            return _outcome(self._reread(operation) if is_new else self._settle(operation))

    def _follow_up(self, message: JsonObject) -> dict[str, object]:
        request = read_follow_up(message)
        reference, authorization = request.reference, request.authorization
        with self._lock_of(authorization):
            refusal = self._refusal(request)
            is_new = self._ledger.intend(self._name, reference, authorization, request.target, request.terms, refusal)
            operation = self._find(reference)
            is_other = operation.authorization != authorization or reference == authorization
            if is_other or operation.terms != request.terms:
                raise Refused(400)
            if is_new and refusal is None:
                self._note(operation, self._processor.move(*self._movement(operation)))
            return _outcome(self._reread(operation) if is_new else self._settle(operation))

    def _inquire(self, message: JsonObject) -> dict[str, object]:
        reference = read_inquire(message)
        operation = self._ledger.find(self._name, reference)
        if operation is None:
            return {"reference": reference, "known": False}
        with self._lock_of(operation.authorization):
            operation = self._settle(self._reread(operation))
        return {"reference": reference, "known": True, "outcome": _outcome(operation)}

    def _refusal(self, request: FollowUp) -> Answer | None:
        """Why a new follow-up operation is not asked for, if so."""
        terms = request.terms
        rows = self._ledger.of_authorization(self._name, request.authorization)
        limits = available(rows, request.authorization, request.reference)
        first = self._ledger.find(self._name, request.authorization)
        if limits is None or first is None or terms.operation not in limits:
            return UNSUPPORTED
        if (terms.currency, terms.minor_digits) != (first.currency, first.minor_digits):
            return UNSUPPORTED
        if not 0 < terms.amount_minor <= limits[terms.operation]:
            return Answer(Result.FAILED, "110", cause="the amount is not there")
        captures = _captures_beside(rows, request.reference)
        has_only_one = bool(captures) and not self._processor.takes_several_captures
        if terms.operation == "CAPTURE" and has_only_one:
            return UNSUPPORTED
        if terms.operation == "VOID":
            if terms.amount_minor != limits["VOID"] or any(row.result is None for row in captures):
                # Processors release all that is held, which must not be more than what the gateway asks for.
                return UNSUPPORTED
            if has_only_one:
                return Answer(Result.APPROVED, "000", cause="the capture has released the rest")
        return None

    def _settle(self, operation: Operation) -> Operation:
        """Finds out about an operation whose outcome is not known."""
        if operation.is_final:
            return operation
        if operation.reference == operation.authorization:
            self._note(operation, self._undo(operation) if operation.is_undone else self._status(operation))
        elif self._may_repeat(operation) and operation.transaction_id is None:
            payment, movement = self._movement(operation)
            self._note(operation, self._processor.move(payment, replace(movement, is_repeated=True)))
        else:
            self._note(operation, self._processor.movement_status(*self._movement(operation)))
        return self._reread(operation)

    def _status(self, operation: Operation) -> Answer:
        return self._processor.payment_status(self._payment(operation, []))

    def _note(self, operation: Operation, answer: Answer) -> None:
        """Writes what a processor said."""
        if answer.result is Result.PARTIAL:
            self._log(f"{self._name} {operation.reference} {operation.operation}: a part was approved, it is released")
            self._ledger.learn(self._name, operation.reference, answer)
            self._ledger.undo(self._name, operation.reference)
            answer = self._undo(self._reread(operation), is_first=True)
        if answer.result is Result.UNKNOWN:
            self._ledger.learn(self._name, operation.reference, answer)
        else:
            self._ledger.conclude(self._name, operation.reference, answer)
            is_follow_up = operation.reference != operation.authorization
            if is_follow_up and operation.operation == "CAPTURE" and answer.state is not None:
                self._ledger.remember_state(self._name, operation.authorization, answer.state)
        if answer.cause:
            self._log(
                f"{self._name} {operation.reference} {operation.operation}: {answer.result.value}, {answer.cause}"
            )

    def _undo(self, operation: Operation, is_first: bool = False) -> Answer:
        """Releases an authorization of which a part was approved. It is declined as soon as that is certain."""
        payment = self._payment(operation, [])
        movement = Movement(operation.reference + "-undo", "VOID", operation.amount_minor, is_repeated=not is_first)
        if operation.capture == "IMPLICIT":
            return Answer(Result.UNKNOWN, cause="a part was captured: the operator has to give it back")
        if is_first or self._may_repeat(operation):
            answer = self._processor.move(payment, movement)
        else:
            answer = self._processor.movement_status(payment, movement)
        if answer.result is Result.APPROVED:
            return Answer(Result.DECLINED, "116", cause="a part was approved and released")
        return Answer(Result.UNKNOWN, cause=f"a part was approved, its release is not certain: {answer.cause}")

    def _payment(self, first: Operation, captures: list[Operation]) -> Payment:
        return Payment(
            reference=first.reference,
            capture=first.capture,
            amount_minor=first.amount_minor,
            currency=first.currency,
            transaction=first.transaction_id,
            state=first.state,
            captured_before=bool(captures),
        )

    def _movement(self, operation: Operation) -> tuple[Payment, Movement]:
        first = self._find(operation.authorization)
        rows = self._ledger.of_authorization(self._name, operation.authorization)
        captures = [row.reference for row in rows if row.operation == "CAPTURE"]
        is_capture = operation.operation == "CAPTURE"
        movement = Movement(
            reference=operation.reference,
            operation=operation.operation,
            amount_minor=operation.amount_minor,
            transaction=operation.transaction_id,
            # The same at each repetition: the rows are in the order in which they were written.
            sequence=captures.index(operation.reference) + 1 if is_capture else 1,
        )
        return self._payment(first, _captures_beside(rows, operation.reference)), movement

    def _may_repeat(self, operation: Operation) -> bool:
        return time.time() - operation.begun_seconds < self._processor.repeats_for_seconds

    def _find(self, reference: str) -> Operation:
        operation = self._ledger.find(self._name, reference)
        if operation is None:
            raise Refused(500)
        return operation

    def _reread(self, operation: Operation) -> Operation:
        return self._find(operation.reference)

    def _lock_of(self, authorization: str) -> AbstractContextManager[bool]:
        return self._locks[hash(authorization) % len(self._locks)]


def _captures_beside(rows: list[Operation], reference: str) -> list[Operation]:
    """The captures that are approved or may be, without the operation with this reference."""
    captures = [row for row in rows if row.operation == "CAPTURE" and row.reference != reference]
    return [row for row in captures if row.result not in REFUSED]


def _outcome(operation: Operation) -> dict[str, object]:
    outcome: dict[str, object] = {
        "reference": operation.reference,
        "amountMinor": operation.amount_minor,
        "currency": operation.currency,
        "result": operation.result or "PENDING",
        "responseCode": operation.response_code or "911",
    }
    if operation.result is None:
        outcome["askAgainAfterSeconds"] = ASK_AGAIN_SECONDS
    if operation.result == "APPROVED" and operation.authorization_code is not None:
        outcome["authorizationCode"] = operation.authorization_code
    if operation.result == "APPROVED" and operation.scheme_id is not None:
        outcome["schemeId"] = operation.scheme_id
    if operation.result == "DECLINED" and operation.decline_reason is not None:
        outcome["declineReason"] = operation.decline_reason
    return outcome
