"""Two fake processors: small HTTP servers of our own, each with an interface that a connector of the library speaks.

The project names no payment company. So a fake says which requests it understands, and `stage` takes the connector that
makes such requests out of the library's own list.
"""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar, cast

from processors.bank import Bank, Fault, GivenBack, Paid, TooMuch

Json = dict[str, Any]


class Fake(ThreadingHTTPServer):
    """A fake processor."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, handler: "type[Interface]") -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.bank = Bank()
        self.answers: dict[str, tuple[int, Any]] = {}
        self.interface = handler

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}{self.interface.base_path}"

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients that break connections are part of the tests."""


class Interface(BaseHTTPRequestHandler):
    """What the interfaces share: reading requests, and the faults of the line."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    base_path: ClassVar[str] = ""
    key_header: ClassVar[str] = ""
    authorization_path: ClassVar[str]
    refund_path: ClassVar[str]

    @property
    def fake(self) -> Fake:
        return cast("Fake", self.server)

    def do_GET(self) -> None:
        with self.fake.bank.lock:
            status, answer = self.ask(self.path.removeprefix(self.base_path))
        self.tell(status, answer)

    def do_POST(self) -> None:
        text = self.rfile.read(int(self.headers["content-length"]))
        body: Json = json.loads(text)
        bank, path = self.fake.bank, self.path.removeprefix(self.base_path)
        with bank.lock:
            fault = bank.faults.popleft() if bank.faults else None
            key = self.headers.get(self.key_header, "") if self.key_header else ""
            bank.requests.append((path, text.decode(), key))
            if fault is Fault.LOST_REQUEST:
                self.close_connection = True
                return None
            status, answer = self.once(key, path, body)
        if fault is Fault.LOST_ANSWER:
            self.close_connection = True
            return None
        if fault is Fault.LATE_ANSWER:
            bank.arrived.set()
            bank.released.wait()
        if fault is Fault.SERVER_FAULT:
            status, answer = 503, {}
        if fault is Fault.OTHER_AMOUNT:
            answer = self.with_amount(answer, -400)
        if fault is Fault.LARGER_AMOUNT:
            answer = self.with_amount(answer, 400)
        if fault is Fault.BROKEN_ANSWER:
            return self.write(200, b"<html>approved</html>", "text/html")
        self.tell(status, answer)
        if fault is Fault.DOUBLED_ANSWER:
            self.tell(status, answer)
        return None

    def once(self, key: str, path: str, body: Json) -> tuple[int, Any]:
        """A request with a key that is known has the answer of the first one."""
        if key and key in self.fake.answers:
            return self.fake.answers[key]
        try:
            answer = self.carry_out(path, body)
        except TooMuch:
            answer = self.too_much()
        if key:
            self.fake.answers[key] = answer
        return answer

    def tell(self, status: int, answer: Any) -> None:
        self.write(status, json.dumps(answer).encode(), "application/json")

    def write(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""

    def carry_out(self, path: str, body: Json) -> tuple[int, Any]:
        raise NotImplementedError

    def ask(self, path: str) -> tuple[int, Any]:
        raise NotImplementedError

    def too_much(self) -> tuple[int, Any]:
        raise NotImplementedError

    def with_amount(self, answer: Any, difference: int) -> Any:
        raise NotImplementedError


class ByReference(Interface):
    """An interface whose payments and refunds can be asked about by the merchant's reference. It heeds no keys."""

    authorization_path = "/transactions/authorization"
    refund_path = "/transactions/1/refund"

    def carry_out(self, path: str, body: Json) -> tuple[int, Any]:
        bank, parts = self.fake.bank, path.split("/")
        data = body.get("ecommerceCardPaymentOnlyTransactionData", body)
        amount = int(data["amount"]["amount"])
        if path in ("/transactions/authorization", "/transactions/create-and-confirm"):
            at_once = path.endswith("confirm")
            currency = data["amount"]["currencyCode"]
            return 200, self._paid(bank.pay(body["referenceId"], data["card"]["pan"], amount, currency, at_once))
        if path.endswith("/capture"):
            bank.capture(parts[3], amount)
            return 200, self._result(parts[3], "approved_confirmed")
        if path.endswith("/reverse"):
            bank.release(parts[3])
            return 200, self._result(parts[3], "reversed")
        return 200, self._given_back(bank.give_back(parts[2], amount, body["referenceId"]))

    def ask(self, path: str) -> tuple[int, Any]:
        reference = path.rpartition("/")[2]
        for refund in self.fake.bank.refunds:
            if refund.reference == reference:
                return 200, self._given_back(refund)
        for payment in self.fake.bank.payments:
            if payment.reference == reference:
                return 200, self._paid(payment)
        return 404, {"errorRef": "not_found", "message": "no such transaction"}

    def too_much(self) -> tuple[int, Any]:
        return 400, {"errorRef": "amount", "message": "more than is there"}

    def with_amount(self, answer: Any, difference: int) -> Any:
        raise AssertionError(f"this interface tells no amount that could be {difference} off: {answer}")

    def _result(self, transaction: str, result: str) -> Json:
        code = {"value": "00" if result != "declined" else "51", "description": result}
        return {"transactionId": transaction, "transactionResult": result, "responseCode": code}

    def _paid(self, payment: Paid) -> Json:
        result = "approved_confirmed" if payment.captured else "approved"
        if payment.is_released:
            result = "reversed"
        if payment.is_declined:
            result = "declined"
        amount = {"amount": payment.amount, "currencyCode": payment.currency}
        return self._result(payment.id, result) | {
            "referenceId": payment.reference,
            "ecommerceCardPaymentOnlyTransactionData": {"amount": amount},
        }

    def _given_back(self, refund: GivenBack) -> Json:
        return self._result(refund.id, "approved_confirmed") | {"referenceId": refund.reference}


class ById(Interface):
    """An interface that knows payments by its own ids alone, and carries out a request with the same key once."""

    base_path = "/v1/"
    key_header = "x-request-key"
    authorization_path = "payments"
    refund_path = "payments/1/refunds"

    def carry_out(self, path: str, body: Json) -> tuple[int, Any]:
        bank, parts = self.fake.bank, path.split("/")
        if path == "payments":
            payment = bank.pay(
                body["reference"], body["source"]["number"], body["amount"], body["currency"], body["capture"]
            )
            return 201, self._paid(payment)
        if path.endswith("/captures"):
            payment = bank.capture(parts[1], body["amount"])
            if body["capture_type"] == "Final":
                payment.is_released = True
        elif path.endswith("/voids"):
            bank.release(parts[1])
        else:
            refund = bank.give_back(parts[1], body["amount"], body["reference"])
            return 202, {"action_id": refund.id, "reference": refund.reference, "_links": {}}
        return 202, {"action_id": f"act{len(bank.requests)}", "reference": body["reference"], "_links": {}}

    def ask(self, path: str) -> tuple[int, Any]:
        payment = next((one for one in self.fake.bank.payments if one.id == path.split("/")[1]), None)
        if payment is None:
            return 404, {}
        if path.endswith("/actions"):
            refunds = [one for one in self.fake.bank.refunds if one.payment is payment]
            return 200, [
                {"id": one.id, "type": "Refund", "amount": one.amount, "approved": True, "reference": one.reference}
                for one in refunds
            ]
        if payment.is_pending:
            # It is decided by the second question.
            self.fake.bank.polls += 1
            payment.is_pending = self.fake.bank.polls % 2 == 1
        return 200, self._paid(payment)

    def too_much(self) -> tuple[int, Any]:
        return 422, {"request_id": "1", "error_type": "request_invalid", "error_codes": ["amount_exceeds_balance"]}

    def with_amount(self, answer: Any, difference: int) -> Any:
        return answer | {"amount": answer["amount"] + difference} if "amount" in answer else answer

    def _paid(self, payment: Paid) -> Json:
        status = "Captured" if payment.captured == payment.amount else "Authorized"
        if 0 < payment.captured < payment.amount:
            status = "Partially Captured"
        if payment.is_released:
            status = "Voided"
        if payment.is_pending:
            status = "Pending"
        if payment.is_declined:
            status = "Declined"
        return {
            "id": payment.id,
            "action_id": "act0",
            "amount": payment.amount,
            "currency": payment.currency,
            "approved": not payment.is_declined,
            "status": status,
            "auth_code": "402117",
            "response_code": "20051" if payment.is_declined else "10000",
            "response_summary": status,
            "reference": payment.reference,
            "scheme_id": "638284745624527",
            "processed_on": "2026-01-01T00:00:00Z",
            "source": {"type": "card"},
            "_links": {},
        }
