"""The HTTP server: reads requests of the acquirer protocol, checks who signed them, and signs the answers.

Each processor has a path, a secret and an adapter of its own.
"""

import json
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import cast

from .adapter import Adapter
from .messages import JsonObject, Refused
from .signatures import CLOCK_TOLERANCE_SECONDS, Secrets

LONGEST_BODY_BYTES = 64 * 1024


@dataclass(frozen=True)
class Route:
    """What is behind the path of a processor."""

    secrets: Secrets
    adapter: Adapter


class Server(ThreadingHTTPServer):
    """Serves the adapters of all processors."""

    daemon_threads = True

    def __init__(
        self,
        address: tuple[str, int],
        routes: Mapping[str, Route],
        log: Callable[[str], None],
        tls: ssl.SSLContext | None = None,
    ) -> None:
        super().__init__(address, _Handler)
        self.routes = routes
        self.log = log
        if tls is not None:
            # The handshake is made by the thread of the connection, not by the one that accepts all of them.
            self.socket = tls.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)

    def handle_error(self, request: object, client_address: object) -> None:
        """A connection that breaks is no news, and a traceback could show a request."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "payframe-connectors"
    sys_version = ""
    # Head and body of an answer are two writes: without this the second would wait for the first to be acknowledged.
    disable_nagle_algorithm = True
    # A connection that says nothing does not hold a thread for ever.
    timeout = 60

    @property
    def _owner(self) -> Server:
        return cast("Server", self.server)

    def do_POST(self) -> None:
        try:
            body = self._read_body()
            name, _, endpoint = self.path.removeprefix("/").partition("/")
            route = self._owner.routes.get(name)
            if route is None:
                raise Refused(404)
            self._check(route.secrets, body)
            answer = route.adapter.answer(endpoint, _parse(body))
        except Refused as refused:
            return self._refuse(refused.status)
        except Exception as problem:
            # The message of an error may have data of the request in it; its type has not.
            self._owner.log(f"error: {type(problem).__name__}")
            return self._refuse(500)
        return self._reply(route.secrets, json.dumps(answer).encode())

    def _read_body(self) -> bytes:
        length = self.headers.get("content-length", "")
        if not (length.isascii() and length.isdigit()):
            raise Refused(411)
        if int(length) > LONGEST_BODY_BYTES:
            raise Refused(413)
        return self.rfile.read(int(length))

    def _check(self, secrets: Secrets, body: bytes) -> None:
        """Refuses what the gateway has not signed, just now, for this path and this body."""
        if self.headers.get("payframe-protocol") != "1":
            raise Refused(400)
        timestamp = self.headers.get("payframe-timestamp", "")
        head = f"request\n{self.headers.get('payframe-id', '')}\n{timestamp}\nPOST\n{self.path}\n"
        if not secrets.have_signed(head.encode() + body, self.headers.get("payframe-signature", "")):
            raise Refused(401)
        is_number = timestamp.isascii() and timestamp.isdigit()
        if not is_number or abs(time.time() - int(timestamp)) > CLOCK_TOLERANCE_SECONDS:
            raise Refused(401)

    def _reply(self, secrets: Secrets, body: bytes) -> None:
        timestamp = str(int(time.time()))
        head = f"answer\n{self.headers['payframe-id']}\n{timestamp}\n200\n"
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.send_header("payframe-timestamp", timestamp)
        self.send_header("payframe-signature", secrets.sign(head.encode() + body))
        self.end_headers()
        self.wfile.write(body)

    def _refuse(self, status: int) -> None:
        # The body may not have been read, so the connection can not be used again.
        self.close_connection = True
        self.send_response(status)
        self.send_header("content-length", "0")
        self.send_header("connection", "close")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Logs path and status of requests to a processor's path. A body is never logged."""
        name = self.path.removeprefix("/").partition("/")[0] if hasattr(self, "path") else ""
        if name in self._owner.routes and len(args) > 1:
            self._owner.log(f"{self.path} {args[1]}")


def _parse(body: bytes) -> JsonObject:
    try:
        message: object = json.loads(body)
    except ValueError:
        raise Refused(400) from None
    if not isinstance(message, dict):
        raise Refused(400)
    return cast("JsonObject", message)
