"""One request, one answer, and limits for both."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from payframe_connectors.exchange import LONGEST_ANSWER_BYTES, Exchange, NoAnswer, NotSent


class Answers(BaseHTTPRequestHandler):
    """Answers as the path says."""

    def do_GET(self) -> None:
        if self.path == "/nothing":
            return
        status, size = (302, 0) if self.path == "/elsewhere" else (200, int(self.path.removeprefix("/")))
        self.send_response(status)
        self.send_header("location", "/1")
        self.send_header("content-length", str(size))
        self.end_headers()
        self.wfile.write(b"x" * size)

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.fixture
def exchange() -> Iterator[Exchange]:
    exchange = Exchange(5, allows_loopback=True)
    yield exchange
    exchange.close()


def test_a_redirect_is_not_followed(exchange: Exchange, address: str) -> None:
    assert exchange.send("GET", address + "/elsewhere", {}, None).status == 302


def test_an_answer_has_a_limit(exchange: Exchange, address: str) -> None:
    assert len(exchange.send("GET", f"{address}/{LONGEST_ANSWER_BYTES}", {}, None).body) == LONGEST_ANSWER_BYTES
    with pytest.raises(NoAnswer):
        exchange.send("GET", f"{address}/{LONGEST_ANSWER_BYTES + 1}", {}, None)


def test_an_end_without_an_answer_is_no_answer(exchange: Exchange, address: str) -> None:
    with pytest.raises(NoAnswer):
        exchange.send("GET", address + "/nothing", {}, None)


@pytest.mark.parametrize("url", ["http://192.0.2.1/", "ftp://127.0.0.1/", "http://127.0.0.1.example/", "https:///", ""])
def test_a_card_goes_by_tls_or_nowhere(exchange: Exchange, url: str) -> None:
    with pytest.raises(NotSent):
        exchange.send("POST", url, {}, b"card")


def test_a_live_processor_is_not_on_this_machine_without_tls(address: str) -> None:
    exchange = Exchange(5, allows_loopback=False)
    with pytest.raises(NotSent):
        exchange.send("GET", address + "/1", {}, None)
    exchange.close()
