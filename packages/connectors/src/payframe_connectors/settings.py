"""The adapter's TOML file. What can not be used stops the start, and the message names the member, never a value."""

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from .signatures import Secrets

Table = Mapping[str, object]


class SettingsError(Exception):
    """The file can not be used. The message has no secret in it."""


@dataclass(frozen=True)
class ProcessorSettings:
    """One `[[processor]]` of the file."""

    name: str
    connector: str
    secrets: Secrets = field(repr=False)
    options: Mapping[str, str] = field(repr=False)
    is_live: bool
    answer_seconds: int
    takes_several_captures: bool
    idempotency_header: str | None
    idempotency_hours: int
    return_url: str | None


@dataclass(frozen=True)
class Settings:
    """The file."""

    host: str
    port: int
    database: Path
    certificate: Path | None
    key: Path | None
    processors: list[ProcessorSettings]


def read_settings(path: Path) -> Settings:
    """Reads the file. Paths in it are relative to its folder. Raises `SettingsError`."""
    try:
        file: Table = tomllib.loads(path.read_text())
    except OSError as problem:
        raise SettingsError(f"{path}: {problem.strerror}") from None
    except (ValueError, tomllib.TOMLDecodeError):
        raise SettingsError(f"{path}: this is no TOML") from None
    return _Reader(path.parent).settings(file)


class _Reader:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def settings(self, file: Table) -> Settings:
        _only(file, ("listen", "database", "certificate", "key", "processor"), "")
        host, _, port = _text(file, "listen", "", "127.0.0.1:9100").rpartition(":")
        if not host or not (port.isascii() and port.isdigit() and int(port) < 65_536):
            raise SettingsError("listen: must be an address and a port, as 127.0.0.1:9100")
        certificate, key = self._path(file, "certificate"), self._path(file, "key")
        if (certificate is None) != (key is None):
            raise SettingsError("certificate and key belong together")
        tables = file.get("processor")
        if not isinstance(tables, list) or not tables:
            raise SettingsError("processor: at least one [[processor]] is needed")
        processors = [self._processor(_table(one, "processor")) for one in cast("list[object]", tables)]
        names = [one.name for one in processors]
        if len(set(names)) != len(names):
            raise SettingsError("processor: two have the same name")
        database = self._folder / _text(file, "database", "", "connectors.db")
        return Settings(host.strip("[]"), int(port), database, certificate, key, processors)

    def _processor(self, table: Table) -> ProcessorSettings:
        name = _text(table, "name", "processor.")
        if not re.fullmatch("[a-z0-9][a-z0-9-]{0,31}", name):
            raise SettingsError("processor.name: 1 to 32 of a to z, 0 to 9 and -")
        where = f"processor {name}: "
        members = (
            "name",
            "connector",
            "secret_file",
            "environment",
            "answer_seconds",
            "captures",
            "idempotency_header",
            "idempotency_hours",
            "return_url",
            "options",
            "credentials",
        )
        _only(table, members, where)
        header = _optional_text(table, "idempotency_header", where)
        if header is not None and not re.fullmatch("[A-Za-z0-9-]{1,64}", header):
            raise SettingsError(f"{where}idempotency_header: the name of a header")
        return ProcessorSettings(
            name=name,
            connector=_text(table, "connector", where),
            secrets=self._secrets(table, where),
            options=self._options(table, where),
            is_live=_choice(table, "environment", where, ("TEST", "LIVE")) == "LIVE",
            answer_seconds=_whole_number(table, "answer_seconds", where, 10, 60),
            takes_several_captures=_choice(table, "captures", where, ("ONE", "SEVERAL"), "ONE") == "SEVERAL",
            idempotency_header=header,
            idempotency_hours=_whole_number(table, "idempotency_hours", where, 12, 720),
            return_url=_optional_text(table, "return_url", where),
        )

    def _secrets(self, table: Table, where: str) -> Secrets:
        text = self._read(_text(table, "secret_file", where), f"{where}secret_file")
        try:
            return Secrets(text)
        except ValueError as problem:
            raise SettingsError(f"{where}secret_file: {problem}") from None

    def _options(self, table: Table, where: str) -> dict[str, str]:
        plain = _table(table.get("options", {}), f"{where}options")
        options = {name: _text(plain, name, f"{where}options.") for name in plain}
        credentials = _table(table.get("credentials", {}), f"{where}credentials")
        for name in credentials:
            place = f"{where}credentials.{name}"
            source = _table(credentials[name], place)
            if name in options or len(source) != 1 or next(iter(source)) not in ("env", "file"):
                raise SettingsError(
                    place + ': must be { env = "NAME" } or { file = "PATH" }, and not among the options'
                )
            if "file" in source:
                options[name] = self._read(_text(source, "file", place), place).strip()
                continue
            value = os.environ.get(_text(source, "env", place))
            if not value:
                raise SettingsError(f"{place}: the variable is not set")
            options[name] = value
        return options

    def _read(self, path: str, where: str) -> str:
        try:
            return (self._folder / path).read_text()
        except (OSError, ValueError):
            raise SettingsError(f"{where}: the file can not be read") from None

    def _path(self, table: Table, member: str) -> Path | None:
        text = _optional_text(table, member, "")
        return None if text is None else self._folder / text


def _only(table: Table, members: tuple[str, ...], where: str) -> None:
    unknown = [name for name in table if name not in members]
    if unknown:
        raise SettingsError(f"{where}{unknown[0]}: is not known; there are: {', '.join(members)}")


def _table(value: object, where: str) -> Table:
    if not isinstance(value, dict):
        raise SettingsError(f"{where}: must be a table")
    return cast("Table", value)


def _text(table: Table, member: str, where: str, otherwise: str | None = None) -> str:
    value = table.get(member, otherwise)
    if not isinstance(value, str) or not value:
        raise SettingsError(f"{where}{member}: a text is needed")
    return value


def _optional_text(table: Table, member: str, where: str) -> str | None:
    return _text(table, member, where) if member in table else None


def _whole_number(table: Table, member: str, where: str, otherwise: int, most: int) -> int:
    value = table.get(member, otherwise)
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
        raise SettingsError(f"{where}{member}: a whole number from 1 to {most}")
    return value


def _choice(table: Table, member: str, where: str, values: tuple[str, ...], otherwise: str | None = None) -> str:
    value = _text(table, member, where, otherwise)
    if value not in values:
        raise SettingsError(f"{where}{member}: must be {' or '.join(values)}")
    return value
