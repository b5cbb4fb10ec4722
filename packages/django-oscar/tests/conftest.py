"""What tests are given: a shop with one product, and a gateway in memory."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from django.core.cache import cache
from fake_gateway import FakeGateway
from oscar.core.loading import get_model
from oscar.test import factories

from payframe_oscar import book, dashboard, gateway
from payframe_oscar.management.commands import payframe_differences


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeGateway:
    """The gateway that the shop talks to."""
    fake = FakeGateway()
    client = fake.client()
    for module in (gateway, book, dashboard, payframe_differences):
        monkeypatch.setattr(module, "gateway", lambda: client)
    return fake


@pytest.fixture
def shop(transactional_db: None, fake: FakeGateway, settings: Any, tmp_path: Any) -> Iterator[Any]:
    """The product of a shop that delivers to Germany. Transactions are real ones."""
    settings.MEDIA_ROOT = str(tmp_path)
    cache.clear()
    get_model("address", "Country").objects.create(
        iso_3166_1_a2="DE", iso_3166_1_a3="DEU", name="Germany", printable_name="Germany", is_shipping_country=True
    )
    yield factories.create_product(price=Decimal("35.45"), num_in_stock=10)
