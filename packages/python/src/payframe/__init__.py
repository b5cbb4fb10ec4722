"""Payframe for a merchant's server: payments, orders, refunds, links, and notifications that are verified.

Not for programs in buyers' hands: the API key never leaves the server. Names that are not in this module are not
part of the interface.
"""

from __future__ import annotations

from payframe.calls import QueryValue, Verb
from payframe.client import AsyncPayframe, Payframe
from payframe.errors import ErrorDetails, ErrorKind, PayframeError
from payframe.money import Money, money
from payframe.notifications import NotificationFault, verify_notification
from payframe.options import Runtime
from payframe.types import (
    AllowedAction,
    CaptureRequest,
    CardData,
    ChangedSession,
    ClockReading,
    Confirmation,
    CreatedLink,
    Dispute,
    EventPage,
    EventQuery,
    FeedEvent,
    HostedPage,
    HostedPageRequest,
    LinkDetails,
    LinkQuery,
    LinkRequest,
    MoneyStatus,
    Notice,
    Notification,
    Operation,
    OperationQuery,
    Order,
    OrderQuery,
    OrderStatus,
    PaymentLink,
    RefundApproval,
    RefundRequest,
    Session,
    SessionChange,
    SessionRequest,
    SessionState,
    Taken,
    TerminalAttack,
)

__all__ = [
    "AllowedAction",
    "AsyncPayframe",
    "CaptureRequest",
    "CardData",
    "ChangedSession",
    "ClockReading",
    "Confirmation",
    "CreatedLink",
    "Dispute",
    "ErrorDetails",
    "ErrorKind",
    "EventPage",
    "EventQuery",
    "FeedEvent",
    "HostedPage",
    "HostedPageRequest",
    "LinkDetails",
    "LinkQuery",
    "LinkRequest",
    "Money",
    "MoneyStatus",
    "Notice",
    "Notification",
    "NotificationFault",
    "Operation",
    "OperationQuery",
    "Order",
    "OrderQuery",
    "OrderStatus",
    "Payframe",
    "PayframeError",
    "PaymentLink",
    "QueryValue",
    "RefundApproval",
    "RefundRequest",
    "Runtime",
    "Session",
    "SessionChange",
    "SessionRequest",
    "SessionState",
    "Taken",
    "TerminalAttack",
    "Verb",
    "money",
    "verify_notification",
]
