"""What the gateway answers and notifies of. Made by tools/make_types.py; changes by hand are lost.

There is nothing here but types. It is longer than most, because it has one type
for each object of the API."""

from __future__ import annotations

from typing import Any, Literal, TypedDict


class Acceptance(TypedDict):
    """A Acceptance, as in the OpenAPI document."""

    acceptedTime: str
    """When it was accepted."""
    checkMarkLabel: str
    """What stood beside the box that was ticked."""
    language: str
    """Of the text that was shown, three letters."""
    linkId: str
    """The link, or the hosted page."""
    part: str
    """``TERMS``, ``STAY`` (of a structure condition), ``CANCELLATION`` (the same)."""
    text: str
    """The text."""
    textHash: str
    """SHA-256 of the text's bytes, in hex."""
    textId: str
    """The terms and conditions, or the structure condition."""


class _AllowedActionRequired(TypedDict):
    actionType: str
    """``CAPTURE``, ``REFUND``, ``VOID``, ``CANCEL``, ``INCREMENTAL``."""
    currency: str
    """ISO 4217 letters."""
    maxAmount: str
    """Minor units."""
    minAmount: str
    """Minor units; the same as ``maxAmount`` where only the whole is possible."""
    path: str
    """Path of the call, relative to the base."""


class AllowedAction(_AllowedActionRequired, total=False):
    """Something that may be done with an operation now."""

    expirationTime: str
    """The last instant at which it is possible; absent where there is none."""


AttackState = Literal["BEGUN", "ENDED"]
"""Whether a terminal is under attack."""


BuildState = Literal[
        "PAYMENT_METHOD_SELECTION", "CARD_DATA_COLLECTION", "READY_FOR_PAYMENT",
        "REDIRECTED_TO_EXTERNAL_DOMAIN", "PAYMENT_COMPLETE", "GDI_VERIFICATION"
    ]
"""Where a build session stands."""


class _CardDataRequired(TypedDict):
    bin: str
    """First 6 digits, 8 for some networks."""
    circuit: str
    """Network code."""
    expiringDate: str
    """``MMYY``."""
    lastFourDigits: str
    """Last four digits."""


class CardData(_CardDataRequired, total=False):
    """Answer of ``GET /build/cardData``."""

    funding: str
    """``CREDIT``, ``DEBIT``, ``PREPAID``; absent if unknown."""
    issuerCountry: str
    """ISO 3166-1 alpha-3; absent if unknown."""


class ChangedSession(TypedDict):
    """Answer of ``PATCH /build/session``: what the session charges now."""

    amount: str
    """What the session charges, in the minor unit of ``currency``."""
    currency: str
    """ISO 4217 letters."""
    orderAmount: str
    """What the order costs."""
    state: BuildState
    """Where the session stands."""
    warnings: list[GatewayWarning]


class ClockReading(TypedDict):
    """The clock of a sandbox: the answer of ``GET /test/clock`` and of ``POST /test/clock/advance``."""

    latestTime: str
    """Instant: the last one to which the clock can be advanced now."""
    realTime: str
    """Instant: the real time now."""
    secondsAhead: int
    """How many seconds the clock is ahead of the real time; 0 if it was never advanced."""
    time: str
    """Instant: the time of payments now."""


class CreatedLink(TypedDict):
    """Answer of the two creation calls of links."""

    paymentLink: PaymentLink
    """The link."""
    securityToken: str
    """32 hex digits, to be compared with the token of notifications."""
    warnings: list[GatewayWarning]
    """``[]`` if none."""


class _DisputeRequired(TypedDict):
    amount: str
    """The disputed money, in the smallest unit of the currency."""
    category: DisputeCategory
    """Why the buyer disputes, in plain words."""
    changedTime: str
    """Instant of its last change."""
    currency: str
    """Its currency."""
    deadline: str
    """From this instant on it cannot be answered."""
    disputeId: str
    kind: DisputeKind
    """How far it has come at the card network."""
    openedTime: str
    """Instant at which it was opened."""
    operationId: str
    """The operation whose captured money is disputed."""
    orderId: str
    """The merchant's order."""
    reasonCode: str
    """Why, as the network writes it."""
    state: DisputeState
    """What is to be done, or what became of it."""
    terminalId: str
    """The terminal of the operation."""


class Dispute(_DisputeRequired, total=False):
    """A buyer's bank asks about a captured payment, or takes its money back."""

    evidence: SubmittedEvidence
    """What the merchant submitted last; only in answers about one dispute, and absent if nothing."""
    files: list[DisputeFile]
    """The files of the merchant; only in answers about one dispute, and absent if none."""
    reference: str
    """The acquirer's own number of the case; absent if it gave none."""


DisputeCategory = Literal[
        "FRAUD", "NOT_RECEIVED", "NOT_AS_DESCRIBED", "DUPLICATE", "CANCELED_RECURRING", "PROCESSING_ERROR",
        "GENERAL"
    ]
"""Why a buyer disputes a payment, in plain words."""


class DisputeFile(TypedDict):
    """A file of evidence."""

    addedTime: str
    """Instant at which it was added."""
    fileId: str
    mediaType: str
    """``application/pdf``, ``image/png``, ``image/jpeg``: found in its content."""
    name: str
    """What the merchant calls it."""
    size: int
    """How many bytes it has."""


DisputeKind = Literal["INQUIRY", "CHARGEBACK", "PRE_ARBITRATION", "ARBITRATION"]
"""How far a dispute has come at the card network."""


class DisputePage(TypedDict):
    """Answer of ``GET /disputes``: newest first."""

    disputes: list[Dispute]
    """``[]`` if none."""
    hasMore: bool
    """Whether more disputes are behind these."""


DisputeState = Literal["NEEDS_RESPONSE", "UNDER_REVIEW", "WON", "LOST", "ACCEPTED", "EXPIRED"]
"""The state of a dispute."""


class EventPage(TypedDict):
    """Answer of ``GET /events``: oldest first."""

    events: list[FeedEvent]
    """``[]`` if nothing has happened since."""
    hasMore: bool
    """Whether more events are there already."""
    nextCursor: str
    """``after`` of the next call."""


class _FeedEventRequired(TypedDict):
    cursor: str
    """The place of the event in the feed."""
    eventId: str
    """UUID, the same as in the notification, if there is one."""
    eventType: Literal[
        "PAYMENT", "PAY_BY_LINK", "OPERATION", "ORDER_FULFILMENT", "TERMINAL_ATTACK", "REFUND_APPROVAL",
        "DISPUTE", "PAGE_CHANGE"
    ]
    recordedTime: str
    """Instant at which it was written into the feed."""


class FeedEvent(_FeedEventRequired, total=False):
    """Something that happened."""

    attack: TerminalAttack
    """The terminal that is under attack, or no longer is; only in ``TERMINAL_ATTACK``."""
    dispute: Dispute
    """The dispute that was opened or changed, without its evidence; only in ``DISPUTE``."""
    fulfilment: Fulfilment
    """What the shop told of the order's goods; only in ``ORDER_FULFILMENT``."""
    notification: Notification
    """The body of the notification about it, whether one is sent or not; only where it is about money."""
    pageChange: PageChange
    """The page that was changed; only in ``PAGE_CHANGE``."""
    refundApproval: RefundApproval
    """The refund that waits for a second member; only in ``REFUND_APPROVAL``."""


Field = TypedDict("Field", {
    "class": str,
    "id": str,
    "src": str,
    "type": str,
})


class FieldSet(TypedDict):
    """The fields of a session."""

    fields: list[Field]
    """In the order in which they are shown."""
    sessionId: str
    """The session that the fields belong to."""


class FormAddress(TypedDict):
    """Where the one-frame form is."""

    expiresAt: str
    """Instant at which the session ends at the latest."""
    html: str
    src: str
    """Address of the frame."""


class _FulfilmentRequired(TypedDict):
    changedTime: str
    """Instant at which the shop first told this state with this note."""
    orderId: str
    """The merchant's order."""
    state: FulfilmentState
    """The state of its goods."""


class Fulfilment(_FulfilmentRequired, total=False):
    """A Fulfilment, as in the OpenAPI document."""

    note: str
    """The shop's note; absent if none."""


FulfilmentState = Literal["NONE", "PARTIAL", "FULFILLED", "CANCELED", "RETURNED"]
"""The state of an order's goods, in the shop's words."""


class GatewayWarning(TypedDict):
    """A remark that refuses nothing."""

    code: str
    """``GW91…`` or ``TRA…``."""
    description: str
    """English."""


class HostedPage(TypedDict):
    """Answer of ``POST /orders/hpp``."""

    hostedPage: str
    """Where to send the browser."""
    securityToken: str
    """32 hex digits, to be compared with the token of notifications."""
    warnings: list[GatewayWarning]
    """``[]`` if none."""


class LinkDetails(TypedDict):
    """Answer of ``GET /orders/paybylink/{linkId}``."""

    order: dict[str, Any]
    """The order as it was sent."""
    paymentLink: PaymentLink
    """The link."""


MoneyStatus = Literal[
        "UNPAID", "TO_CAPTURE", "PAID", "PARTLY_REFUNDED", "REFUNDED", "PENDING", "VERIFIED", "REFUSED",
        "CANCELED", "FAILED", "RELEASED"
    ]
"""What became of an order's money, in one word (own extension)."""


class _NoticeRequired(TypedDict):
    eventId: str
    """UUID, the same in every attempt."""
    eventTime: str
    """Instant of the change."""
    eventType: Literal["TERMINAL_ATTACK", "REFUND_APPROVAL", "DISPUTE", "PAGE_CHANGE"]
    """``TERMINAL_ATTACK``, ``REFUND_APPROVAL``, ``DISPUTE``, ``PAGE_CHANGE``."""


class Notice(_NoticeRequired, total=False):
    """What the merchant's server is told of something that is no operation."""

    attack: TerminalAttack
    """Only in ``TERMINAL_ATTACK``."""
    dispute: Dispute
    """Only in ``DISPUTE``: the dispute without its evidence."""
    pageChange: PageChange
    """Only in ``PAGE_CHANGE``."""
    refundApproval: RefundApproval
    """Only in ``REFUND_APPROVAL``."""
    operation: None
    """Never there: it is not about money."""


class Notification(TypedDict):
    """What the merchant's server is told when an operation gets a result."""

    eventId: str
    """UUID, the same in every attempt."""
    eventTime: str
    """Instant of the change."""
    eventType: Literal["PAYMENT", "PAY_BY_LINK", "OPERATION"]
    """``PAYMENT``, ``PAY_BY_LINK``, ``OPERATION``."""
    operation: Operation
    """The operation as it was at that instant."""
    securityToken: str
    """That of the answer which created the payment."""


class _OperationRequired(TypedDict):
    additionalData: dict[str, Any]
    """Authorization code, response code, masked number and so on."""
    channel: str
    """``ECOMMERCE``, ``POS``, ``BACKOFFICE``."""
    channelDetail: str
    customerInfo: dict[str, Any]
    """What the merchant sent with the order; ``{}`` if nothing."""
    operationAmount: str
    """Minor units, digits only."""
    operationCurrency: str
    """ISO 4217 letters."""
    operationId: str
    """18 digits."""
    operationResult: str
    operationTime: str
    """Instant, UTC with milliseconds."""
    operationType: str
    orderId: str
    """The merchant's order."""
    terminalId: str
    """The terminal that it is booked on."""
    warnings: list[GatewayWarning]


class Operation(_OperationRequired, total=False):
    """One thing that happened to an order's money, or that failed to."""

    cancelledOperationId: str
    """The operation that this one undoes; absent if none."""
    omnichannelId: str
    """The same for everything that is done with an order at points of sale; absent where nothing is."""
    paymentCircuit: str
    """Network or method code; absent where none is known."""
    paymentEndToEndId: str
    """The scheme's id."""
    paymentInstrumentInfo: str
    """``***`` and the last four digits."""
    paymentLinkId: str
    """The link that it was paid over; absent for everything else."""
    paymentMethod: str
    """``CARD`` or ``APM``; absent where no method was chosen."""


class _OrderRequired(TypedDict):
    operations: list[Operation]
    """Newest first."""
    orderStatus: OrderStatus
    """The order and its totals."""
    orderVersion: str
    """The version of the order, as in the header ``ETag`` without its quotation marks (own extension)."""
    paymentLinks: list[PaymentLink]
    """``[]`` if none."""


class Order(_OrderRequired, total=False):
    """Answer of ``GET /orders/{orderId}``."""

    acceptances: list[Acceptance]
    """What buyers accepted before they paid (own extension); absent if nothing."""
    chargedBackAmount: str
    """What disputes took back, in minor units (own extension)."""
    disputedAmount: str
    """What disputes hold that are not decided, in minor units (own extension): it cannot be refunded."""
    disputes: list[Dispute]
    """The order's disputes (own extension), newest first, without their evidence; absent if none."""
    fulfilment: Fulfilment
    """What the shop told of the order's goods (own extension); absent while it told nothing."""


class _OrderStatusRequired(TypedDict):
    authorizedAmount: str
    """Approved, less released; minor units."""
    capturedAmount: str
    """Captured, less undone; minor units."""
    order: dict[str, Any]
    """The order as it was sent (2.1), with the amount as text."""
    refundedAmount: str
    """Given back; minor units."""
    status: MoneyStatus
    """What became of its money, in one word (own extension)."""


class OrderStatus(_OrderStatusRequired, total=False):
    """An order with its totals."""

    lastOperation: Operation
    """The newest operation; absent while there is none."""
    lastOperationTime: str
    """Absent while there is no operation."""
    lastOperationType: str
    """Absent while there is no operation."""


class PageChange(TypedDict):
    """A PageChange, as in the OpenAPI document."""

    added: int
    """How many are new."""
    changed: int
    """How many have another content than before."""
    foundTime: str
    """Instant at which a buyer's browser reported it."""
    page: str
    """Origin and path of the page."""
    removed: int
    """How many are gone."""
    terminalId: str
    """The terminal."""


class _PaymentLinkRequired(TypedDict):
    amount: str
    """What the link asks for; minor units."""
    expirationDate: str
    """The last valid day, ``YYYY-MM-DD`` in the terminal's time zone."""
    link: str
    """Where the buyer pays."""
    linkId: str
    """At most 36 characters."""
    status: str
    """``ACTIVE``, ``PAID``, ``EXPIRED``, ``CANCELED``, ``FAILED``."""


class PaymentLink(_PaymentLinkRequired, total=False):
    """A payment link."""

    actionType: str
    """``PAY``, ``VERIFY``, ``PREAUTH``."""
    captureType: str
    """``IMPLICIT``, ``EXPLICIT``."""
    creationTime: str
    """Instant, UTC with milliseconds."""
    currency: str
    """ISO 4217 letters."""
    expirationTime: str
    """``HH:mm`` with its zone, as in ``18:30+02:00``; absent where the link is good to the end of its last day."""
    orderId: str
    """The merchant's order."""
    paidByOperationId: str
    """Absent until it is paid."""
    renewals: int
    """How often it was renewed."""


class RefundApproval(TypedDict):
    """A refund in the back office that waits for a second member, and what became of it."""

    amount: str
    """What is refunded, in the smallest unit of the currency."""
    askedTime: str
    """Instant at which it was asked for."""
    currency: str
    """Its currency."""
    endTime: str
    """From this instant on nobody can approve it."""
    operationId: str
    """The operation that is refunded."""
    orderId: str
    """The merchant's order."""
    requestId: str
    """The id of the request, the same in all events about it."""
    state: RefundApprovalState
    """What became of it."""
    terminalId: str
    """The terminal of the operation."""


RefundApprovalState = Literal["ASKED", "APPROVED", "DECLINED", "NOT_POSSIBLE"]
"""What became of a refund that waits for a second member."""


class _SessionRequired(TypedDict):
    securityToken: str
    """32 hex digits, to be compared with the token of notifications."""
    sessionId: str
    """The session's id: a credential."""
    state: BuildState
    """Where the session stands."""
    warnings: list[GatewayWarning]
    """``[]`` if none."""


class Session(_SessionRequired, total=False):
    """Answer of ``POST /orders/build``."""

    fields: list[Field]
    """What the page must show; absent with a redirect."""
    form: FormAddress
    """Only where the request had the member ``form``."""
    url: str
    """With ``REDIRECTED_TO_EXTERNAL_DOMAIN``."""


class _SessionStateRequired(TypedDict):
    state: BuildState
    """Where the session stands."""


class SessionState(_SessionStateRequired, total=False):
    """Answer of ``GET /build/state`` and of the completion calls, as the merchant's server sees it."""

    fieldSet: FieldSet
    """With the collecting states and the device check of version 2."""
    operation: Operation
    """With ``PAYMENT_COMPLETE``, and with a refusal that may be tried again."""
    url: str
    """With ``REDIRECTED_TO_EXTERNAL_DOMAIN``."""
    warnings: list[GatewayWarning]


class Settlement(TypedDict):
    """A clearing file of an acquirer."""

    fileName: str
    """The name of the file."""
    firstDay: str
    """The first day of its bookings, in the file's time zone."""
    importedTime: str
    """Instant at which it was imported."""
    lastDay: str
    """The last day of its bookings."""
    openDifferences: int
    """How many lines differ from the books, and are not marked as cleared."""
    settlementId: str
    """18 digits."""
    sums: list[SettlementSum]
    """The sums of its lines, by currency."""
    terminalIds: list[str]
    """The terminals that it is about."""


class _SettlementDetailsRequired(TypedDict):
    lines: list[SettlementLine]
    """Its lines, in the order of the file."""
    payouts: list[SettlementPayout]
    """The sums of its payouts, by currency."""
    settlement: Settlement
    """The file."""


class SettlementDetails(_SettlementDetailsRequired, total=False):
    """Answer of ``GET /settlements/{settlementId}``."""

    nextCursor: str
    """``after`` of the next call; absent if there are no more lines."""


class _SettlementLineRequired(TypedDict):
    bookedDay: str
    """The day on which the acquirer booked it, in the file's time zone."""
    currency: str
    """ISO 4217 letters."""
    feeAmount: str
    """What the acquirer keeps: minor units, with a minus if it gives it back."""
    grossAmount: str
    """Minor units, with a minus for refunds."""
    kind: str
    """``PAYMENT``, ``REFUND``, or ``OTHER``: a fee, a chargeback or a correction."""
    line: int
    """Where it begins in the file: 1 is the first line."""
    netAmount: str
    """Minor units: the gross amount less the fee."""


class SettlementLine(_SettlementLineRequired, total=False):
    """A line of a clearing file."""

    acquirerReference: str
    """The acquirer's own reference; absent if the line has none."""
    difference: str
    """``AMOUNT_DIFFERS``, ``CURRENCY_DIFFERS``, ``NOT_IN_BOOKS``, ``BOOKED_TWICE``; absent if the line agrees."""
    isCleared: bool
    """Whether the difference is marked as cleared; absent if the line agrees."""
    operationId: str
    """The operation that it is about; absent if none fits."""
    orderId: str
    """The order of that operation."""
    payoutId: str
    """The payout; absent if the line names none."""
    reference: str
    """What the line calls its operation; absent if it names none."""


class _SettlementPageRequired(TypedDict):
    settlements: list[Settlement]
    """``[]`` if there is none."""


class SettlementPage(_SettlementPageRequired, total=False):
    """Answer of ``GET /settlements``: newest first."""

    nextCursor: str
    """``after`` of the next call; absent if there are no more."""


class _SettlementPayoutRequired(TypedDict):
    sum: SettlementSum
    """Its sums."""


class SettlementPayout(_SettlementPayoutRequired, total=False):
    """A payout of a clearing file, in one currency."""

    payoutId: str
    """As the acquirer calls it; absent if its lines name none."""


class SettlementSum(TypedDict):
    """Sums of lines in one currency."""

    currency: str
    """ISO 4217 letters."""
    feeAmount: str
    """What the acquirer keeps: minor units, with a minus if it gives it back."""
    grossAmount: str
    """Payments less refunds, and what else is in the file: minor units, with a minus below zero."""
    lines: int
    """How many lines."""
    netAmount: str
    """What the acquirer pays out: minor units, with a minus below zero."""


class _SubmittedEvidenceRequired(TypedDict):
    submittedTime: str
    """Instant at which it was submitted."""


class SubmittedEvidence(_SubmittedEvidenceRequired, total=False):
    """Evidence that a merchant submitted."""

    correspondence: str
    """What buyer and merchant wrote to each other; absent if not told."""
    delivery: str
    """When, how and where it was delivered; absent if not told."""
    explanation: str
    """Why the payment is right; absent if not told."""
    goods: str
    """What was sold; absent if not told."""
    refundTerms: str
    """The terms of cancellation and refund that the buyer accepted; absent if not told."""


class _TakenRequired(TypedDict):
    operationId: str
    """18 digits."""
    operationTime: str
    """Instant, UTC with milliseconds."""


class Taken(_TakenRequired, total=False):
    """Answer of the calls that move money (8.2.6 to 8.2.8): it is taken, and its outcome is in the operation."""

    warnings: list[GatewayWarning]
    """Remarks that refuse nothing; absent if none."""


class TerminalAttack(TypedDict):
    """Somebody tries out stolen cards at a terminal, or no longer does."""

    sinceTime: str
    """Instant at which it began."""
    state: AttackState
    """Whether it began or ended."""
    terminalId: str
    """The terminal."""
