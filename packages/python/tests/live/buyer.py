"""What the form does for a buyer: it submits a card, and closes the payment if the session lets it.

The cards are test cards of the sandbox, and of nobody.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime, timezone

import httpx


@dataclass(frozen=True)
class Card:
    """A test card of the sandbox. It expires in a year."""

    number: str
    code: str = "123"
    name: str = "Ada Lovelace"

    @property
    def expiry(self) -> str:
        return f"12{(datetime.now(timezone.utc).year + 1) % 100:02}"


APPROVED = Card("4761730000000003")
NO_FUNDS = Card("4761730000001167")


def enter_card(gateway: str, session_id: str, card: Card, *, shown_sum: str | None = None) -> None:
    """Submits the card. With ``shown_sum`` the form closes the payment."""
    values = {
        "CARD_NUMBER": card.number,
        "EXPIRATION_DATE": card.expiry,
        "SECURITY_CODE": card.code,
        "CARDHOLDER_NAME": card.name,
    }
    _as_frame(gateway, session_id, "fe/build/text", [{"id": name, "value": value} for name, value in values.items()])
    # There is no device to check.
    _as_frame(gateway, session_id, "fe/build/skip_gdi", {})
    if shown_sum:
        _as_frame(gateway, session_id, "build/finalize_payment", {"shownSum": shown_sum})


def _as_frame(gateway: str, session_id: str, path: str, body: object) -> None:
    headers = {"session": session_id, "correlation-id": str(uuid.uuid4()), "idempotency-key": str(uuid.uuid4())}
    answer = httpx.post(f"{gateway}/api/{path}", headers=headers, json=body, timeout=35, trust_env=False)
    assert answer.status_code == 200, f"{path}: {answer.text}"
