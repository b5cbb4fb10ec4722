"""A server with a scripted processor, and a gateway that calls it."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from gateway_side import SECRET, Gateway
from scripted import Scripted

from payframe_connectors.adapter import Adapter
from payframe_connectors.ledger import Ledger
from payframe_connectors.server import Route, Server
from payframe_connectors.signatures import Secrets


@dataclass
class Stage:
    gateway: Gateway
    processor: Scripted
    ledger: Ledger
    log: list[str]


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    processor, ledger, log = Scripted(), Ledger(tmp_path / "connectors.db"), list[str]()
    routes = {"main": Route(Secrets(SECRET), Adapter("main", ledger, processor, log.append))}
    with Server(("127.0.0.1", 0), routes, log.append) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        gateway = Gateway(f"http://127.0.0.1:{server.server_address[1]}/main")
        yield Stage(gateway, processor, ledger, log)
        gateway.close()
        server.shutdown()
