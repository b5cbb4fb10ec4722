"""The feed of events: it names every order whose money has moved, also if a notification was lost."""

from __future__ import annotations

from payframe import EventQuery, PayframeError

from payframe_oscar.book import Book
from payframe_oscar.models import FeedPosition, Payment
from payframe_oscar.rows import report


def read_feed(book: Book) -> int:
    """Has every order that new events name read again. Answers how many orders these were."""
    position, _ = FeedPosition.objects.get_or_create(name="events")
    seen = 0
    while True:
        try:
            query: EventQuery = {"limit": 500}
            if position.cursor:
                query["after"] = position.cursor
            page = book.payframe.events.list(query)
        except PayframeError as problem:
            if problem.code != "GW9011" or not position.cursor:
                raise
            # Events behind this cursor may be gone: all that are open are read, and the feed from its beginning.
            report(problem)
            position.cursor = ""
            position.save()
            seen += _heed(book, list(_open_references()))
            continue
        named = [event["notification"]["operation"]["orderId"] for event in page["events"] if "notification" in event]
        seen += _heed(book, list(dict.fromkeys(named)))
        # Stored only now: after a crash the same events are read again, which changes nothing.
        position.cursor = page["nextCursor"]
        position.save()
        if not page["hasMore"]:
            return seen


def _heed(book: Book, references: list[str]) -> int:
    heeded = 0
    for reference in references:
        if not Payment.objects.filter(pk=reference).exists():
            continue  # An order of another shop of the merchant.
        try:
            book.happens(reference, {"type": "FEED"})
            heeded += 1
        except PayframeError as problem:
            report(problem)
    return heeded


def _open_references() -> list[str]:
    rows = Payment.objects.filter(kept__attempts__gt=0)
    return [row.reference for row in rows if not row.is_over]
