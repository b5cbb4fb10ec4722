"""A file that can not be used stops the start, and no message repeats a value."""

from pathlib import Path

import pytest
from gateway_side import SECRET

from payframe_connectors.settings import Settings, SettingsError, read_settings

FILE = """
[[processor]]
name = "main"
connector = "one"
secret_file = "main.secret"
environment = "TEST"
"""
MORE = """
[processor.options]
base_url = "https://processor.example/"
[processor.credentials]
api_key = { env = "A_TEST_KEY" }
api_secret = { file = "main.key" }
"""


def read(folder: Path, text: str) -> Settings:
    (folder / "main.secret").write_text(SECRET + "\n")
    (folder / "main.key").write_text("from a file\n")
    (folder / "connectors.toml").write_text(text)
    return read_settings(folder / "connectors.toml")


def test_credentials_come_from_the_environment_and_from_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_TEST_KEY", "from the environment")
    settings = read(tmp_path, FILE + MORE)
    (one,) = settings.processors
    assert one.options == {
        "base_url": "https://processor.example/",
        "api_key": "from the environment",
        "api_secret": "from a file",
    }
    assert (settings.host, settings.port, settings.database) == ("127.0.0.1", 9100, tmp_path / "connectors.db")
    assert (one.is_live, one.takes_several_captures, one.idempotency_header) == (False, False, None)
    assert "from a" not in repr(settings)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[", "this is no TOML"),
        ('listen = "here"' + FILE, "listen: must be an address and a port"),
        ('certificate = "a.pem"' + FILE, "certificate and key belong together"),
        ("", "at least one"),
        (FILE + FILE, "two have the same name"),
        (FILE.replace('"main"', '"Main/1"'), "processor.name: 1 to 32"),
        (FILE.replace("TEST", "SANDBOX"), "environment: must be TEST or LIVE"),
        (FILE.replace("main.secret", "other.secret"), "secret_file: the file can not be read"),
        (FILE.replace("main.secret", "main.key"), "secret_file: needs one or two lines"),
        (FILE + 'captures = "MANY"', "captures: must be ONE or SEVERAL"),
        (FILE + "answer_seconds = 0", "answer_seconds: a whole number from 1 to 60"),
        (FILE + 'idempotency_header = "a: b"', "idempotency_header: the name of a header"),
        (FILE + 'proxy = "x"', "proxy: is not known"),
        (FILE + MORE, "credentials.api_key: the variable is not set"),
        (FILE + '[processor.credentials]\napi_key = "sk_4711"', "credentials.api_key: must be a table"),
        (FILE + '[processor.credentials]\napi_key = { text = "sk_4711" }', "credentials.api_key: must be { env"),
    ],
)
def test_what_can_not_be_used_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(SettingsError) as problem:
        read(tmp_path, text)
    assert message in str(problem.value)
    assert "sk_4711" not in str(problem.value)
