"""The calls of the API that have a method: verb, path, query, body, and where the answer is.

Both clients make these calls. Nothing here sends or waits.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Generic, Literal, TypeVar, get_args

from payframe.errors import PayframeError, refused_value
from payframe.money import Money
from payframe.paths import checked_id, checked_path, segment
from payframe.types import (
    AllowedAction,
    CaptureRequest,
    CardData,
    ChangedSession,
    ClockReading,
    Confirmation,
    CreatedLink,
    Dispute,
    DisputeFile,
    DisputePage,
    DisputeQuery,
    DisputeResult,
    EventPage,
    EventQuery,
    EvidenceRequest,
    Fulfilment,
    FulfilmentRequest,
    HostedPage,
    HostedPageRequest,
    LinkDetails,
    LinkQuery,
    LinkRequest,
    Operation,
    OperationQuery,
    Order,
    OrderQuery,
    OrderStatus,
    PaymentLink,
    RefundRequest,
    SandboxDisputeDecision,
    SandboxDisputeRequest,
    Session,
    SessionChange,
    SessionRequest,
    SessionState,
    SettlementDetails,
    SettlementLineQuery,
    SettlementPage,
    SettlementQuery,
    Taken,
)

Verb = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
QueryValue = str | int | bool | None
T = TypeVar("T")


@dataclass(frozen=True)
class Call(Generic[T]):
    """One call. ``T`` is what it answers."""

    verb: Verb
    path: str
    """Below ``/api``, with its ids encoded."""
    query: Mapping[str, object] | None = field(default=None, repr=False)
    body: Mapping[str, object] | None = field(default=None, repr=False)
    member: str | None = None
    """The member of the answer that is wanted; ``None`` for the whole answer."""
    order_version: str | None = None
    """The version of the order that the caller saw."""


def open_session(request: SessionRequest) -> Call[Session]:
    return Call("POST", "/orders/build", body=request)


def change_session(change: SessionChange) -> Call[ChangedSession]:
    return Call("PATCH", "/build/session", body=change)


def read_session(session_id: str) -> Call[SessionState]:
    return Call("GET", "/build/state", query=_session(session_id))


def read_card(session_id: str) -> Call[CardData]:
    return Call("GET", "/build/cardData", query=_session(session_id))


def finalize_session(session_id: str) -> Call[SessionState]:
    return Call("POST", "/build/finalize_payment", body=_session(session_id))


def confirm_session(confirmation: Confirmation) -> Call[SessionState]:
    return Call("POST", "/build/confirm_payment", body=confirmation)


def cancel_session(session_id: str) -> Call[SessionState]:
    return Call("POST", "/build/cancel", body=_session(session_id))


def read_order(order_id: str) -> Call[Order]:
    return Call("GET", f"/orders/{segment(order_id, 'order_id')}")


def list_orders(query: OrderQuery | None) -> Call[list[OrderStatus]]:
    return Call("GET", "/orders", query=query, member="orders")


def tell_fulfilment(order_id: str, request: FulfilmentRequest) -> Call[Fulfilment]:
    return Call("PUT", f"/orders/{segment(order_id, 'order_id')}/fulfilment", body=request)


def list_events(query: EventQuery | None) -> Call[EventPage]:
    return Call("GET", "/events", query=query)


def read_operation(operation_id: str) -> Call[Operation]:
    return Call("GET", _operation(operation_id))


def list_operations(query: OperationQuery | None) -> Call[list[Operation]]:
    return Call("GET", "/operations", query=query, member="operations")


def list_actions(operation_id: str) -> Call[list[AllowedAction]]:
    return Call("GET", f"{_operation(operation_id)}/actions", member="actions")


def capture(operation_id: str, request: CaptureRequest | Money, order_version: str | None = None) -> Call[Taken]:
    return Call("POST", f"{_operation(operation_id)}/captures", body=request, order_version=order_version)


def refund(operation_id: str, request: RefundRequest | Money, order_version: str | None = None) -> Call[Taken]:
    return Call("POST", f"{_operation(operation_id)}/refunds", body=request, order_version=order_version)


def void(operation_id: str, actions: Sequence[AllowedAction], description: str | None) -> Call[Taken]:
    """The refund that the gateway takes for a release, if there is one now."""
    held = next((action for action in actions if action["actionType"] == "VOID"), None)
    # What is held can be captured: then the gateway offers no release because it would refund captured money.
    if held is None and any(action["actionType"] == "CAPTURE" for action in actions):
        raise PayframeError(
            "The gateway would refund captured money, because no more is held than captured. The rest ends by itself.",
            kind="caller",
            code="void_ambiguous",
        )
    if held is None:
        raise PayframeError("The operation holds nothing that can be released.", kind="caller", code="nothing_to_void")
    request: RefundRequest = {"amount": held["maxAmount"], "currency": held["currency"]}
    if description is not None:
        request["description"] = description
    return refund(operation_id, request)


def cancel_operation(operation_id: str, description: str | None, order_version: str | None = None) -> Call[Taken]:
    body = {} if description is None else {"description": description}
    return Call("POST", f"{_operation(operation_id)}/cancels", body=body, order_version=order_version)


def create_link(request: LinkRequest) -> Call[CreatedLink]:
    return Call("POST", "/v2/orders/paybylink", body=request)


def read_link(link_id: str) -> Call[LinkDetails]:
    return Call("GET", f"/orders/paybylink/{segment(link_id, 'link_id')}")


def list_links(query: LinkQuery | None) -> Call[list[PaymentLink]]:
    return Call("GET", "/orders/paybylink", query=query, member="paymentLinks")


def renew_link(link_id: str) -> Call[PaymentLink]:
    return Call("POST", f"/orders/paybylink/{segment(link_id, 'link_id')}/renewals", member="paymentLink")


def cancel_link(link_id: str) -> Call[PaymentLink]:
    return Call("POST", f"/paybylink/{segment(link_id, 'link_id')}/cancels", member="paymentLink")


def create_hosted_page(request: HostedPageRequest) -> Call[HostedPage]:
    return Call("POST", "/orders/hpp", body=request)


def list_disputes(query: DisputeQuery | None) -> Call[DisputePage]:
    return Call("GET", "/disputes", query=query)


def read_dispute(dispute_id: str) -> Call[Dispute]:
    return Call("GET", _dispute(dispute_id))


def add_dispute_file(dispute_id: str, name: str, content: object) -> Call[DisputeFile]:
    if not isinstance(content, (bytes, bytearray)):
        raise refused_value("content", "must be the bytes of the file")
    body = {"name": name, "content": base64.b64encode(content).decode()}
    return Call("POST", f"{_dispute(dispute_id)}/files", body=body)


def read_dispute_file(file_id: str) -> Call[Mapping[str, Any]]:
    """With its content in base64."""
    return Call("GET", f"/disputes/files/{segment(file_id, 'file_id')}")


def remove_dispute_file(file_id: str) -> Call[Mapping[str, object]]:
    return Call("POST", f"/disputes/files/{segment(file_id, 'file_id')}/removal")


def submit_evidence(dispute_id: str, request: EvidenceRequest | None) -> Call[Dispute]:
    return Call("POST", f"{_dispute(dispute_id)}/evidence", body=request or {})


def accept_dispute(dispute_id: str) -> Call[Dispute]:
    return Call("POST", f"{_dispute(dispute_id)}/acceptance")


def list_settlements(query: SettlementQuery | None) -> Call[SettlementPage]:
    return Call("GET", "/settlements", query=query)


def read_settlement(settlement_id: str, query: SettlementLineQuery | None) -> Call[SettlementDetails]:
    return Call("GET", f"/settlements/{segment(settlement_id, 'settlement_id')}", query=query)


def open_sandbox_dispute(request: SandboxDisputeRequest) -> Call[Dispute]:
    return Call("POST", "/test/disputes", body=request)


def decide_sandbox_dispute(dispute_id: str, result: DisputeResult) -> Call[Dispute]:
    body: SandboxDisputeDecision = {"result": result}
    return Call("POST", f"/test{_dispute(dispute_id)}/result", body=body)


def read_clock() -> Call[ClockReading]:
    return Call("GET", "/test/clock")


def put_clock_ahead(seconds: int) -> Call[ClockReading]:
    return Call("POST", "/test/clock/advance", body={"secondsAhead": seconds})


def advance_clock(to: datetime) -> Call[ClockReading]:
    if to.tzinfo is None:
        raise refused_value("instant", "must have a time zone")
    return Call("POST", "/test/clock/advance", body={"to": to.isoformat()})


def seconds_of(span: timedelta) -> int:
    """A part of a second counts as a whole one."""
    if span < timedelta():
        raise refused_value("by", "must not be less than nothing: time does not go back")
    return -(-span // timedelta(seconds=1))


def any_call(
    verb: Verb, path: str, body: Mapping[str, object] | None, query: Mapping[str, QueryValue] | None
) -> Call[Any]:
    if verb not in get_args(Verb):
        raise refused_value("verb", "must be GET, POST, PUT, PATCH or DELETE")
    return Call(verb, checked_path(path), query=query, body=body)


def _operation(operation_id: str) -> str:
    return f"/operations/{segment(operation_id, 'operation_id')}"


def _dispute(dispute_id: str) -> str:
    return f"/disputes/{segment(dispute_id, 'dispute_id')}"


def _session(session_id: str) -> dict[str, str]:
    return {"sessionId": checked_id(session_id, "session_id")}
