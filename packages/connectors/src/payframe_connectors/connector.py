"""A processor behind one connector of the open connector library.

The library makes a processor's HTTP request of ours, and our answer of the processor's. It does not send anything
itself here: requests go out by `exchange`, so that it is certain how often each is sent. What the library makes of an
answer is believed only where it fits the request.
"""

from dataclasses import replace
from urllib.parse import quote, quote_plus

from .currencies import minor_digits as library_digits
from .exchange import Exchange, NoAnswer, NotSent, Reply
from .library import CanNotBeAsked, Library, Message
from .messages import Card
from .processor import UNSUPPORTED, Answer, Movement, Payment, Result
from .requests import Requests
from .statuses import (
    CAPTURED,
    PARTIALLY_CAPTURED,
    REFUSED,
    RELEASED,
    decline_code,
    decline_reason,
    is_certain_refusal,
    is_outcome,
    refund_result,
)


class Unclear(Exception):
    """It is not known what the processor did."""


class Declined(Exception):
    """The processor has refused a request for certain."""

    def __init__(self, status: int, reason: str | None) -> None:
        super().__init__(status)
        self.status = status
        self.reason = reason


class Connector:
    """A processor, behind one connector of the library."""

    def __init__(
        self,
        library: Library,
        options: bytes,
        exchange: Exchange,
        *,
        takes_several_captures: bool,
        idempotency_header: str | None,
        idempotency_hours: int,
        return_url: str | None,
    ) -> None:
        """Raises `CanNotBeAsked` if the library makes no authorization of a card for it."""
        self._library = library
        self._options = options
        self._exchange = exchange
        self._takes_several_captures = takes_several_captures
        self._idempotency_header = idempotency_header
        self._repeats_for_seconds = idempotency_hours * 3600 if idempotency_header is not None else 0
        self._requests = Requests(library, takes_several_captures=takes_several_captures, return_url=return_url)
        self.sample_authorization()
        self._operations = ["AUTHORIZE"] + [
            operation for operation in ("CAPTURE", "VOID", "REFUND") if self._can_build(Movement("1", operation, 1))
        ]
        self.asks_by_reference = self._names_reference(
            "get", self._requests.payment_question(_SAMPLE_UNTOLD), "47110815"
        )
        refund = self._requests.refund_question(_SAMPLE, Movement("47110816", "REFUND", 1))
        self.asks_refunds_by_reference = self._names_reference("refund_get", refund, "47110816")

    @property
    def operations(self) -> list[str]:
        return self._operations

    @property
    def takes_several_captures(self) -> bool:
        return self._takes_several_captures

    @property
    def repeats_for_seconds(self) -> int:
        return self._repeats_for_seconds

    def authorize(self, payment: Payment, card: Card, minor_digits: int) -> Answer:
        if library_digits(payment.currency) != minor_digits:
            return Answer(Result.FAILED, "909", cause="the library has another unit for the currency")
        if card.is_initiated_by_merchant:
            return UNSUPPORTED
        try:
            request = self._requests.authorization(payment, card)
            self._must_carry(request, card)
            said = self._ask("authorize", request, "PaymentServiceAuthorizeResponse", payment.reference)
        except CanNotBeAsked as problem:
            return Answer(Result.FAILED, "909", cause=str(problem))
        except Declined as refusal:
            cause = f"refused with {refusal.status}"
            if refusal.status != 402:
                return Answer(Result.FAILED, "909", cause=cause)
            return Answer(Result.DECLINED, "100", decline_reason=refusal.reason, cause=cause)
        except Unclear as problem:
            return Answer(Result.UNKNOWN, cause=str(problem))
        return self._authorized(payment, said, card.number)

    def move(self, payment: Payment, movement: Movement) -> Answer:
        flow = _FLOWS[movement.operation]
        try:
            if payment.transaction is None or movement.operation not in self._operations:
                raise CanNotBeAsked("the operation is not supported")
            request = self._requests.movement(payment, movement)
            said = self._ask(flow, request, _RESPONSES[flow], movement.reference)
        except (CanNotBeAsked, Declined) as problem:
            cause = f"refused with {problem.status}" if isinstance(problem, Declined) else str(problem)
            # What is refused now may have been carried out when it was asked for first.
            return Answer(Result.UNKNOWN if movement.is_repeated else Result.FAILED, "909", cause=cause)
        except Unclear as problem:
            return Answer(Result.UNKNOWN, cause=str(problem))
        if movement.operation == "REFUND":
            return self._refunded(said)
        return self._moved(movement, said)

    def payment_status(self, payment: Payment) -> Answer:
        if payment.transaction is None and not self.asks_by_reference:
            return Answer(Result.UNKNOWN, cause="the processor can not be asked by reference: the operator has to look")
        try:
            said = self._ask("get", self._requests.payment_question(payment), "PaymentServiceGetResponse", None)
        except (CanNotBeAsked, Declined, Unclear) as problem:
            return Answer(Result.UNKNOWN, cause=f"no answer to the question: {type(problem).__name__}")
        if said.HasField("amount") and said.amount != self._requests.money(payment.amount_minor, payment.currency):
            return Answer(Result.UNKNOWN, cause="the processor tells another amount")
        return self._authorized(payment, said, "")

    def movement_status(self, payment: Payment, movement: Movement) -> Answer:
        if movement.operation == "REFUND":
            return self._refund_status(payment, movement)
        if payment.captured_before:
            return Answer(Result.UNKNOWN, cause="there are other captures: the operator has to look")
        try:
            said = self._ask("get", self._requests.payment_question(payment), "PaymentServiceGetResponse", None)
        except (CanNotBeAsked, Declined, Unclear) as problem:
            return Answer(Result.UNKNOWN, cause=f"no answer to the question: {type(problem).__name__}")
        status = self._name_of("PaymentStatus", said.status)
        if movement.operation == "VOID" and status in RELEASED:
            return Answer(Result.APPROVED, "000")
        if movement.operation == "CAPTURE" and status in CAPTURED:
            if said.HasField("captured_amount") and said.captured_amount != movement.amount_minor:
                return Answer(Result.UNKNOWN, cause="the processor tells another captured amount")
            return Answer(Result.APPROVED, "000")
        return Answer(Result.UNKNOWN, cause=f"the payment is {status}")

    def _refund_status(self, payment: Payment, movement: Movement) -> Answer:
        if movement.transaction is None and not self.asks_refunds_by_reference:
            return Answer(
                Result.UNKNOWN, cause="the refund can not be asked about by reference: the operator has to look"
            )
        try:
            said = self._ask("refund_get", self._requests.refund_question(payment, movement), "RefundResponse", None)
        except (CanNotBeAsked, Declined, Unclear) as problem:
            return Answer(Result.UNKNOWN, cause=f"no answer to the question: {type(problem).__name__}")
        money = self._requests.money(movement.amount_minor, payment.currency)
        if said.HasField("refund_amount") and said.refund_amount != money:
            return Answer(Result.UNKNOWN, cause="the processor tells another amount")
        return self._refunded(said)

    # What the answers mean

    def _authorized(self, payment: Payment, said: Message, number: str) -> Answer:
        status = self._name_of("PaymentStatus", said.status)
        known = Answer(
            Result.UNKNOWN,
            transaction=said.connector_transaction_id or None,
            state=_state(said, number),
            cause=f"the payment is {status}",
        )
        is_captured = status == "CHARGED"
        if status in REFUSED and is_outcome(said.status_code):
            declined = _with(known, Result.DECLINED, decline_code(said), cause="")
            return replace(declined, decline_reason=decline_reason(said.error))
        if status in RELEASED:
            return _with(known, Result.DECLINED, "100", cause="the payment was released")
        if status == "PARTIALLY_AUTHORIZED" or (payment.capture == "IMPLICIT" and status in PARTIALLY_CAPTURED):
            return _with(known, Result.PARTIAL, "116")
        if not (is_captured if payment.capture == "IMPLICIT" else status == "AUTHORIZED"):
            return known
        told = _told_amount(said, is_captured)
        if told is not None and told < payment.amount_minor:
            return _with(known, Result.PARTIAL, "116")
        if told is not None and told > payment.amount_minor:
            return _with(known, Result.UNKNOWN, "911", cause="the processor tells a larger amount")
        if known.transaction is None:
            return _with(known, Result.UNKNOWN, "911", cause="the processor tells no id of the payment")
        return Answer(
            Result.APPROVED,
            "000",
            known.transaction,
            known.state,
            authorization_code=_authorization_code(said),
            scheme_id=_scheme_id(said),
        )

    def _moved(self, movement: Movement, said: Message) -> Answer:
        status = self._name_of("PaymentStatus", said.status)
        wanted = CAPTURED if movement.operation == "CAPTURE" else RELEASED
        failed = ("CAPTURE_FAILED", "FAILURE") if movement.operation == "CAPTURE" else ("VOID_FAILED", "FAILURE")
        if status in wanted:
            told = said.captured_amount if movement.operation == "CAPTURE" and said.HasField("captured_amount") else 0
            if movement.sequence == 1 and told > movement.amount_minor:
                return Answer(Result.UNKNOWN, cause="the processor tells a larger amount")
            return Answer(Result.APPROVED, "000", state=_state(said, ""))
        if status in failed and is_outcome(said.status_code):
            return Answer(Result.FAILED, "909", cause=f"the operation is {status}")
        return Answer(Result.UNKNOWN, cause=f"the operation is {status}")

    def _refunded(self, said: Message) -> Answer:
        status = self._name_of("RefundStatus", said.status)
        result = refund_result(status, said.status_code)
        code = {Result.APPROVED: "000", Result.FAILED: "909"}.get(result, "911")
        cause = "" if result is Result.APPROVED else f"the refund is {status}"
        return Answer(result, code, transaction=said.connector_refund_id or None, cause=cause)

    # How it is asked

    def sample_authorization(self) -> Message:
        """The HTTP request for a payment with a test card, which is not sent. Raises `CanNotBeAsked`."""
        return self.request_to_pay(_SAMPLE, _SAMPLE_CARD)

    def request_to_pay(self, payment: Payment, card: Card) -> Message:
        """The HTTP request for a payment, which is not sent. Raises `CanNotBeAsked`."""
        return self.build("authorize", self._requests.authorization(payment, card))

    def request_for(self, payment: Payment, movement: Movement) -> Message:
        """The HTTP request for a capture, release or refund, which is not sent. Raises `CanNotBeAsked`."""
        return self.build(_FLOWS[movement.operation], self._requests.movement(payment, movement))

    def build(self, flow: str, request: Message) -> Message:
        """The HTTP request that the library makes. Raises `CanNotBeAsked`."""
        make = getattr(self._library.native, f"{flow}_req_transformer", None)
        if make is None:
            raise CanNotBeAsked("the library has no such request")
        made = self._library.config.FfiResult()
        try:
            made.ParseFromString(make(request.SerializeToString(), self._options))
        except Exception as problem:
            raise CanNotBeAsked(f"the library failed: {type(problem).__name__}") from None
        if made.type != made.HTTP_REQUEST:
            # The code is one of the library's own; its message may repeat a value.
            raise CanNotBeAsked(f"the library makes no request: {made.integration_error.error_code}")
        return made.http_request

    def _ask(self, flow: str, request: Message, response: str, key: str | None) -> Message:
        """Asks the processor.

        A request that moves money has a key. It is repeated once, under the same key, if the processor heeds keys.
        """
        made = self.build(flow, request)
        headers = dict(made.headers)
        attempts = 1
        if key is not None and self._idempotency_header is not None:
            headers[self._idempotency_header] = key
            attempts = 2
        body = made.body if made.HasField("body") else None
        problem = ""
        for _ in range(attempts):
            try:
                reply = self._exchange.send(made.method, made.url, headers, body)
                if not is_outcome(reply.status):
                    raise Unclear(f"the answer has the status {reply.status}")
                return self._read(flow, request, response, reply)
            except NotSent as refused:
                raise CanNotBeAsked(str(refused)) from None
            except NoAnswer as silence:
                problem = f"no answer: {silence}"
            except Unclear as unclear:
                problem = str(unclear)
            except Declined as refused:
                if not problem:
                    raise
                # It may be the repetition that is refused.
                raise Unclear(f"{problem}; the repetition is refused with {refused.status}") from None
        raise Unclear(problem)

    def _read(self, flow: str, request: Message, response: str, reply: Reply) -> Message:
        answer = self._library.config.FfiConnectorHttpResponse(
            status_code=reply.status, headers=dict(reply.headers), body=reply.body
        )
        read = self._library.config.FfiResult()
        transform = getattr(self._library.native, f"{flow}_res_transformer")
        try:
            read.ParseFromString(transform(answer.SerializeToString(), request.SerializeToString(), self._options))
            if read.type == read.HTTP_RESPONSE:
                said = getattr(self._library.payments, response)()
                said.ParseFromString(read.http_response.body)
                return said
        except Exception as problem:
            raise Unclear(f"the library failed: {type(problem).__name__}") from None
        error = read.connector_error.error_info
        if is_certain_refusal(reply.status) and error.connector_details.code:
            raise Declined(reply.status, decline_reason(error))
        raise Unclear(f"the answer can not be read, with the status {reply.status}")

    def _must_carry(self, request: Message, card: Card) -> None:
        """Not every connector passes proofs of an authentication on, without which the merchant would bear the loss."""
        proofs: list[tuple[str, str]] = []
        if card.authentication is not None:
            proofs.append(("the result of 3-D Secure", card.authentication.value))
        if card.network_token is not None and card.network_token.cryptogram is not None:
            proofs.append(("the cryptogram of a network token", card.network_token.cryptogram))
        for name, proof in proofs:
            made = self.build("authorize", request)
            written = made.body.decode(errors="replace") + str(dict(made.headers))
            if not any(form in written for form in (proof, quote(proof, safe=""), quote_plus(proof))):
                raise CanNotBeAsked(f"the connector does not pass {name} on")

    def _can_build(self, movement: Movement) -> bool:
        try:
            self.request_for(_SAMPLE, movement)
        except CanNotBeAsked:
            return False
        return True

    def _names_reference(self, flow: str, request: Message, reference: str) -> bool:
        try:
            made = self.build(flow, request)
        except CanNotBeAsked:
            return False
        return reference in made.url or reference.encode() in made.body

    def _name_of(self, enumeration: str, number: int) -> str:
        names: dict[str, int] = dict(getattr(self._library.payments, enumeration).items())
        return next((name for name, value in names.items() if value == number), "UNKNOWN")


def _with(known: Answer, result: Result, code: str, cause: str | None = None) -> Answer:
    return Answer(result, code, known.transaction, known.state, cause=known.cause if cause is None else cause)


def _state(said: Message, number: str) -> str | None:
    """What the library wants back. Should a card number be in it, it is not stored."""
    state: str = said.connector_feature_data.value
    return state if state and not (number and number in state) else None


def _told_amount(said: Message, is_captured: bool) -> int | None:
    """The approved amount, where the answer tells one."""
    names = ("captured_amount",) if is_captured else ("authorized_amount", "capturable_amount")
    for name in names:
        if name in said.DESCRIPTOR.fields_by_name and said.HasField(name):
            amount: int = getattr(said, name)
            return amount
    return None


def _authorization_code(said: Message) -> str | None:
    code: str = said.connector_response.additional_payment_method_data.card.auth_code
    return code if 1 <= len(code) <= 6 and code.isascii() and code.isalnum() else None


def _scheme_id(said: Message) -> str | None:
    scheme_id: str = said.network_transaction_id
    return scheme_id if 1 <= len(scheme_id) <= 36 and scheme_id.isascii() and scheme_id.isprintable() else None


_FLOWS = {"CAPTURE": "capture", "VOID": "void", "REFUND": "refund"}
_RESPONSES = {
    "capture": "PaymentServiceCaptureResponse",
    "void": "PaymentServiceVoidResponse",
    "refund": "RefundResponse",
}
# With these the library is asked what it can make for a connector. Nothing is sent. The card is a public test card.
_SAMPLE = Payment("47110815", "EXPLICIT", 1_000, "EUR", transaction="1", state=None)
_SAMPLE_UNTOLD = Payment("47110815", "EXPLICIT", 1_000, "EUR", transaction=None, state=None)
_SAMPLE_CARD = Card("4761730000000003", 12, 2040, "VISA", "123", "A B", "a@b.example", False, None)
