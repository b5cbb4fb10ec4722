"""Makes ``src/payframe/types`` from the gateway's OpenAPI document.

``python tools/make_types.py`` reads ``packages/server/types/openapi.json``, the part of the document that packages for
merchants' servers cover. The tests fail where the types are not current. It asks no gateway.
"""

from __future__ import annotations

import json
import keyword
import re
import textwrap
from pathlib import Path
from typing import Any, cast

FOLDER = Path(__file__).resolve().parent.parent
DOCUMENT = FOLDER.parent / "server" / "types" / "openapi.json"
TARGET = FOLDER / "src" / "payframe" / "types"

# The names of this package, by those of the document.
ANSWERS = {
    "BuildAnswer": "Session",
    "MerchantStateObject": "SessionState",
    "ChangedSession": "ChangedSession",
    "CardData": "CardData",
    "OrderAnswer": "Order",
    "OrderStatus": "OrderStatus",
    "Operation": "Operation",
    "AllowedAction": "AllowedAction",
    "Taken": "Taken",
    "PaymentLink": "PaymentLink",
    "PaymentLinkAnswer": "CreatedLink",
    "PaymentLinkDetails": "LinkDetails",
    "HostedPageAnswer": "HostedPage",
    "Notification": "Notification",
    "Notice": "Notice",
    "TerminalAttack": "TerminalAttack",
    "AttackState": "AttackState",
    "RefundApproval": "RefundApproval",
    "RefundApprovalState": "RefundApprovalState",
    "PageChange": "PageChange",
    "Dispute": "Dispute",
    "DisputeKind": "DisputeKind",
    "DisputeCategory": "DisputeCategory",
    "DisputeState": "DisputeState",
    "DisputeFile": "DisputeFile",
    "SubmittedEvidence": "SubmittedEvidence",
    "DisputeList": "DisputePage",
    "Settlement": "Settlement",
    "SettlementAnswer": "SettlementDetails",
    "SettlementLine": "SettlementLine",
    "SettlementList": "SettlementPage",
    "SettlementPayout": "SettlementPayout",
    "SettlementSum": "SettlementSum",
    "Fulfilment": "Fulfilment",
    "FulfilmentState": "FulfilmentState",
    "Event": "FeedEvent",
    "EventList": "EventPage",
    "MoneyStatus": "MoneyStatus",
    "TestClock": "ClockReading",
    "Warning": "GatewayWarning",
}
BODIES = {
    "openPayment": "SessionRequest",
    "changeSession": "SessionChange",
    "confirmPayment": "Confirmation",
    "capture": "CaptureRequest",
    "refund": "RefundRequest",
    "tellFulfilment": "FulfilmentRequest",
    "createPaymentLink": "LinkRequest",
    "openHostedPage": "HostedPageRequest",
    "submitEvidence": "EvidenceRequest",
    "openTestDispute": "SandboxDisputeRequest",
    "decideTestDispute": "SandboxDisputeDecision",
}
QUERIES = {
    "listOrders": "OrderQuery",
    "listOperations": "OperationQuery",
    "listPaymentLinks": "LinkQuery",
    "listEvents": "EventQuery",
    "listDisputes": "DisputeQuery",
    "listSettlements": "SettlementQuery",
    "readSettlement": "SettlementLineQuery",
}

# Objects inside of bodies, by the member that holds them.
PARTS = {
    "order": "OrderRequest",
    "paymentSession": "PaymentSession",
    "form": "FormOptions",
    "customerInfo": "CustomerInfo",
    "billingAddress": "Address",
    "shippingAddress": "Address",
    "cardHolderAcctInfo": "CardHolderAccount",
    "merchantRiskIndicator": "MerchantRiskIndicator",
    "giftCardAmount": "GiftCardAmount",
    "installments": "Installment",
    "plan": "InstallmentPlan",
    "transactionSummary": "TransactionSummary",
    "summaryList": "SummaryLine",
    "recurrence": "Recurrence",
}
# Texts out of closed sets that have a name of their own, by the member that holds one.
CHOICES = {"result": "DisputeResult"}
SENTENCES = {"Address": "Where the buyer lives, or where the goods go."}
EVENT_TYPES = ["PAYMENT", "PAY_BY_LINK", "OPERATION"]
NOTICE_TYPES = ["TERMINAL_ATTACK", "REFUND_APPROVAL", "DISPUTE", "PAGE_CHANGE"]

Schema = dict[str, Any]


class Types:
    """The types of one module."""

    def __init__(self, names: dict[str, str]) -> None:
        self._names = names
        self._shapes: dict[str, tuple[Schema, str]] = {}
        self.referred: list[str] = []

    def add(self, name: str, schema: Schema) -> str:
        """Declares an object, and answers the name that it has got."""
        known = self._shapes.get(name)
        if known and known[0] != _bare(schema):
            return self.add(f"Link{name}", schema)
        if not known:
            self._shapes[name] = (_bare(schema), "")
            self._shapes[name] = (_bare(schema), self._declaration(name, schema))
        return name

    def add_choice(self, name: str, schema: Schema) -> None:
        """Declares a text out of a closed set."""
        doc = f'\n"""{_sentence(schema)}"""' if schema.get("description") else ""
        self._shapes[name] = (_bare(schema), f"{name} = {textwrap.dedent(_literal(schema['enum']))}{doc}\n")

    def text(self) -> str:
        """The declarations, by name."""
        return "\n\n".join(self._shapes[name][1] for name in sorted(self._shapes))

    def names(self) -> list[str]:
        return sorted(self._shapes)

    def _declaration(self, name: str, schema: Schema) -> str:
        members: Schema = schema["properties"]
        required = [member for member in members if member in schema.get("required", [])]
        optional = [member for member in members if member not in required]
        sentence = SENTENCES.get(name) or _sentence(schema) or f"A {name}, as in the OpenAPI document."
        doc = f'    """{sentence}"""'
        if any(keyword.iskeyword(member) for member in members):
            rows = "".join(f"    {member!r}: {self._type(member, members[member])},\n" for member in members)
            assert not optional, name
            return f"{name} = TypedDict({name!r}, {{\n{rows}}})\n".replace("'", '"')
        if required and optional:
            # One class for each half, because NotRequired needs Python 3.11.
            first = f"class _{name}Required(TypedDict):\n{self._rows(required, members)}"
            return f"{first}\n\nclass {name}(_{name}Required, total=False):\n{doc}\n\n{self._rows(optional, members)}"
        total = "" if required else ", total=False"
        return f"class {name}(TypedDict{total}):\n{doc}\n\n{self._rows(required or optional, members)}"

    def _rows(self, names: list[str], members: Schema) -> str:
        rows: list[str] = []
        for name in names:
            rows.append(f"    {name}: {self._type(name, members[name])}")
            sentence = _sentence(members[name])
            if sentence:
                rows.append(f'    """{sentence}"""')
        return "\n".join(rows) + "\n"

    def _type(self, member: str, schema: Schema) -> str:
        if "$ref" in schema:
            target = str(schema["$ref"]).rpartition("/")[2]
            self.referred.append(target)
            return self._names.get(target, target)
        given: Any = schema["type"]
        kinds = cast("list[str]", given if isinstance(given, list) else [given])
        texts = [self._kind(member, kind, schema) for kind in kinds if kind != "null"]
        return " | ".join([*texts, *(["None"] if "null" in kinds else [])])

    def _kind(self, member: str, kind: str, schema: Schema) -> str:
        if kind == "array":
            return f"list[{self._type(member, schema['items'])}]"
        if kind == "object":
            return self.add(PARTS[member], schema) if "properties" in schema else "dict[str, Any]"
        if "enum" in schema and member in CHOICES:
            self.add_choice(CHOICES[member], schema)
            return CHOICES[member]
        if "enum" in schema:
            wanted = str if kind == "string" else int
            return _literal([value for value in schema["enum"] if isinstance(value, wanted)])
        return {"string": "str", "integer": "int", "boolean": "bool"}[kind]


def modules(document: Schema) -> dict[str, str]:
    """The text of each module, by its name."""
    requests, answers = Types({}), Types(ANSWERS)
    calls: dict[str, Schema] = {}
    where: dict[str, str] = {}
    for path, verbs in document["paths"].items():
        for verb, call in verbs.items():
            calls[call["operationId"]] = call
            where[call["operationId"]] = f"{verb.upper()} {path}"
    for called, name in BODIES.items():
        schema = calls[called]["requestBody"]["content"]["application/json"]["schema"]
        requests.add(name, {**schema, "description": f"Body of `{where[called]}`."})
    for called, name in QUERIES.items():
        rows = [row for row in calls[called]["parameters"] if row["in"] == "query"]
        members = {row["name"]: {**row["schema"], "description": row["description"]} for row in rows}
        requests.add(name, {"properties": members, "description": f"Query of `{where[called]}`."})
    schemas = document["components"]["schemas"]
    schemas["Notification"]["properties"]["eventType"]["enum"] = EVENT_TYPES
    schemas["Event"]["properties"]["eventType"]["enum"] = [*EVENT_TYPES, "ORDER_FULFILMENT", *NOTICE_TYPES]
    schemas["Notice"]["properties"]["eventType"]["enum"] = NOTICE_TYPES
    # So that `get("operation")` of any event says whether it is about money.
    about = "Never there: it is not about money."
    schemas["Notice"]["properties"]["operation"] = {"type": ["null"], "description": about}
    answers.referred = list(ANSWERS)
    while answers.referred:
        target = answers.referred.pop()
        if "enum" in schemas[target]:
            answers.add_choice(ANSWERS.get(target, target), schemas[target])
        else:
            answers.add(ANSWERS.get(target, target), schemas[target])
    return {
        "requests.py": _module("What calls send", "Literal, TypedDict", requests),
        "answers.py": _module("What the gateway answers and notifies of", "Any, Literal, TypedDict", answers),
        "__init__.py": _package(requests, answers),
    }


def _module(subject: str, names: str, types: Types) -> str:
    doc = f'"""{subject}. Made by tools/make_types.py; changes by hand are lost.\n\n'
    doc += "There is nothing here but types. It is longer than most, because it has one type\n"
    doc += 'for each object of the API."""'
    return f"{doc}\n\nfrom __future__ import annotations\n\nfrom typing import {names}\n\n\n{types.text()}"


def _package(requests: Types, answers: Types) -> str:
    doc = '"""The types of requests and answers. Made by tools/make_types.py; changes by hand are lost.\n\n'
    doc += 'Members are named as on the wire. There is nothing here but types."""'
    imports = [
        f"from payframe.types.{module} import (\n{''.join(f'    {name},{chr(10)}' for name in types.names())})\n"
        for module, types in (("answers", answers), ("requests", requests))
    ]
    names = "".join(f'    "{name}",\n' for name in sorted([*requests.names(), *answers.names()]))
    return f"{doc}\n\nfrom __future__ import annotations\n\n{''.join(imports)}\n__all__ = [\n{names}]\n"


def _literal(values: list[object]) -> str:
    given = [json.dumps(value) for value in values if value is not None]
    line = f"Literal[{', '.join(given)}]"
    if len(line) <= 90:
        return line
    rows = textwrap.wrap(", ".join(given), 100, break_long_words=False, break_on_hyphens=False)
    inner = "\n".join(f"        {row}" for row in rows)
    return f"Literal[\n{inner}\n    ]"


def _sentence(schema: Schema) -> str:
    """The first sentence of a description."""
    text = " ".join(str(schema.get("description", "")).split())
    found = re.match(r"(.+?[.:])(?= [A-Z`]|$)", text)
    sentence = (found.group(1) if found else text).rstrip(":")
    sentence = re.sub(r"\[([^]]+)\]\([^)]*\)", r"\1", sentence).replace("\\", "\\\\").rstrip(".")
    # Numbers in brackets are of sections of the contract.
    sentence = re.sub(r" \([0-9., ]+\)$", "", sentence)
    return f"{sentence.replace('`', '``')}." if 5 < len(sentence) <= 105 else ""


def _bare(schema: Any) -> Any:
    """A schema without its sentences, to compare."""
    if not isinstance(schema, dict):
        return schema
    # A member of a request can be called "description" too: then there is a schema behind the name.
    members = cast(Schema, schema).items()
    return {name: _bare(inner) for name, inner in members if name != "description" or isinstance(inner, dict)}


if __name__ == "__main__":
    for module_name, module_text in modules(json.loads(DOCUMENT.read_text(encoding="utf-8"))).items():
        (TARGET / module_name).write_text(module_text, encoding="utf-8")
