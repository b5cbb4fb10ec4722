"""``manage.py payframe_differences``: compares the books of the shop with those of the gateway."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from payframe import PayframeError

from payframe_oscar.differences import differences
from payframe_oscar.gateway import gateway


class Command(BaseCommand):
    """Prints each difference. The exit status is 1 if there is one."""

    help = "Compares the payments of the last days with the gateway. The exit status is 1 if there is a difference."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--days", type=int, default=7, help="how far back; 7 by default")

    def handle(self, *args: Any, days: int, **options: Any) -> None:
        if days < 1:
            raise CommandError("--days must be a whole number from 1")
        try:
            found = differences(gateway(), days=days)
        except PayframeError as problem:
            raise CommandError(f"The gateway could not be asked: {problem.message}") from problem
        for one in found:
            self.stdout.write(f"{one.reference} {one.kind}: {one.cause} {one.action}")
        self.stdout.write(f"{len(found)} differences")
        if found:
            sys.exit(1)
