"""The example adapter with one fault, to see that the examiner finds it. Each fault is one that a real adapter could have.

Two are no faults: an adapter may refuse network tokens, and may charge cards in their own currency.
"""

import secrets
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[4] / "examples" / "acquirer-python"))

import adapter  # noqa: E402
from adapter import Adapter, Handler, Refused  # noqa: E402


class ChargesAgain(Adapter):
    """Each copy of a request is another authorization."""

    def outcome(self, row):
        answer = super().outcome(row)
        if "authorizationCode" in answer:
            answer["authorizationCode"] = f"{secrets.randbelow(10**6):06}"
        return answer


class RefundsAgain(Adapter):
    """Each copy of a follow-up operation moves money."""

    def follow_up(self, message):
        copy = {**message, "reference": secrets.token_hex(8)}
        return {**super().follow_up(copy), "reference": message["reference"]}


class ChecksBeforeItCounts(Adapter):
    """Requests about one authorization do not wait for each other: two refunds see the same total before either counts."""

    def __init__(self, ledger, processor):
        super().__init__(ledger, processor)
        self.both_have_looked = threading.Barrier(2)

    def lock_of(self, authorization):
        return threading.Lock()

    def move(self, row):
        first = self.ledger.find(row["authorization"])
        is_whole = first is not None and row["amount_minor"] == first["amount_minor"]
        if row["operation"] != "REFUND" or not is_whole or first["capture"] != "IMPLICIT":
            return super().move(row)
        return self.with_the_other(row, 10)

    def with_the_other(self, row, seconds):
        """The other request is there, or it does not come."""
        try:
            self.both_have_looked.wait(seconds)
        except threading.BrokenBarrierError:
            self.both_have_looked.reset()
        return self.processor.move(row)


class Forgets(Adapter):
    """Knows no reference when it is asked."""

    def inquire(self, message):
        return {"reference": message["reference"], "known": False}


class Invents(Adapter):
    """Takes a reference that it does not know for a payment."""

    def inquire(self, message):
        answer = super().inquire(message)
        if not answer["known"]:
            payment = {"amountMinor": 1000, "currency": "EUR", "result": "APPROVED", "responseCode": "000"}
            answer = {**answer, "known": True, "outcome": {"reference": answer["reference"], **payment}}
        return answer


class StoresLate(Adapter):
    """Stores what it did some time after its answer."""

    def inquire(self, message):
        row = self.ledger.find(message["reference"])
        first_seen = self.__dict__.setdefault("seen", {})
        if row is not None and time.monotonic() - first_seen.setdefault(row["reference"], time.monotonic()) < 0.5:
            return {"reference": message["reference"], "known": False}
        return super().inquire(message)


def with_limits(change):
    class Unlimited(Adapter):
        """Does not keep to its totals."""

        def __init__(self, ledger, processor):
            super().__init__(ledger, processor)
            kept = ledger.available

            def available(authorization, reference):
                found = kept(authorization, reference)
                return found and change(found, ledger.find(authorization))

            ledger.available = available

    return Unlimited


class TwoDecimals(Adapter):
    """Takes every amount for one with two digits behind the point."""

    def authorize(self, message):
        wrong = int(message["amountMinor"] * 10.0 ** (2 - message["minorDigits"]))
        return super().authorize({**message, "amountMinor": wrong})


class NeedsTheCode(Adapter):
    """Judges a copy of a request by what it lacks."""

    def authorize(self, message):
        answer = super().authorize(message)
        if message["card"]["securityCodeStatus"] == "LOST":
            answer = {key: value for key, value in answer.items() if key != "authorizationCode"}
            answer.update(result="DECLINED", responseCode="129")
        return answer


class ChangesItsMind(Adapter):
    """Asks the processor again about a payment that was declined."""

    def authorize(self, message):
        row = self.ledger.find(message["reference"])
        if row is not None and row["result"] == "DECLINED":
            self.ledger.conclude(message["reference"], "APPROVED", "000")
        return super().authorize(message)


class GuessesTheOutcome(Adapter):
    """Takes no answer of the processor for a refusal."""

    def outcome(self, row):
        answer = super().outcome(row)
        if answer["result"] == "PENDING":
            answer.update(result="DECLINED", responseCode="100")
        return answer


class RepeatsTheCard(Adapter):
    """Answers with the request."""

    def authorize(self, message):
        return {**message, **super().authorize(message)}


class Strict(Adapter):
    """Refuses members that it does not know."""

    def authorize(self, message):
        known = {"reference", "terminalId", "action", "capture", "amountMinor", "currency", "minorDigits", "card"}
        if set(message) - known:
            raise Refused(400)
        return super().authorize(message)


class MixesOperations(Adapter):
    """Takes a reference for a copy only if its operation is the same one."""

    def follow_up(self, message):
        known = self.ledger.find(message["reference"])
        if known is not None and known["operation"] != message["operation"]:
            message = {**message, "reference": secrets.token_hex(8)}
        return super().follow_up(message)


class MixesAuthorizations(Adapter):
    """Takes a reference for a copy only if its authorization is the same one."""

    def follow_up(self, message):
        known = self.ledger.find(message["reference"])
        if known is not None and known["authorization"] != message["authorization"]:
            message = {**message, "reference": secrets.token_hex(8)}
        return super().follow_up(message)


class TakesAnyCurrency(Adapter):
    """Compares amounts without their currencies."""

    def follow_up(self, message):
        first = self.ledger.find(message["authorization"])
        if first is None:
            return super().follow_up(message)
        return {**super().follow_up({**message, "currency": first["currency"]}), "currency": message["currency"]}


class CapturesWhatItReleases(ChecksBeforeItCounts):
    """A capture and a release see the same total before either counts."""

    def move(self, row):
        first = self.ledger.find(row["authorization"])
        is_whole = first is not None and row["amount_minor"] == first["amount_minor"]
        if row["operation"] not in ("CAPTURE", "VOID") or not is_whole or first["currency"] != "EUR":
            return Adapter.move(self, row)
        return self.with_the_other(row, 3)


class HearsOneMinute(Handler):
    """Its clock has to be right to the minute."""

    def check(self, body):
        adapter.CLOCK_TOLERANCE_SECONDS = 60
        super().check(body)


class HearsLaterRequestsAlone(Handler):
    """Refuses what was signed before the last request."""

    latest = 0

    def check(self, body):
        super().check(body)
        seconds = int(self.headers["payframe-timestamp"])
        if seconds < HearsLaterRequestsAlone.latest - 60:
            raise Refused(401)
        HearsLaterRequestsAlone.latest = seconds


class LosesItsBooks(Adapter):
    """Begins with empty books."""

    def __init__(self, ledger, processor):
        super().__init__(ledger, processor)
        with ledger.open() as tables:
            tables.execute("DELETE FROM operation")


class TakesAPart(Adapter):
    """Takes the approval of a part for one of the whole amount."""

    def authorize(self, message):
        if message["card"]["number"][-4:-1] == "010":
            message = {**message, "card": {**message["card"], "number": "4761730000000003"}}
        return super().authorize(message)


class DropsTheCryptogram(Adapter):
    """Charges a network token as a card."""

    def authorize(self, message):
        card = {name: value for name, value in message["card"].items() if name != "networkToken"}
        return super().authorize({**message, "card": card})


class RefusesNetworkTokens(Adapter):
    """No fault: its processor has no place for a cryptogram, so nothing is charged to a network token."""

    def __init__(self, ledger, processor):
        super().__init__(ledger, processor)
        ask = processor.authorize
        processor.authorize = lambda message: ("FAILED", "909") if "networkToken" in message["card"] else ask(message)


class AsksForTheCryptogramOnce(Adapter):
    """Refuses a copy of a payment with a network token: its cryptogram was used."""

    def authorize(self, message):
        token = message["card"].get("networkToken")
        is_copy = token is not None and self.ledger.find(message["reference"]) is not None
        answer = super().authorize(message)
        if is_copy:
            answer = {key: value for key, value in answer.items() if key not in ("authorizationCode", "schemeId")}
            answer.update(result="DECLINED", responseCode="129")
        return answer


class Converts(Adapter):
    """No fault: its processor charges cards in their own currency."""

    def authorize(self, message):
        return self.charged(message, super().authorize(without_conversion(message)))

    def follow_up(self, message):
        return self.charged(message, super().follow_up(message))

    def charged(self, message, answer):
        asked = message.get("conversion")
        if asked is None or answer["result"] != "APPROVED":
            return answer
        return {**answer, "conversion": {"amountMinor": asked["amountMinor"], "currency": asked["currency"]}}


class OverlooksTheConversion(Adapter):
    """Does not know the member, and charges the order's currency."""

    def authorize(self, message):
        return super().authorize(without_conversion(message))


class RefundsTheOrdersCurrency(Converts):
    """Gives money back in the order's currency, whatever was charged."""

    def follow_up(self, message):
        answer = super().follow_up(message)
        return without_conversion(answer) if message["operation"] == "REFUND" else answer


def without_conversion(message):
    return {name: value for name, value in message.items() if name != "conversion"}


class NeedsAnIndicator(Adapter):
    """Reads shared data as if the issuer always gave an indicator."""

    def authorize(self, message):
        shared = message["card"].get("dataShare")
        if shared is not None and "eci" not in shared:
            raise Refused(400)
        return super().authorize(message)


class HearsAnybody(Handler):
    """Does not check who signed."""

    def check(self, body):
        pass


class HearsOldRequests(Handler):
    """Does not check when it was signed."""

    def check(self, body):
        present = time.time
        adapter.time.time = lambda: int(self.headers.get("payframe-timestamp", "0") or "0")
        try:
            super().check(body)
        finally:
            adapter.time.time = present


class ChecksTheBodyAlone(Handler):
    """Does not check what path was signed."""

    def check(self, body):
        sent = self.path
        for endpoint in ("authorize", "follow-up", "inquire", "describe"):
            self.path = f"{self.server.base_path}/{endpoint}"
            try:
                super().check(body)
                return
            except Refused:
                continue
            finally:
                self.path = sent
        raise Refused(401)


class SignsForNobody(Handler):
    """Its answers fit any request."""

    def reply(self, body):
        self.headers.replace_header("payframe-id", "0" * 32)
        super().reply(body)


FAULTS = {
    "charges-again": (ChargesAgain, Handler),
    "refunds-again": (RefundsAgain, Handler),
    "checks-before-it-counts": (ChecksBeforeItCounts, Handler),
    "forgets": (Forgets, Handler),
    "invents": (Invents, Handler),
    "stores-late": (StoresLate, Handler),
    "captures-too-much": (with_limits(lambda found, first: {**found, "CAPTURE": 10**9}), Handler),
    "refunds-too-much": (with_limits(lambda found, first: {**found, "REFUND": first["amount_minor"]}), Handler),
    "captures-twice": (
        with_limits(lambda found, first: {**found, "CAPTURE": first["amount_minor"]} if first["capture"] == "IMPLICIT" else found),
        Handler,
    ),
    "two-decimals": (TwoDecimals, Handler),
    "needs-the-code": (NeedsTheCode, Handler),
    "changes-its-mind": (ChangesItsMind, Handler),
    "guesses-the-outcome": (GuessesTheOutcome, Handler),
    "repeats-the-card": (RepeatsTheCard, Handler),
    "strict": (Strict, Handler),
    "drops-the-cryptogram": (DropsTheCryptogram, Handler),
    "asks-for-the-cryptogram-once": (AsksForTheCryptogramOnce, Handler),
    "needs-an-indicator": (NeedsAnIndicator, Handler),
    "refuses-network-tokens": (RefusesNetworkTokens, Handler),
    "converts": (Converts, Handler),
    "overlooks-the-conversion": (OverlooksTheConversion, Handler),
    "refunds-the-orders-currency": (RefundsTheOrdersCurrency, Handler),
    "loses-its-books": (LosesItsBooks, Handler),
    "takes-a-part": (TakesAPart, Handler),
    "mixes-operations": (MixesOperations, Handler),
    "mixes-authorizations": (MixesAuthorizations, Handler),
    "takes-any-currency": (TakesAnyCurrency, Handler),
    "captures-what-it-releases": (CapturesWhatItReleases, Handler),
    "hears-one-minute": (Adapter, HearsOneMinute),
    "hears-later-requests-alone": (Adapter, HearsLaterRequestsAlone),
    "hears-anybody": (Adapter, HearsAnybody),
    "hears-old-requests": (Adapter, HearsOldRequests),
    "checks-the-body-alone": (Adapter, ChecksTheBodyAlone),
    "signs-for-nobody": (Adapter, SignsForNobody),
}


if __name__ == "__main__":
    parser = adapter.command_line()
    parser.add_argument("--fault", required=True, choices=FAULTS)
    options = parser.parse_args()
    adapter.serve(options, *FAULTS[options.fault])
