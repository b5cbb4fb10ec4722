"""The adapter as a process, with the library, between a gateway and a fake processor."""

import os
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gateway_side import SECRET, Gateway

from payframe_connectors.connector import Connector
from payframe_connectors.exchange import Exchange
from payframe_connectors.library import CanNotBeAsked, Library
from payframe_connectors.processor import Movement, Payment
from processors.fakes import Fake, Interface

SOURCES = Path(__file__).parents[2] / "src"
# Keys of some connectors have to be base64.
CREDENTIAL = "MDEyMzQ1Njc4OWFi"


def options_of(library: Library, connector_id: str, base_url: str) -> tuple[dict[str, str], list[str]]:
    """Options and the names of the credentials that a connector of the library has."""
    every = library.payments.ConnectorSpecificConfig()
    chosen = getattr(every, connector_id).DESCRIPTOR
    options = {one.name: base_url for one in chosen.fields if one.name.endswith("base_url")}
    credentials = [one.name for one in chosen.fields if one.message_type and one.message_type.name == "SecretString"]
    return options, credentials


_FOUND: dict[type[Interface], str] = {}
# Nothing is sent while connectors are looked at.
_NOWHERE = Exchange(1, allows_loopback=True)


def built(library: Library, connector_id: str, base_url: str) -> Connector | None:
    """A connector with invented credentials, or none if it asks for no payment by card in one request."""
    options, credentials = options_of(library, connector_id, base_url)
    try:
        return Connector(
            library,
            library.options(connector_id, options | dict.fromkeys(credentials, CREDENTIAL), is_live=False),
            _NOWHERE,
            takes_several_captures=True,
            idempotency_header=None,
            idempotency_hours=1,
            return_url=None,
        )
    except CanNotBeAsked:
        return None


def connector_that_speaks(library: Library, interface: type[Interface]) -> str:
    """The id of the one connector of the library that makes the requests of an interface."""
    if interface in _FOUND:
        return _FOUND[interface]
    base_url = "http://127.0.0.1:9" + interface.base_path
    found: list[str] = []
    payment = Payment("47110815", "EXPLICIT", 1000, "EUR", transaction="1", state=None)
    for connector_id in library.connectors():
        one = built(library, connector_id, base_url)
        if one is None:
            continue
        try:
            refund = one.request_for(payment, Movement("47110816", "REFUND", 500))
        except CanNotBeAsked:
            continue
        authorization = one.sample_authorization()
        urls = (base_url + interface.authorization_path, base_url + interface.refund_path)
        if (authorization.url, refund.url) == urls and authorization.body.startswith(b"{"):
            found.append(connector_id)
    assert len(found) == 1, f"{len(found)} connectors speak {interface.__name__}"
    return _FOUND.setdefault(interface, found[0])


@dataclass
class Stage:
    """A fake processor and an adapter in front of it."""

    folder: Path
    fake: Fake
    settings: Path
    process: "subprocess.Popen[str] | None" = None
    log: list[str] = field(default_factory=list[str])
    gateway: Gateway | None = None
    reader: threading.Thread | None = None

    def start(self) -> Gateway:
        """Starts the adapter, and returns a gateway that calls it."""
        self.process = subprocess.Popen(
            [python(), "-m", "payframe_connectors", "serve", str(self.settings)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=os.environ | {"PYTHONPATH": python_path(), "FAKE_CREDENTIAL": CREDENTIAL},
        )
        assert self.process.stdout is not None
        first = self.process.stdout.readline()
        assert "listening on" in first, first + self.process.stdout.read()
        self.log.append(first)
        output = self.process.stdout
        self.reader = threading.Thread(target=lambda: self.log.extend(output))
        self.reader.start()
        self.gateway = Gateway(first.split()[-1])
        return self.gateway

    def stop(self) -> None:
        """Kills the adapter: nothing of it is left but its file."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            if self.reader is not None:
                self.reader.join()
            if self.process.stdout is not None:
                self.process.stdout.close()
        if self.gateway is not None:
            self.gateway.close()
        self.process = self.gateway = None

    def command(self, *arguments: str) -> str:
        """Runs a command of the adapter."""
        done = subprocess.run(
            [python(), "-m", "payframe_connectors", *arguments],
            capture_output=True,
            text=True,
            check=True,
            timeout=30,
            env=os.environ | {"PYTHONPATH": python_path(), "FAKE_CREDENTIAL": CREDENTIAL},
        )
        return done.stdout


def make_stage(folder: Path, library: Library, interface: type[Interface], **changes: Any) -> Stage:
    """A fake that serves, and a file of settings for the connector that speaks to it."""
    fake = Fake(interface)
    threading.Thread(target=fake.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    connector_id = connector_that_speaks(library, interface)
    options, credentials = options_of(library, connector_id, fake.base_url)
    lines = [
        'listen = "127.0.0.1:0"',
        "[[processor]]",
        'name = "main"',
        f'connector = "{connector_id}"',
        'secret_file = "main.secret"',
        'environment = "TEST"',
        'captures = "SEVERAL"',
        f"answer_seconds = {changes.get('answer_seconds', 5)}",
        *([f'idempotency_header = "{interface.key_header}"'] if interface.key_header else []),
        "[processor.options]",
        *(f'{name} = "{value}"' for name, value in options.items()),
        "[processor.credentials]",
        *(f'{name} = {{ env = "FAKE_CREDENTIAL" }}' for name in credentials),
    ]
    (folder / "main.secret").write_text(SECRET)
    settings = folder / "connectors.toml"
    settings.write_text("\n".join(lines))
    return Stage(folder, fake, settings)


def python() -> str:
    """The Python that the adapter is run with: another loader of libraries may be wrapped around it."""
    return os.environ.get("PAYFRAME_PYTHON", sys.executable)


def python_path() -> str:
    return os.pathsep.join([str(SOURCES), os.environ.get("PYTHONPATH", "")])
