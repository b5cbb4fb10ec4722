"""Rows of the book: how one is read, and how one is locked to be changed."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction
from django.db.models import F
from payframe import PayframeError

from payframe_oscar.models import Payment


@contextmanager
def locked(reference: str) -> Iterator[Payment]:
    """A row, in one transaction that changes it. Nobody else changes it meanwhile."""
    with transaction.atomic(durable=True):
        # A write comes first: it locks the row in every database, also in SQLite, which can not lock by reading.
        if not Payment.objects.filter(pk=reference).update(revision=F("revision") + 1):
            raise _unknown(reference)
        row = Payment.objects.select_related("order").get(pk=reference)
        yield row
        row.set_wake_time()
        row.save()


def known_row(reference: str) -> Payment:
    """A row as it is now."""
    row = Payment.objects.filter(pk=reference).first()
    if row:
        return row
    raise _unknown(reference)


def report(problem: Exception) -> None:
    """Something failed, and is tried again."""
    if isinstance(problem, PayframeError):
        logger.error("%s %s", problem, problem.details())
    else:
        logger.error("%s", problem, exc_info=problem)


def _unknown(reference: str) -> PayframeError:
    return PayframeError(f"There is no payment {reference}.", kind="caller", code="order_unknown")


logger = logging.getLogger("payframe_oscar")
