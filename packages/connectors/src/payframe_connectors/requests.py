"""Requests of the library, made of ours."""

from .library import CanNotBeAsked, Library, Message
from .messages import Card
from .processor import Movement, Payment


class Requests:
    """Makes the library's requests for one processor."""

    def __init__(self, library: Library, *, takes_several_captures: bool, return_url: str | None) -> None:
        self._library = library
        self._takes_several_captures = takes_several_captures
        self._return_url = return_url

    def authorization(self, payment: Payment, card: Card) -> Message:
        """The library's request for a payment."""
        make = self._library.payments
        request = make.PaymentServiceAuthorizeRequest(
            merchant_transaction_id=payment.reference,
            merchant_order_id=payment.reference,
            merchant_request_id=payment.reference,
            amount=self.money(payment.amount_minor, payment.currency),
            capture_method=make.AUTOMATIC if payment.capture == "IMPLICIT" else make.MANUAL,
            auth_type=make.NO_THREE_DS,
            enable_partial_authorization=False,
        )
        self._put_number(request.payment_method, card)
        if card.holder_name is not None:
            request.customer.name = card.holder_name
        if card.holder_email is not None:
            request.customer.email.value = card.holder_email
        if self._return_url is not None:
            request.return_url = self._return_url
        # An empty address is given, too: the library wants the member.
        request.address.billing_address.SetInParent()
        if card.billing_address is not None:
            told, address = card.billing_address, request.address.billing_address
            if told.country in self._library.methods.CountryAlpha2.keys():  # noqa: SIM118 (no dictionary)
                address.country_alpha2_code = self._library.methods.CountryAlpha2.Value(told.country)
            parts = {"line1": told.line1, "line2": told.line2, "city": told.city, "state": told.state}
            for name, text in {**parts, "zip_code": told.postal_code}.items():
                if text is not None:
                    getattr(address, name).value = text
        if card.authentication is not None:
            request.auth_type = make.THREE_DS
            given = request.authentication_data
            given.eci, given.cavv = card.authentication.eci, card.authentication.value
            given.ds_transaction_id = card.authentication.ds_transaction_id
            given.message_version = card.authentication.version
            given.trans_status = make.TRANSACTION_STATUS_SUCCESS
        return request

    def _put_number(self, method: Message, card: Card) -> None:
        """The card, or the network token that stands for it."""
        month, year = f"{card.expiry_month:02}", str(card.expiry_year)
        if card.network_token is None:
            details = method.card
            details.card_number.value = card.number
            details.card_exp_month.value, details.card_exp_year.value = month, year
            details.card_cvc.value = card.security_code or ""
            if card.holder_name is not None:
                details.card_holder_name.value = card.holder_name
        else:
            details, token = method.network_token, card.network_token
            details.token_number.value = card.number
            details.token_exp_month.value, details.token_exp_year.value = month, year
            if token.cryptogram is None:
                raise CanNotBeAsked("a network token without a cryptogram is for later payments of an agreement")
            details.token_cryptogram.value = token.cryptogram
            if token.eci is not None:
                details.eci = token.eci
        if card.network in _NETWORKS:
            details.card_network = self._library.methods.CardNetwork.Value(_NETWORKS[card.network])

    def movement(self, payment: Payment, movement: Movement) -> Message:
        """The library's request for a capture, a release or a refund."""
        make = self._library.payments
        money = self.money(movement.amount_minor, payment.currency)
        shared = {"connector_transaction_id": payment.transaction or "", "merchant_request_id": movement.reference}
        if movement.operation == "CAPTURE":
            request = make.PaymentServiceCaptureRequest(
                merchant_capture_id=movement.reference,
                merchant_order_id=payment.reference,
                amount_to_capture=money,
                **shared,
            )
            if self._takes_several_captures:
                request.capture_method = make.MANUAL_MULTIPLE
                request.multiple_capture_data.capture_sequence = movement.sequence
                request.multiple_capture_data.capture_reference = movement.reference
        elif movement.operation == "VOID":
            request = make.PaymentServiceVoidRequest(
                merchant_void_id=movement.reference, merchant_order_id=payment.reference, amount=money, **shared
            )
        else:
            request = make.PaymentServiceRefundRequest(
                merchant_refund_id=movement.reference,
                payment_amount=payment.amount_minor,
                refund_amount=money,
                **shared,
            )
        return _with_state(request, payment)

    def payment_question(self, payment: Payment) -> Message:
        """The library's question about a payment."""
        make = self._library.payments
        request = make.PaymentServiceGetRequest(
            capture_method=make.AUTOMATIC if payment.capture == "IMPLICIT" else make.MANUAL,
            merchant_transaction_id=payment.reference,
            merchant_request_id=payment.reference,
            connector_transaction_id=payment.transaction or "",
            amount=self.money(payment.amount_minor, payment.currency),
        )
        return _with_state(request, payment)

    def refund_question(self, payment: Payment, movement: Movement) -> Message:
        """The library's question about a refund."""
        request = self._library.payments.RefundServiceGetRequest(
            merchant_refund_id=movement.reference,
            connector_transaction_id=payment.transaction or "",
            refund_id=movement.transaction or "",
            connector_refund_id=movement.transaction or "",
            refund_amount=self.money(movement.amount_minor, payment.currency),
        )
        return _with_state(request, payment)

    def money(self, amount_minor: int, currency: str) -> Message:
        make = self._library.payments
        if currency not in make.Currency.keys():  # noqa: SIM118 (no dictionary)
            raise CanNotBeAsked("the library does not know the currency")
        return make.Money(minor_amount=amount_minor, currency=make.Currency.Value(currency))


def _with_state(request: Message, payment: Payment) -> Message:
    if payment.state is not None:
        request.connector_feature_data.value = payment.state
    return request


_NETWORKS = {
    "VISA": "VISA",
    "MC": "MASTERCARD",
    "AMEX": "AMEX",
    "DISCOVER": "DISCOVER",
    "JCB": "JCB",
    "DINERS": "DINERS",
    "UNIONPAY": "UNIONPAY",
    "MAESTRO": "MAESTRO",
    "CARTES_BANCAIRES": "CARTES_BANCAIRES",
    "RUPAY": "RUPAY",
}
