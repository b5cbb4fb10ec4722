"""An adapter between a Payframe gateway and a payment processor, with Python's standard library alone.

It speaks the protocol of docs/acquirer-protocol.md. The processor here is a simulated one that decides by the number of the test card; put your
own in the place of `TestProcessor`. Everything else stays as it is: signatures, one movement of money for each reference, totals.

    python3 adapter.py --secret-file main.secret --port 9100 --database adapter.db
"""

import argparse
import base64
import hashlib
import hmac
import json
import re
import sqlite3
import ssl
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

CLOCK_TOLERANCE_SECONDS = 300
LONGEST_BODY_BYTES = 64 * 1024
OPERATIONS = ["AUTHORIZE", "VERIFY", "CAPTURE", "VOID", "REFUND", "CANCEL", "INCREMENTAL"]
FINAL = ("APPROVED", "DECLINED", "FAILED")


class Refused(Exception):
    """The request is not answered: it is not from the gateway, or cannot be read. Nothing was done."""

    def __init__(self, status):
        super().__init__(status)
        self.status = status


class Secrets:
    """One secret, or two while they are rotated."""

    def __init__(self, text):
        self.keys = [base64.b64decode(line.strip().removeprefix("whsec_"), validate=True) for line in text.split()]
        if not 1 <= len(self.keys) <= 2 or any(len(key) < 24 for key in self.keys):
            raise SystemExit("the secret file must have one or two lines: whsec_ and at least 24 bytes in base64")

    def sign(self, message):
        return " ".join("v1," + base64.b64encode(mac).decode() for mac in self._macs(message))

    def have_signed(self, message, header):
        given = [one.removeprefix("v1,") for one in header.split(" ") if one.startswith("v1,")]
        expected = [base64.b64encode(mac) for mac in self._macs(message)]
        return any(hmac.compare_digest(one.encode(), mac) for one in given for mac in expected)

    def _macs(self, message):
        return [hmac.new(key, message, hashlib.sha256).digest() for key in self.keys]


class TestProcessor:
    """A processor in memory. Like a real one it knows a request by its reference, and charges it once."""

    CASES = {"000": "000", "116": "116", "911": "911"}
    # What it says to a network token whose cryptogram is nothing but zeros.
    WRONG_CRYPTOGRAM = "129"

    def __init__(self, pending_seconds):
        self.pending_seconds = pending_seconds
        self.payments = {}
        self.lock = threading.Lock()

    def authorize(self, message):
        """Asks for the money, once for each reference. Returns result and ISO code, or None if it is not certain what happened."""
        if "conversion" in message:
            # It charges the order's currency alone, and no other sum than the one that the buyer has accepted.
            return ("FAILED", "904")
        code = self.CASES.get(message["card"]["number"][-4:-1], "111")
        cryptogram = message["card"].get("networkToken", {}).get("cryptogram")
        if cryptogram is not None and not any(base64.b64decode(cryptogram)):
            code = self.WRONG_CRYPTOGRAM
        with self.lock:
            self.payments.setdefault(message["reference"], (code, time.monotonic() + self.pending_seconds))
        return self.status(message["reference"])

    def status(self, reference):
        """The present state of a payment, or None if the processor does not know the reference."""
        with self.lock:
            known = self.payments.get(reference)
        if known is None:
            return None
        code, final_at = known
        if code == "911":
            return ("APPROVED", "000") if time.monotonic() >= final_at else ("PENDING", "911")
        return ("APPROVED", "000") if code == "000" else ("DECLINED", code)

    def move(self, operation):
        """Captures, releases or gives back, once for each reference. This processor always can."""
        with self.lock:
            self.payments.setdefault(operation["reference"], ("000", 0))
        return ("APPROVED", "000")


def terms_of(row):
    """What a copy of a request must not change."""
    return (row["operation"], row["capture"], row["amount_minor"], row["currency"])


class Ledger:
    """What was asked and what became of it. A reference is written before the processor is asked, its outcome before the answer."""

    TABLE = """CREATE TABLE IF NOT EXISTS operation (
        reference TEXT PRIMARY KEY,
        authorization TEXT NOT NULL,  -- its own reference, for an authorization
        target TEXT NOT NULL,         -- what it changes: the authorization, or a capture of it
        operation TEXT NOT NULL,
        capture TEXT NOT NULL,
        amount_minor INTEGER NOT NULL,
        currency TEXT NOT NULL,
        result TEXT,                  -- NULL: not known yet
        response_code TEXT)"""

    def __init__(self, database):
        self.database = database
        self.threads = threading.local()
        with self.open() as tables:
            tables.execute("PRAGMA journal_mode = WAL")
            tables.execute(self.TABLE)

    @contextmanager
    def open(self):
        """A transaction. Each thread has a connection of its own."""
        tables = getattr(self.threads, "tables", None)
        if tables is None:
            tables = self.threads.tables = sqlite3.connect(self.database, timeout=30)
            tables.row_factory = sqlite3.Row
        with tables:
            yield tables

    def find(self, reference):
        with self.open() as tables:
            return tables.execute("SELECT * FROM operation WHERE reference = ?", (reference,)).fetchone()

    def intend(self, *values):
        """Writes a new operation: the columns up to its currency."""
        with self.open() as tables:
            tables.execute("INSERT INTO operation VALUES (?, ?, ?, ?, ?, ?, ?, NULL, NULL)", values)

    def conclude(self, reference, result, response_code):
        with self.open() as tables:
            tables.execute(
                "UPDATE operation SET result = ?, response_code = ? WHERE reference = ?", (result, response_code, reference)
            )

    def available(self, authorization, reference):
        """What may still be captured, released or given back, without the operation with this reference. None: no such authorization."""
        with self.open() as tables:
            rows = tables.execute("SELECT * FROM operation WHERE authorization = ?", (authorization,)).fetchall()
        first = next((row for row in rows if row["reference"] == authorization), None)
        if first is None or first["result"] != "APPROVED" or first["operation"] == "VERIFY":
            return None
        rows = [row for row in rows if row["reference"] != reference]

        def total(operation, certain=False):
            """What is not known yet counts where it uses money up, and not where it brings some: no amount is used twice."""
            counts = [row for row in rows if row["operation"] == operation and row["result"] not in ("DECLINED", "FAILED")]
            return sum(row["amount_minor"] for row in counts if not certain or row["result"] == "APPROVED")

        authorized = first["amount_minor"] + total("INCREMENTAL", certain=True)
        captured = authorized if first["capture"] == "IMPLICIT" else total("CAPTURE") - total("CANCEL", certain=True)
        held = authorized - captured - total("VOID")
        certain = authorized if first["capture"] == "IMPLICIT" else total("CAPTURE", certain=True)
        refundable = certain - total("CANCEL") - total("REFUND")
        return {
            "CAPTURE": held,
            "VOID": held,
            "REFUND": refundable,
            "CANCEL": refundable if first["capture"] == "EXPLICIT" else 0,
            "INCREMENTAL": authorized if first["capture"] == "EXPLICIT" else 0,
        }


class Adapter:
    """Carries out the requests of the protocol."""

    def __init__(self, ledger, processor):
        self.ledger = ledger
        self.processor = processor
        # Requests about one authorization wait for each other.
        self.locks = [threading.Lock() for _ in range(256)]

    def answer(self, endpoint, message):
        handlers = {"describe": self.describe, "authorize": self.authorize, "follow-up": self.follow_up, "inquire": self.inquire}
        if endpoint not in handlers:
            raise Refused(404)
        try:
            return handlers[endpoint](message)
        except (KeyError, TypeError, AttributeError):
            raise Refused(400) from None

    def lock_of(self, authorization):
        return self.locks[hash(authorization) % len(self.locks)]

    def describe(self, _message):
        return {"name": "Python example", "protocols": [1], "operations": OPERATIONS}

    def authorize(self, message):
        # Looked at before anything is written: a request that cannot be read leaves nothing behind.
        reference, _ = text(message["reference"]), text(message["card"]["number"])
        terms = (text(message["action"]), text(message["capture"]), amount(message["amountMinor"]), currency(message["currency"]))
        with self.lock_of(reference):
            row = self.ledger.find(reference)
            if row is None:
                self.ledger.intend(reference, reference, reference, *terms)
                row = self.ledger.find(reference)
            elif row["authorization"] != reference or terms != terms_of(row):
                raise Refused(400)
            if row["result"] not in FINAL:
                self.conclude(reference, self.processor.authorize(message))
            return self.outcome(self.ledger.find(reference))

    def follow_up(self, message):
        reference, authorization = text(message["reference"]), text(message["authorization"])
        terms = (text(message["operation"]), "", amount(message["amountMinor"]), currency(message["currency"]))
        with self.lock_of(authorization):
            row = self.ledger.find(reference)
            if row is None:
                self.ledger.intend(reference, authorization, text(message["target"]), *terms)
                row = self.ledger.find(reference)
            elif row["authorization"] != authorization or reference == authorization or terms != terms_of(row):
                raise Refused(400)
            if row["result"] not in FINAL:
                self.conclude(reference, self.move(row))
            return self.outcome(self.ledger.find(reference))

    def move(self, row):
        """The result of a follow-up operation. It is asked for by what was written first, not by what a copy of the request says."""
        first = self.ledger.find(row["authorization"])
        available = self.ledger.available(row["authorization"], row["reference"])
        if available is None or row["operation"] not in available or row["currency"] != first["currency"]:
            return ("FAILED", "909")
        if row["amount_minor"] > available[row["operation"]]:
            return ("FAILED", "110")
        return self.processor.move(row)

    def inquire(self, message):
        reference = text(message["reference"])
        row = self.ledger.find(reference)
        if row is None:
            return {"reference": reference, "known": False}
        with self.lock_of(row["authorization"]):
            row = self.ledger.find(reference)
            if row["result"] not in FINAL:
                self.conclude(reference, self.processor.status(reference))
            return {"reference": reference, "known": True, "outcome": self.outcome(self.ledger.find(reference))}

    def conclude(self, reference, result):
        # A processor that does not know the reference yet may still get the request: that is not an outcome.
        if result is not None:
            self.ledger.conclude(reference, *result)

    def outcome(self, row):
        result = row["result"] or "PENDING"
        outcome = {
            "reference": row["reference"],
            "amountMinor": row["amount_minor"],
            "currency": row["currency"],
            "result": result,
            "responseCode": row["response_code"] or "911",
        }
        digits = int.from_bytes(hashlib.sha256(row["reference"].encode()).digest()[:8], "big")
        if result == "APPROVED":
            outcome["authorizationCode"] = f"{digits % 10**6:06}"
            outcome["retrievalReference"] = f"{digits % 10**12:012}"
            outcome["schemeId"] = f"EXM{digits % 10**9:09}"
        if result == "PENDING":
            outcome["askAgainAfterSeconds"] = 1
        return outcome


def text(value):
    if not isinstance(value, str) or not 1 <= len(value) <= 64:
        raise Refused(400)
    return value


def amount(value):
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 999_999_999_999:
        raise Refused(400)
    return value


def currency(value):
    if not isinstance(value, str) or not re.fullmatch("[A-Z]{3}", value):
        raise Refused(400)
    return value


class Handler(BaseHTTPRequestHandler):
    """Reads requests, checks who signed them, and signs the answers."""

    protocol_version = "HTTP/1.1"
    server_version = "adapter"
    # Head and body of an answer are two writes: without this the second would wait for the first to be acknowledged.
    disable_nagle_algorithm = True
    # A connection that says nothing does not hold a thread for ever.
    timeout = 60

    def do_POST(self):
        try:
            body = self.read_body()
            self.check(body)
            endpoint = self.path.removeprefix(self.server.base_path + "/")
            answer = self.server.adapter.answer(endpoint, self.parse(body))
        except Refused as refused:
            return self.refuse(refused.status)
        self.reply(json.dumps(answer).encode())

    def read_body(self):
        length = self.headers.get("content-length", "")
        if not length.isdigit():
            raise Refused(411)
        if int(length) > LONGEST_BODY_BYTES:
            raise Refused(413)
        return self.rfile.read(int(length))

    def check(self, body):
        """Refuses what the gateway has not signed, just now, for this path and this body."""
        if self.headers.get("payframe-protocol") != "1":
            raise Refused(400)
        timestamp = self.headers.get("payframe-timestamp", "")
        head = f"request\n{self.headers.get('payframe-id', '')}\n{timestamp}\nPOST\n{self.path}\n"
        if not self.server.secrets.have_signed(head.encode() + body, self.headers.get("payframe-signature", "")):
            raise Refused(401)
        if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > CLOCK_TOLERANCE_SECONDS:
            raise Refused(401)

    def parse(self, body):
        try:
            message = json.loads(body)
        except ValueError:
            raise Refused(400) from None
        if not isinstance(message, dict):
            raise Refused(400)
        return message

    def reply(self, body):
        timestamp = str(int(time.time()))
        head = f"answer\n{self.headers['payframe-id']}\n{timestamp}\n200\n"
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.send_header("payframe-timestamp", timestamp)
        self.send_header("payframe-signature", self.server.secrets.sign(head.encode() + body))
        self.end_headers()
        self.wfile.write(body)

    def refuse(self, status):
        # The body may not have been read, so the connection cannot be used again.
        self.close_connection = True
        self.send_response(status)
        self.send_header("content-length", "0")
        self.send_header("connection", "close")
        self.end_headers()

    def log_message(self, format, *arguments):
        """Logs path and status. A body is never logged: it has card data."""
        print(f"{self.path} {arguments[1] if len(arguments) > 1 else ''}", flush=True)


def serve(options, adapter_type=Adapter, handler_type=Handler):
    """Serves until the process ends."""
    server = ThreadingHTTPServer((options.host, options.port), handler_type)
    server.daemon_threads = True
    server.secrets = Secrets(Path(options.secret_file).read_text())
    server.base_path = options.path
    server.adapter = adapter_type(Ledger(options.database), TestProcessor(options.pending_seconds))
    scheme = "http"
    if options.tls_cert:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(options.tls_cert, options.tls_key)
        # The handshake is made by the thread of the connection, not by the one that accepts all of them.
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        scheme = "https"
    print(f"listening on {scheme}://{options.host}:{server.server_address[1]}{options.path}", flush=True)
    server.serve_forever()


def command_line():
    parser = argparse.ArgumentParser(description="An adapter for a Payframe gateway, with a simulated processor.")
    parser.add_argument("--secret-file", required=True, help="one secret, or two while they are rotated: whsec_ and base64")
    parser.add_argument("--database", default="adapter.db", help="the SQLite file with the operations")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=9100, help="0 takes a free one and prints it")
    parser.add_argument("--path", default="/payframe", help="the path of the address that the gateway is given")
    parser.add_argument("--pending-seconds", type=float, default=30, help="how long a pending payment takes")
    parser.add_argument("--tls-cert", help="certificate, PEM; without it plain HTTP, which the gateway takes on the same machine only")
    parser.add_argument("--tls-key", help="its private key, PEM")
    return parser


if __name__ == "__main__":
    serve(command_line().parse_args())
