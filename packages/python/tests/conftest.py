"""What tests are given: stages of both kinds of clients, one after the other."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from stage import Stage

NewStage = Callable[..., Stage]


@pytest.fixture(params=["threads", "asyncio"])
def stage(request: Any) -> NewStage:
    """Makes stages. Each test runs once for each kind of client."""
    return partial(Stage, request.param)
