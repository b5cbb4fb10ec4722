"""``manage.py payframe_events``: reads the feed of events, and does what is due.

A shop runs it with ``--follow`` beside its servers, or without it every minute. Several at the same time are harmless.
"""

from __future__ import annotations

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import close_old_connections
from payframe import PayframeError

from payframe_oscar.book import book
from payframe_oscar.feed import read_feed
from payframe_oscar.rows import report


class Command(BaseCommand):
    """Reads the feed, and wakes the rows whose time has come."""

    help = "Reads the feed of events of the gateway, and does what is due: questions, time-outs, interrupted work."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--follow", action="store_true", help="go on until the command is stopped")
        parser.add_argument("--every", type=float, default=1.0, metavar="SECONDS", help="the pause between two rounds")

    def handle(self, *args: Any, follow: bool, every: float, **options: Any) -> None:
        if every <= 0:
            raise CommandError("--every must be a number of seconds above 0")
        shop_book = book()
        if follow:
            self.stdout.write("following the feed of events")
        while True:
            try:
                read_feed(shop_book)
            except PayframeError as problem:
                if not follow:
                    raise CommandError(f"The feed could not be read: {problem.message}") from problem
                report(problem)
            shop_book.wake()
            if not follow:
                return
            time.sleep(every)
            close_old_connections()
