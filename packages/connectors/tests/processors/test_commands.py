"""The commands of the operator that ask no processor."""

import subprocess
from pathlib import Path

import pytest

from payframe_connectors.library import Library
from payframe_connectors.native import NativeError, install
from processors.fakes import ById, ByReference
from processors.stage import make_stage


def test_check_says_what_a_processor_can_be_asked(tmp_path: Path, library: Library) -> None:
    for interface, told in (
        (ByReference, ("payment is asked", "refund is asked", "are not repeated")),
        (ById, ("payment needs a look", "refund needs a look", "are repeated with their key")),
    ):
        folder = tmp_path / interface.__name__
        folder.mkdir()
        stage = make_stage(folder, library, interface)
        said = stage.command("check", str(stage.settings))
        assert said.startswith("main: AUTHORIZE, CAPTURE, VOID, REFUND\n"), said
        assert all(part in said for part in told), said
        assert stage.fake.bank.requests == []
        stage.fake.shutdown()
        stage.fake.server_close()


def test_list_prints_what_the_library_has(tmp_path: Path, library: Library) -> None:
    stage = make_stage(tmp_path, library, ById)
    lines = stage.command("list").splitlines()
    assert len(lines) == len(library.connectors())
    assert all("base_url" in line for line in lines)
    stage.fake.shutdown()
    stage.fake.server_close()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('connector = "', 'connector = "no-'), "there is no such connector"),
        (("base_url = ", "other_url = "), "the connector has no option other_url that is a text"),
    ],
)
def test_what_the_library_does_not_have_is_named(
    tmp_path: Path, library: Library, change: tuple[str, str], message: str
) -> None:
    stage = make_stage(tmp_path, library, ById)
    stage.settings.write_text(stage.settings.read_text().replace(*change))
    with pytest.raises(subprocess.CalledProcessError) as refused:
        stage.command("check", str(stage.settings))
    assert message in refused.value.stderr
    stage.fake.shutdown()
    stage.fake.server_close()


def test_another_archive_is_not_taken_for_the_native_part(tmp_path: Path) -> None:
    archive = tmp_path / "library.tgz"
    archive.write_bytes(b"something else")
    with pytest.raises(NativeError) as refused:
        install(archive)
    assert "its SHA-512 is another one" in str(refused.value)
