"""What the adapter takes for granted of the library, read from the library itself."""

import re
from dataclasses import replace

from gateway_side import new_reference

from payframe_connectors.currencies import minor_digits
from payframe_connectors.library import CanNotBeAsked, Library
from payframe_connectors.messages import Authentication, BillingAddress, Card, NetworkToken
from payframe_connectors.processor import Payment, Result
from payframe_connectors.statuses import AUTHENTICATION_REQUIRED, decline_reason
from processors.stage import built

CARD = Card("4761730000000003", 12, 2040, "VISA", "123", "Anna Rossi", None, False, None)
BASE_URL = "http://127.0.0.1:9/"


def test_the_library_has_the_units_that_the_adapter_checks(library: Library) -> None:
    """One connector writes amounts with a point. It is found by that, and tells the digits of each currency."""
    writers = [
        connector
        for connector in (built(library, name, BASE_URL) for name in library.connectors())
        if connector is not None and b"amount=10.0&" in connector.sample_authorization().body
    ]
    assert writers, "no connector writes amounts with a point"
    known = 0
    for currency in library.payments.Currency.keys():  # noqa: SIM118
        if currency == "CURRENCY_UNSPECIFIED":
            continue
        digits = minor_digits(currency)
        payment = Payment(new_reference(), "EXPLICIT", 1_234_567, currency, None, None)
        try:
            made = writers[0].request_to_pay(payment, CARD)
        except CanNotBeAsked:
            assert digits is None, currency
            continue
        found = re.search(rb"amount=([0-9.]+)&", made.body)
        assert found is not None
        assert digits is not None, currency
        assert float(found[1]) == 1_234_567 / 10**digits, currency
        known += 1
    assert known > 140


def test_many_connectors_can_be_asked_for_a_payment_in_one_request(library: Library) -> None:
    names = [name for name in library.connectors() if built(library, name, BASE_URL) is not None]
    print(f"{len(names)} of {len(library.connectors())} connectors take a card in one request")
    assert len(names) >= 30


def test_connectors_pass_the_billing_address_on(library: Library) -> None:
    address = BillingAddress("US", "95014", "1 Infinite Loop", None, "Cupertino", "CA")
    card, passing, whole = replace(CARD, billing_address=address), 0, 0
    for name in library.connectors():
        connector = built(library, name, BASE_URL)
        if connector is None:
            continue
        payment = Payment(new_reference(), "EXPLICIT", 1_000, "EUR", None, None)
        try:
            body = connector.request_to_pay(payment, card).body
        except CanNotBeAsked:
            continue
        passing += b"95014" in body
        whole += b"Infinite" in body and b"Cupertino" in body
    assert passing and whole, (passing, whole)


def test_a_connector_that_drops_the_result_of_3d_secure_is_not_asked(library: Library) -> None:
    """Nobody listens at the address: what is sent all the same has no outcome."""
    authentication = Authentication(
        "05", "AJkBBkhgQQAAAE4gSEJydQAAAAA=", "c4e59ceb-a382-4d6a-bc87-385d591fa09d", "2.2.0"
    )
    card, dropping, passing = replace(CARD, authentication=authentication), 0, 0
    for name in library.connectors():
        connector = built(library, name, BASE_URL)
        if connector is None:
            continue
        payment = Payment(new_reference(), "EXPLICIT", 1_000, "EUR", None, None)
        try:
            body = connector.request_to_pay(payment, card).body
        except CanNotBeAsked:
            continue
        answer = connector.authorize(payment, card, 2)
        is_passed_on = any(form in body for form in (authentication.value.encode(), b"AJkBBkhgQQAAAE4gSEJydQAAAAA%3D"))
        assert (answer.result is Result.FAILED) == (not is_passed_on), answer
        dropping, passing = dropping + (not is_passed_on), passing + is_passed_on
    assert dropping and passing, (dropping, passing)


def test_a_connector_that_drops_the_cryptogram_of_a_network_token_is_not_asked(library: Library) -> None:
    """Nobody listens at the address: what is sent all the same has no outcome."""
    token = NetworkToken("AgAAAAAABk4DWZ4C28yUQAAAAAA=", "05")
    forms = (b"AgAAAAAABk4DWZ4C28yUQAAAAAA=", b"AgAAAAAABk4DWZ4C28yUQAAAAAA%3D")
    card, dropping, passing = replace(CARD, security_code=None, network_token=token), 0, 0
    for name in library.connectors():
        connector = built(library, name, BASE_URL)
        if connector is None:
            continue
        payment = Payment(new_reference(), "EXPLICIT", 1_000, "EUR", None, None)
        try:
            body = connector.request_to_pay(payment, card).body
        except CanNotBeAsked:
            assert connector.authorize(payment, card, 2).result is Result.FAILED
            dropping += 1
            continue
        is_passed_on = any(form in body for form in forms)
        answer = connector.authorize(payment, card, 2)
        assert (answer.result is Result.FAILED) == (not is_passed_on), answer
        dropping, passing = dropping + (not is_passed_on), passing + is_passed_on
    assert dropping and passing, (dropping, passing)


def test_the_librarys_accounts_of_a_refusal_have_what_is_read(library: Library) -> None:
    """Of an answer that the library understands, and of one that it calls an error."""
    for error in (
        library.payments.PaymentServiceAuthorizeResponse().error,
        library.config.ConnectorError().error_info,
    ):
        assert decline_reason(error) is None
        error.issuer_details.network_details.decline_code = "1A"
        assert decline_reason(error) == AUTHENTICATION_REQUIRED
        error.Clear()
        error.connector_details.code = "authentication_required"
        assert decline_reason(error) == AUTHENTICATION_REQUIRED
