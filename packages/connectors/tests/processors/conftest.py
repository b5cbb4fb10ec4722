"""The library, and adapters in front of the two fakes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from payframe_connectors.library import Library
from processors.fakes import ById, ByReference
from processors.stage import Stage, make_stage


@pytest.fixture(scope="session")
def library() -> Library:
    return Library()


@pytest.fixture
def by_reference(tmp_path: Path, library: Library) -> Iterator[Stage]:
    """A processor that can be asked by reference, and heeds no keys."""
    yield from served(make_stage(tmp_path, library, ByReference, answer_seconds=1))


@pytest.fixture
def by_id(tmp_path: Path, library: Library) -> Iterator[Stage]:
    """A processor that can be asked by its own ids alone, and heeds keys."""
    yield from served(make_stage(tmp_path, library, ById, answer_seconds=1))


def served(stage: Stage) -> Iterator[Stage]:
    stage.start()
    yield stage
    stage.fake.bank.released.set()
    stage.stop()
    stage.fake.shutdown()
    stage.fake.server_close()
