"""The rows of the shop's payments, each kept by the order keeper, in the shop's database, which several servers share.

What happens is given to the keeper, and what it answers is carried out, also after a crash. Each change is one
transaction that locks the row first. Nothing is asked of the gateway while a row is locked. ``wake`` has to be called
now and then: ``manage.py payframe_events --follow`` does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.module_loading import import_string
from payframe import Order, Payframe, PayframeError, SessionRequest
from payframe.order_keeper import KeeperInput, KeeperOutput, PaymentUnavailable, new_order, read_input, step

from payframe_oscar import ledger, outbox, sums
from payframe_oscar.gateway import gateway
from payframe_oscar.models import Payment
from payframe_oscar.outbox import SESSION_OVER
from payframe_oscar.placement import Placement
from payframe_oscar.rows import known_row, locked, logger, report
from payframe_oscar.settings import payframe_settings


@dataclass(frozen=True)
class Formed:
    """A form to be shown, or why there is none."""

    session_id: str = ""
    html: str = ""
    """The printed form; empty if the form was opened before."""
    refused: PaymentUnavailable | sums.SumRefusal | None = None


class Book:
    """All payments. ``payframe`` and ``placement`` are those of the shop."""

    def __init__(
        self,
        payframe: Payframe,
        placement: Placement,
        *,
        retry_seconds: int = 10,
        now: Callable[[], datetime] = timezone.now,
    ) -> None:
        self.payframe = payframe
        self.placement = placement
        self.now = now
        self._retry = timedelta(seconds=retry_seconds)

    def place(self, reference: str, *, due: int, currency: str, pay_within: timedelta, **about: Any) -> Payment:
        """The row of an order, made if there is none: it is there before the gateway hears of the order.

        ``about``: the columns ``order_number``, ``basket`` and ``user``.
        """
        pay_by = self.now() + pay_within
        known = Payment.objects.filter(pk=reference).first()
        if known:
            return known
        row = Payment(reference=reference, currency=currency, kept=new_order(due), pay_by=pay_by, **about)
        row.set_wake_time()
        try:
            with transaction.atomic():
                row.save(force_insert=True)
        except IntegrityError:
            return known_row(reference)
        return row

    def describe(self, reference: str, submission: dict[str, Any]) -> None:
        """What the page with the form shows now: this is what will be placed."""
        with locked(reference) as row:
            if row.order is None:
                row.submission = submission

    def form(self, reference: str, due: int, request: SessionRequest) -> Formed:
        """The form for a buyer who wants to pay ``due``: the one that is open, with its sum changed, or a new one.

        ``request`` opens a session for ``due``.
        """
        refused = sums.change(self, known_row(reference), due)
        if refused:
            return Formed(refused=refused)
        return self._open_form(reference) or self._new_form(reference, request)

    def happens(self, reference: str, given: KeeperInput, *, done: KeeperOutput | None = None) -> list[KeeperOutput]:
        """Something has happened to an order. Answers when everything that can be done at once is done.

        Raises ``PayframeError`` with the code ``order_unknown`` if there is no such row.
        """
        return self._happens(reference, given, done=done)

    def look(self, reference: str, given: KeeperInput | None = None) -> Payment:
        """The row for a buyer who waits: the gateway is asked, also if a notification asks at the same time."""
        for _ in range(_MOST_LOOKS):
            self._happens(reference, given or {"type": "RETURN_PAGE"})
            row = known_row(reference)
            if row.kept["asked"] is None or row.ask_at is None or row.ask_at > self.now():
                break
        return row

    def cancel(self, reference: str, user: Any = None) -> None:
        """The staff cancels an order: its money goes back, and its stock is free again."""

        def cancel_goods(row: Payment) -> None:
            if row.order and row.kept["intent"] != "GIVE_BACK":
                self.placement.cancel(row, user)
                row.untold = "CANCELED"

        self._happens(reference, {"type": "STAFF_CANCEL"}, before=cancel_goods)

    def tell(self, reference: str, goods: str) -> None:
        """Tells the gateway what became of the goods."""
        with locked(reference) as row:
            row.untold = goods
            row.work_at = self.now() + self._retry
        self._work(reference)

    def look_again(self, reference: str) -> None:
        """Somebody has seen to it: the order is read again, and a person is called again if need be."""

        def seen(row: Payment) -> None:
            row.needs_person = ""

        self._happens(reference, {"type": "STAFF_LOOK_AGAIN"}, before=seen)

    def wake(self) -> None:
        """Does what is due: questions, time-outs, and what failed or was interrupted."""
        due = Payment.objects.filter(wake_at__lte=self.now()).order_by("wake_at")[:_MOST_AT_ONCE]
        for reference in list(due.values_list("pk", flat=True)):
            try:
                self._wake(known_row(reference))
            except Exception as problem:  # One row must not hold up the others.
                report(problem)

    def _wake(self, row: Payment) -> None:
        now, reference = self.now(), row.reference
        if row.pay_by is not None and row.pay_by <= now:

            def end(row: Payment) -> None:
                row.pay_by = None

            self._happens(reference, {"type": "TIME_OUT"}, before=end)
        if row.has_work:
            with locked(reference) as newest:
                newest.work_at = now + self._retry if newest.has_work else None
            self._work(reference)
        if row.ask_at is not None and row.ask_at <= now and row.kept["asked"] is not None:
            self._read(reference, row.kept["asked"])

    def _open_form(self, reference: str) -> Formed | None:
        """The form of the newest attempt, if a buyer can still pay in it."""
        row = known_row(reference)
        newest = row.kept["open"][-1] if row.kept["open"] else None
        session_id = row.session_of(newest["number"]) if newest and not newest["isClosing"] else None
        if not session_id or row.kept["statusDetail"] != "BUYER":
            return None
        try:
            if self.payframe.sessions.read(session_id)["state"] != "PAYMENT_COMPLETE":
                return Formed(session_id)
        except PayframeError as error:
            if error.code != SESSION_OVER:
                raise
        self._happens(reference, {"type": "FEED"})
        return None

    def _new_form(self, reference: str, request: SessionRequest) -> Formed:
        answer = self._happens(reference, {"type": "ATTEMPT_WANTED"})[0]
        if answer["type"] != "OPEN_ATTEMPT":
            return Formed(refused=answer["why"] if answer["type"] == "REFUSE_ATTEMPT" else "NOT_FOR_SALE")
        number = answer["number"]
        try:
            session = self.payframe.sessions.create(request, idempotency_key=f"build {reference} {number}")
        except PayframeError as error:
            if error.code != "GW9006":
                raise
            # Another attempt has paid the order, or waits for its issuer.
            self._happens(reference, {"type": "FEED"})
            return Formed(refused="ALREADY_PAID" if known_row(reference).kept["status"] == "PAID" else "UNDECIDED")

        def keep_session(row: Payment) -> None:
            row.sessions = {**row.sessions, str(number): session["sessionId"]}

        outputs = self._happens(reference, {"type": "ATTEMPT_OPENED", "number": number}, before=keep_session)
        if not any(output["type"] == "SHOW_FORM" for output in outputs):
            return Formed(refused="NOT_FOR_SALE")
        html = session["form"]["html"] if "form" in session else ""
        return Formed(session["sessionId"], html)

    def _happens(
        self,
        reference: str,
        given: KeeperInput,
        *,
        done: KeeperOutput | None = None,
        before: Callable[[Payment], None] | None = None,
        answer: Order | None = None,
    ) -> list[KeeperOutput]:
        """One input, in one transaction with what it answers; then the work."""
        outputs = self._give(reference, given, done, before, answer)
        self._work(reference)
        for output in outputs:
            if output["type"] == "ASK" and output["seconds"] == 0:
                self._read(reference, output["ticket"])
                break
        return outputs

    def _give(
        self,
        reference: str,
        given: KeeperInput,
        done: KeeperOutput | None,
        before: Callable[[Payment], None] | None,
        answer: Order | None,
    ) -> list[KeeperOutput]:
        with locked(reference) as row:
            if before:
                before(row)
            if answer is not None and given["type"] == "READ" and given["ticket"] == row.kept["asked"]:
                row.order_version = answer["orderVersion"]
                if row.order:
                    ledger.record(row, row.order, answer)
            status, called = row.status, row.kept["called"]
            row.kept, outputs = step(row.kept, given)
            if called is not None and row.kept["called"] is None and row.needs_person == called:
                row.needs_person = ""
            row.outbox = [*outbox.without(row.outbox, done), *(one for one in outputs if one["type"] not in _AT_ONCE)]
            row.work_at = self.now() + self._retry if row.has_work else None
            asks = [output for output in outputs if output["type"] == "ASK"]
            if asks:
                row.ask_at = self.now() + timedelta(seconds=asks[-1]["seconds"])
            elif row.kept["asked"] is None:
                row.ask_at = None
        if row.status != status:
            logger.info("Payment %s is %s", reference, row.status)
        return outputs

    def _work(self, reference: str) -> None:
        """Carries out what is in the outbox. What fails is tried again by ``wake``."""
        for output in known_row(reference).outbox:
            try:
                outbox.carry_out(self, known_row(reference), output)
            except Exception as problem:  # It stays in the outbox.
                report(problem)
        try:
            outbox.tell_goods(self, known_row(reference))
        except PayframeError as problem:
            report(problem)

    def _read(self, reference: str, ticket: int) -> None:
        row = known_row(reference)
        given: KeeperInput = {"type": "READ_FAILED", "ticket": ticket}
        answer: Order | None = None
        try:
            sums.finish(self, row)
            answer = self.payframe.orders.read(reference)
            given = read_input(ticket, answer, row.currency)
        except PayframeError as error:
            if error.code == "not_found":
                given = read_input(ticket, None, row.currency)
            else:
                report(error)
        self._happens(reference, given, answer=answer)


def book() -> Book:
    """The book with the shop's settings."""
    settings = payframe_settings()
    placement: type[Placement] = import_string(settings.placement)
    return Book(gateway(), placement(), retry_seconds=settings.retry_seconds)


_AT_ONCE = ("OPEN_ATTEMPT", "SHOW_FORM", "REFUSE_ATTEMPT", "ASK")
"""Answers to the caller who waits, and the question, which has columns of its own."""
_MOST_LOOKS = 5
_MOST_AT_ONCE = 100
