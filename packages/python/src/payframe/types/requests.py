"""What calls send. Made by tools/make_types.py; changes by hand are lost.

There is nothing here but types. It is longer than most, because it has one type
for each object of the API."""

from __future__ import annotations

from typing import Literal, TypedDict


class Address(TypedDict, total=False):
    """Where the buyer lives, or where the goods go."""

    additionalInfo: str | None
    """Additional information for the delivery: floor, staircase, company."""
    city: str | None
    """The town."""
    country: str | None
    """The country: three or two letters of ISO 3166-1, in any letter case; stored as three."""
    name: str | None
    """The person or company that receives the bill or the goods."""
    postCode: str | None
    """The postal code, in the format of its country."""
    province: str | None
    """The code of the province or state."""
    street: str | None
    """Street and house number."""


class _CaptureRequestRequired(TypedDict):
    amount: str
    """How much of the held money is captured, in the minor unit: from 1 to what is open."""


class CaptureRequest(_CaptureRequestRequired, total=False):
    """Body of ``POST /operations/{operationId}/captures``."""

    currency: str | None
    """The currency of the operation, which is also the default."""
    description: str | None
    """The reason, for the merchant's own staff."""


class CardHolderAccount(TypedDict, total=False):
    """What the merchant knows about the buyer's account in the shop."""

    chAccAgeIndicator: Literal["01", "02", "03", "04", "05"] | None
    """How long there has been an account."""
    chAccChangeDate: str | None
    """The day on which the account was changed last: addresses, cards, users."""
    chAccChangeIndicator: Literal["01", "02", "03", "04"] | None
    """How long ago the account was changed."""
    chAccDate: str | None
    """The day on which the account was opened."""
    chAccPwChangeDate: str | None
    """The day on which the password was changed last."""
    chAccPwChangeIndicator: Literal["01", "02", "03", "04", "05"] | None
    """How long ago the password was changed."""
    destinationAddressUsageDate: str | None
    """The day on which the shipping address was first used."""
    destinationAddressUsageIndicator: Literal["01", "02", "03", "04"] | None
    """How long the shipping address has been in use."""
    destinationNameIndicator: Literal["01", "02"] | None
    """Whether the account's name is the name in the shipping address."""
    nbPurchaseAccount: int | None
    """The number of purchases of the account in the last six months."""
    paymentAccAgeDate: str | None
    """The day on which this card was added to the account."""
    paymentAccIndicator: Literal["01", "02", "03", "04", "05"] | None
    """How long this card has been in the account."""
    provisionAttemptsDay: int | None
    """How many times a card was added to the account in the last 24 hours."""
    suspiciousAccActivity: Literal["01", "02"] | None
    """Whether the merchant has seen fraud on the account."""
    txnActivityDay: int | None
    """The number of purchases that the account began in the last 24 hours, completed or not."""
    txnActivityYear: int | None
    """The number of purchases that the account began in the last year, completed or not."""


class _ConfirmationRequired(TypedDict):
    amount: str
    """The amount to charge, in the minor unit of the order's currency."""


class Confirmation(_ConfirmationRequired, total=False):
    """Body of ``POST /build/confirm_payment``."""

    confirm: bool | None
    """Whether the card is charged now (the default)."""
    sessionId: str | None
    """The session."""
    shownSum: str | None
    """The sum that the form showed when the buyer pressed Pay."""


class CustomerInfo(TypedDict, total=False):
    """The buyer."""

    billingAddress: Address | None
    """The billing address, as the issuer knows it."""
    cardHolderAcctInfo: CardHolderAccount | None
    """What the merchant knows about the buyer's account in the shop."""
    cardHolderEmail: str | None
    """The buyer's e-mail address."""
    cardHolderName: str | None
    """The name of the buyer."""
    homePhone: str | None
    """The home telephone number."""
    merchantRiskIndicator: MerchantRiskIndicator | None
    """What the merchant knows about this purchase."""
    mobilePhone: str | None
    """The mobile number without the country's calling code."""
    mobilePhoneCountryCode: str | None
    """The country's calling code of ``mobilePhone``, with or without ``+``."""
    shippingAddress: Address | None
    """The shipping address, if it differs."""
    taxCode: str | None
    """The buyer's tax number."""
    workPhone: str | None
    """The work telephone number."""


class DisputeQuery(TypedDict, total=False):
    """Query of ``GET /disputes``."""

    after: str
    """Only disputes behind this one: the ``disputeId`` of the last row of the page before."""
    limit: int
    """The largest number of disputes of an answer."""
    orderId: str
    """Only what belongs to the order with exactly this id."""
    state: Literal["NEEDS_RESPONSE", "UNDER_REVIEW", "WON", "LOST", "ACCEPTED", "EXPIRED"]
    """Only disputes in this state."""


DisputeResult = Literal["WON", "LOST", "CHARGEBACK", "PRE_ARBITRATION", "ARBITRATION"]
"""``WON``, ``LOST``: the bank decides for the merchant, or for the buyer."""


class EventQuery(TypedDict, total=False):
    """Query of ``GET /events``."""

    after: str
    """Only events behind this cursor: the ``nextCursor`` of the last answer, or the ``cursor`` of an event."""
    limit: int
    """The largest number of events of an answer."""


class EvidenceRequest(TypedDict, total=False):
    """Body of ``POST /disputes/{disputeId}/evidence``."""

    correspondence: str | None
    """What buyer and merchant wrote to each other."""
    delivery: str | None
    """When, how and where it was delivered, such as the carrier and the number of the parcel."""
    explanation: str | None
    """Why the payment is right."""
    goods: str | None
    """What was sold."""
    refundTerms: str | None
    """The terms of cancellation and refund that the buyer accepted, and how."""


class FormOptions(TypedDict, total=False):
    """Asks for the form in one frame, and says how it behaves."""

    attempts: int | None
    """How many refused payments end the session."""
    billingAddress: Literal["NONE", "POSTAL_CODE", "FULL"] | None
    cardSummary: Literal["NONE", "LAST4", "BIN_LAST4"] | None
    closing: Literal["SERVER", "FRAME"] | None
    consent: Literal["NONE", "OPTIONAL", "REQUIRED"] | None
    """Whether the form asks the buyer before it stores the card."""
    consentText: str | None
    """How the buyer can withdraw the consent, as plain text in the buyer's language."""
    expiresInSeconds: int | None
    """The number of seconds after which the session ends, also while it is in use."""
    installments: list[int] | None
    """The numbers of installments from which the buyer may choose: different whole numbers."""
    methods: Literal["ALL", "CARDS"] | None
    redirect: Literal["FRAME", "PAGE"] | None
    savedCards: Literal["NONE", "USE", "USE_AND_REMOVE"] | None


class _FulfilmentRequestRequired(TypedDict):
    state: Literal["NONE", "PARTIAL", "FULFILLED", "CANCELED", "RETURNED"]
    """The state of the order's goods."""


class FulfilmentRequest(_FulfilmentRequestRequired, total=False):
    """Body of ``PUT /orders/{orderId}/fulfilment``."""

    note: str | None
    """A note for the merchant's own staff, such as the number of a parcel."""


class GiftCardAmount(TypedDict):
    """The total value of the gift cards of this purchase."""

    currency: str
    """The currency of the gift cards: the ISO 4217 letters."""
    value: str
    """Their value, in the minor unit of the currency."""


class _HostedPageRequestRequired(TypedDict):
    order: OrderRequest
    """What is paid for, and by whom."""
    paymentSession: PaymentSession
    """The payment that is made now: how much, by which method, and where the browser goes afterwards."""


class HostedPageRequest(_HostedPageRequestRequired, total=False):
    """Body of ``POST /orders/hpp``."""

    form: LinkFormOptions | None
    """How the form of the page behaves."""


class _InstallmentRequired(TypedDict):
    amount: str
    """The amount that is paid on that day, in the minor unit of the order's currency."""
    date: str
    """The day on which the part is paid, in the terminal's time zone."""


class Installment(_InstallmentRequired, total=False):
    """A Installment, as in the OpenAPI document."""

    type: Literal["AUTOMATIC", "MANUAL"] | None


class InstallmentPlan(TypedDict):
    """An installment plan between merchant, acquirer and buyer."""

    installmentQty: int
    """The number of installments of the plan."""
    planType: Literal["ACQUIRER_AGREEMENT"]
    """The basis of the plan."""


class LinkFormOptions(TypedDict, total=False):
    """How the form of the page behaves."""

    billingAddress: Literal["NONE", "POSTAL_CODE", "FULL"] | None


class _LinkPaymentSessionRequired(TypedDict):
    amount: str
    """The amount that is paid now, in the minor unit of ``order.currency``: at most ``order.amount`` (``PS0007``)."""


class LinkPaymentSession(_LinkPaymentSessionRequired, total=False):
    """The payment that is made now: how much, by which method, and where the browser goes afterwards."""

    actionType: Literal["PAY", "VERIFY", "PREAUTH"] | None
    cancelUrl: str | None
    """Where the browser goes when the buyer cancels: by GET, to exactly this address."""
    captureType: Literal["IMPLICIT", "EXPLICIT"] | None
    exemptions: Literal[
        "NO_PREFERENCE", "CHALLENGE_REQUESTED", "DATA_SHARE_ONLY", "LOW_VALUE", "TRANSACTION_RISK_ANALYSIS",
        "TRUSTED_BENEFICIARY", "RECURRING_SAME_AMOUNT", "DELEGATED_AUTHENTICATION"
    ] | None
    """What the merchant asks of 3-D Secure: nothing (the default), a challenge, or an exemption from it."""
    language: str | None
    """The language of form, pages and messages: three letters, in any letter case."""
    notificationUrl: str | None
    """The address to which the gateway sends a notification of every operation of the order."""
    paymentService: Literal[
        "CARDS", "CARD", "GOOGLEPAY", "APPLEPAY", "BANCOMATPAY", "BANCONTACT", "GIROPAY", "IDEAL", "MYBANK",
        "PAYPAL", "PAYPAL_BNPL", "PAYPAL_PAGAIN3", "MULTIBANCO", "WECHAT", "ALIPAY", "PIS",
        "SATISPAY_DIRECT", "SATISPAY", "EPS", "ONEY", "SKRILL", "SKRILL1TAP", "HEYLIGHT", "BLIK", "KLARNA",
        "PAGODIL", "PAGOINCONTO", "PAYU", "PRZELEWY24", "AMAZONPAY", "IRIS", "PAYBYBANK", "BANCOMAT_PAY",
        "AMAZON_PAY", "PAY_BY_BANK", "WECHATPAY"
    ] | None
    """The only means of payment."""
    recurrence: Recurrence | None
    """Whether the card is stored for later, or a stored one is used or replaced."""
    resultUrl: str | None
    """Where the browser goes when the payment has its outcome: by GET, to exactly this address."""


class LinkQuery(TypedDict, total=False):
    """Query of ``GET /orders/paybylink``."""

    customField: str
    """Only rows whose order has exactly this text in ``order.customField``."""
    customerId: str
    """Only links whose order has exactly this ``order.customerId``."""
    fromTime: str
    """The beginning of the window, included; an ISO 8601 instant with its zone."""
    maxRecords: int
    """The largest number of rows of a page."""
    orderId: str
    """Only what belongs to the order with exactly this id."""
    status: Literal["ACTIVE", "PAID", "EXPIRED", "CANCELED", "FAILED"]
    """Only links in this state."""
    toTime: str
    """The end of the window, excluded; an ISO 8601 instant with its zone."""


class _LinkRequestRequired(TypedDict):
    order: OrderRequest
    """What is paid for, and by whom."""
    paymentSession: LinkPaymentSession
    """The payment that is made now: how much, by which method, and where the browser goes afterwards."""


class LinkRequest(_LinkRequestRequired, total=False):
    """Body of ``POST /v2/orders/paybylink``."""

    expirationDate: str | None
    expirationTime: str | None
    """The time of ``expirationDate`` at which the link ends, with its zone."""
    form: LinkFormOptions | None
    """How the form of the page behaves."""


class MerchantRiskIndicator(TypedDict, total=False):
    """What the merchant knows about this purchase."""

    deliveryEmail: str | None
    """The e-mail address that digital goods are sent to."""
    deliveryTimeframe: Literal["01", "02", "03", "04"] | None
    """When the goods arrive."""
    giftCardAmount: GiftCardAmount | None
    """The total value of the gift cards of this purchase."""
    giftCardCount: int | None
    """How many gift cards are bought."""
    preOrderDate: str | None
    """The day from which pre-ordered goods are available."""
    preOrderPurchaseIndicator: Literal["01", "02"] | None
    """Whether the goods are available."""
    reorderItemsIndicator: Literal["01", "02"] | None
    """Whether the buyer orders these goods again."""
    shipIndicator: Literal["01", "02", "03", "04", "05", "06", "07"] | None
    """Where the goods go."""


class OperationQuery(TypedDict, total=False):
    """Query of ``GET /operations``."""

    channel: Literal["ECOMMERCE", "POS", "BACKOFFICE"]
    """Only operations that were made this way: in a web shop, at a point of sale, or by hand in the back office."""
    customField: str
    """Only rows whose order has exactly this text in ``order.customField``."""
    fromTime: str
    """The beginning of the window, included; an ISO 8601 instant with its zone."""
    maxRecords: int
    """The largest number of rows of a page."""
    operationType: Literal[
        "AUTHORIZATION", "CAPTURE", "VOID", "REFUND", "CANCEL", "CARD_VERIFICATION", "NOSHOW",
        "INCREMENTAL", "DELAY_CHARGE"
    ]
    """Only operations of this type."""
    toTime: str
    """The end of the window, excluded; an ISO 8601 instant with its zone."""


class OrderQuery(TypedDict, total=False):
    """Query of ``GET /orders``."""

    amountType: Literal["ORDER_AMOUNT", "AUTHORIZED_AMOUNT", "CAPTURED_AMOUNT"]
    customField: str
    """Only rows whose order has exactly this text in ``order.customField``."""
    fromTime: str
    """The beginning of the window, included; an ISO 8601 instant with its zone."""
    maxAmount: str
    """The largest amount, included, in the minor unit."""
    maxRecords: int
    """The largest number of rows of a page."""
    minAmount: str
    """The smallest amount, included, in the minor unit."""
    orderId: str
    """Only what belongs to the order with exactly this id."""
    orderState: Literal["TO_CAPTURE", "CAPTURED"]
    """``TO_CAPTURE``: only orders with held money that can be captured."""
    toTime: str
    """The end of the window, excluded; an ISO 8601 instant with its zone."""


class _OrderRequestRequired(TypedDict):
    amount: str
    """The price of the order, in the minor unit of ``order.currency``."""
    currency: str
    """The currency of the order and of all its operations: the ISO 4217 letters, in any letter case."""
    orderId: str
    """The merchant's id of the order."""


class OrderRequest(_OrderRequestRequired, total=False):
    """What is paid for, and by whom."""

    customField: str | None
    """A text of the merchant's own, such as a shop or a till."""
    customerId: str | None
    """The merchant's id of the buyer."""
    customerInfo: CustomerInfo | None
    """The buyer."""
    description: str | None
    """What is bought, as a text for the buyer."""
    installmentQty: int | None
    """The number of installments in which the order is paid."""
    installments: list[Installment] | None
    """The dates and amounts at which the order is paid."""
    invoiceId: str | None
    """The merchant's number of the invoice."""
    plan: InstallmentPlan | None
    """An installment plan between merchant, acquirer and buyer."""
    termsAndConditionsIds: list[str] | None
    """Texts that the buyer has to accept before paying, by the ids of ``POST /terms_and_conditions``."""
    transactionSummary: list[TransactionSummary] | None
    """What the buyer sees of the order on hosted pages and links, once for each language."""


class _PaymentSessionRequired(TypedDict):
    amount: str
    """The amount that is paid now, in the minor unit of ``order.currency``: at most ``order.amount`` (``PS0007``)."""
    cancelUrl: str
    """Where the browser goes when the buyer cancels: by GET, to exactly this address."""
    resultUrl: str
    """Where the browser goes when the payment has its outcome: by GET, to exactly this address."""


class PaymentSession(_PaymentSessionRequired, total=False):
    """The payment that is made now: how much, by which method, and where the browser goes afterwards."""

    actionType: Literal["PAY", "VERIFY", "PREAUTH"] | None
    captureType: Literal["IMPLICIT", "EXPLICIT"] | None
    exemptions: Literal[
        "NO_PREFERENCE", "CHALLENGE_REQUESTED", "DATA_SHARE_ONLY", "LOW_VALUE", "TRANSACTION_RISK_ANALYSIS",
        "TRUSTED_BENEFICIARY", "RECURRING_SAME_AMOUNT", "DELEGATED_AUTHENTICATION"
    ] | None
    """What the merchant asks of 3-D Secure: nothing (the default), a challenge, or an exemption from it."""
    language: str | None
    """The language of form, pages and messages: three letters, in any letter case."""
    notificationUrl: str | None
    """The address to which the gateway sends a notification of every operation of the order."""
    paymentService: Literal[
        "CARDS", "CARD", "GOOGLEPAY", "APPLEPAY", "BANCOMATPAY", "BANCONTACT", "GIROPAY", "IDEAL", "MYBANK",
        "PAYPAL", "PAYPAL_BNPL", "PAYPAL_PAGAIN3", "MULTIBANCO", "WECHAT", "ALIPAY", "PIS",
        "SATISPAY_DIRECT", "SATISPAY", "EPS", "ONEY", "SKRILL", "SKRILL1TAP", "HEYLIGHT", "BLIK", "KLARNA",
        "PAGODIL", "PAGOINCONTO", "PAYU", "PRZELEWY24", "AMAZONPAY", "IRIS", "PAYBYBANK", "BANCOMAT_PAY",
        "AMAZON_PAY", "PAY_BY_BANK", "WECHATPAY"
    ] | None
    """The only means of payment."""
    recurrence: Recurrence | None
    """Whether the card is stored for later, or a stored one is used or replaced."""


class _RecurrenceRequired(TypedDict):
    action: Literal["NO_RECURRING", "CONTRACT_CREATION", "SUBSEQUENT_PAYMENT", "CARD_SUBSTITUTION"]
    """``NO_RECURRING`` stores and uses nothing."""


class Recurrence(_RecurrenceRequired, total=False):
    """Whether the card is stored for later, or a stored one is used or replaced."""

    contractExpiryDate: str | None
    """The last day on which the merchant may charge, in the terminal's time zone; not in the past."""
    contractFrequency: str | None
    """The smallest number of days between two charges."""
    contractId: str | None
    """The merchant's id of the contract under which the card is stored."""
    contractType: Literal["MIT_UNSCHEDULED", "MIT_SCHEDULED", "CIT"] | None


class _RefundRequestRequired(TypedDict):
    amount: str
    """The amount to refund, in the minor unit."""


class RefundRequest(_RefundRequestRequired, total=False):
    """Body of ``POST /operations/{operationId}/refunds``."""

    currency: str | None
    """The currency of the operation, which is also the default."""
    description: str | None
    """The reason, for the merchant's own staff."""


class SandboxDisputeDecision(TypedDict):
    """Body of ``POST /test/disputes/{disputeId}/result``."""

    result: DisputeResult
    """``WON``, ``LOST``: the bank decides for the merchant, or for the buyer."""


class _SandboxDisputeRequestRequired(TypedDict):
    operationId: str
    """The operation whose captured money is disputed."""


class SandboxDisputeRequest(_SandboxDisputeRequestRequired, total=False):
    """Body of ``POST /test/disputes``."""

    amount: str | None
    """The disputed money, in the minor unit."""
    category: Literal[
        "FRAUD", "NOT_RECEIVED", "NOT_AS_DESCRIBED", "DUPLICATE", "CANCELED_RECURRING", "PROCESSING_ERROR",
        "GENERAL"
    ] | None
    """Why the buyer disputes."""
    kind: Literal["INQUIRY", "CHARGEBACK", "PRE_ARBITRATION", "ARBITRATION"] | None
    """How far it has come."""
    reasonCode: str | None
    """The network's code of the reason: letters, digits, dots and hyphens."""
    secondsToRespond: int | None
    """The time for an answer, in seconds."""


class _SessionChangeRequired(TypedDict):
    sessionId: str
    """The session."""


class SessionChange(_SessionChangeRequired, total=False):
    """Body of ``PATCH /build/session``."""

    amount: str | None
    """The new amount of the session, in the minor unit of its currency."""
    currency: str | None
    """The currency of the session and of its order: the ISO 4217 letters, in any letter case."""
    description: str | None
    """What is bought, as a text for the buyer."""
    orderAmount: str | None
    """The new amount of the order."""


class _SessionRequestRequired(TypedDict):
    merchantUrl: str
    """The address of the page that shows the form."""
    order: OrderRequest
    """What is paid for, and by whom."""
    paymentSession: PaymentSession
    """The payment that is made now: how much, by which method, and where the browser goes afterwards."""


class SessionRequest(_SessionRequestRequired, total=False):
    """Body of ``POST /orders/build``."""

    ancestorOrigins: list[str] | None
    form: FormOptions | None
    """Asks for the form in one frame, and says how it behaves."""
    version: Literal["2", "3"] | None
    """The version of the protocol between page, server and gateway."""


class SettlementLineQuery(TypedDict, total=False):
    """Query of ``GET /settlements/{settlementId}``."""

    after: str
    """Only lines behind this cursor: the ``nextCursor`` of the last answer."""
    limit: int
    """The largest number of lines of an answer."""


class SettlementQuery(TypedDict, total=False):
    """Query of ``GET /settlements``."""

    after: str
    """Only settlements behind this cursor: the ``nextCursor`` of the last answer."""
    limit: int
    """The largest number of settlements of an answer."""


class SummaryLine(TypedDict):
    """A SummaryLine, as in the OpenAPI document."""

    label: str
    """The label of the row, at the start of the line."""
    value: str
    """The value of the row."""


class _TransactionSummaryRequired(TypedDict):
    language: str
    """The language of this entry's rows: three letters, in any letter case."""


class TransactionSummary(_TransactionSummaryRequired, total=False):
    """A TransactionSummary, as in the OpenAPI document."""

    summaryList: list[SummaryLine] | None
    """The rows, in the order in which they are shown."""
