// @ts-check
/**
 * The types of requests and answers, by the names that this package gives them. They come from the gateway's OpenAPI document.
 *
 * @import { components, operations } from '../types/api.js'
 */

/** @typedef {components['schemas']} Schemas */
/** @template {keyof operations} Name @typedef {operations[Name] extends { requestBody: { content: { 'application/json': infer Body } } } ? Body : never} BodyOf */
/** @template {keyof operations} Name @typedef {NonNullable<operations[Name]['parameters']['query']>} QueryOf */

/** @typedef {BodyOf<'openPayment'>} SessionRequest */
/** @typedef {BodyOf<'changeSession'>} SessionChange */
/** @typedef {BodyOf<'confirmPayment'>} Confirmation */
/** @typedef {BodyOf<'capture'>} CaptureRequest */
/** @typedef {BodyOf<'refund'>} RefundRequest */
/** @typedef {BodyOf<'tellFulfilment'>} FulfilmentRequest */
/** @typedef {BodyOf<'createPaymentLink'>} LinkRequest */
/** @typedef {BodyOf<'openHostedPage'>} HostedPageRequest */
/** @typedef {BodyOf<'submitEvidence'>} EvidenceRequest */
/** @typedef {BodyOf<'openTestDispute'>} SandboxDisputeRequest */
/** @typedef {BodyOf<'decideTestDispute'>['result']} DisputeResult */
/** @typedef {QueryOf<'listOrders'>} OrderQuery */
/** @typedef {QueryOf<'listOperations'>} OperationQuery */
/** @typedef {QueryOf<'listPaymentLinks'>} LinkQuery */
/** @typedef {QueryOf<'listEvents'>} EventQuery */
/** @typedef {QueryOf<'listDisputes'>} DisputeQuery */
/** @typedef {QueryOf<'listSettlements'>} SettlementQuery */
/** @typedef {QueryOf<'readSettlement'>} SettlementLineQuery */

/** @typedef {Schemas['BuildAnswer']} Session */
/** @typedef {Schemas['MerchantStateObject']} SessionState */
/** @typedef {Schemas['ChangedSession']} ChangedSession */
/** @typedef {Schemas['CardData']} CardData */
/** @typedef {Schemas['OrderAnswer']} Order */
/** @typedef {Schemas['OrderStatus']} OrderStatus */
/** @typedef {Schemas['Operation']} Operation */
/** @typedef {Schemas['AllowedAction']} AllowedAction */
/** @typedef {Schemas['Taken']} Taken */
/** @typedef {Schemas['PaymentLink']} PaymentLink */
/** @typedef {Schemas['PaymentLinkAnswer']} CreatedLink */
/** @typedef {Schemas['PaymentLinkDetails']} LinkDetails */
/** @typedef {Schemas['HostedPageAnswer']} HostedPage */
/** @typedef {Omit<Schemas['Notification'], 'eventType'> & { eventType: 'PAYMENT' | 'PAY_BY_LINK' | 'OPERATION' }} Notification */
/** @typedef {Schemas['TerminalAttack']} TerminalAttack */
/** @typedef {Schemas['RefundApproval']} RefundApproval */
/** @typedef {Schemas['Dispute']} Dispute */
/** @typedef {Schemas['PageChange']} PageChange */
/** @typedef {Schemas['DisputeFile']} DisputeFile */
/** @typedef {Schemas['DisputeList']} DisputePage */
/** @typedef {Omit<Schemas['Notice'], 'eventType' | 'attack' | 'refundApproval' | 'dispute' | 'pageChange'> & { operation?: undefined }} NoOperation */
/** @typedef {NoOperation & { eventType: 'TERMINAL_ATTACK', attack: TerminalAttack }} AttackNotice */
/** @typedef {NoOperation & { eventType: 'REFUND_APPROVAL', refundApproval: RefundApproval }} RefundNotice */
/** @typedef {NoOperation & { eventType: 'DISPUTE', dispute: Dispute }} DisputeNotice */
/** @typedef {NoOperation & { eventType: 'PAGE_CHANGE', pageChange: PageChange }} PageNotice */
/** @typedef {AttackNotice | RefundNotice | DisputeNotice | PageNotice} Notice */
/** @typedef {Schemas['Fulfilment']} Fulfilment */
/** @typedef {Omit<Schemas['Event'], 'eventType' | 'notification' | 'fulfilment' | 'attack' | 'refundApproval' | 'dispute' | 'pageChange'>} PlaceInFeed */
/** @typedef {PlaceInFeed & { eventType: Notification['eventType'], notification: Notification, fulfilment?: undefined }} MoneyEvent */
/** @typedef {PlaceInFeed & { eventType: 'ORDER_FULFILMENT', fulfilment: Fulfilment, notification?: undefined }} FulfilmentEvent */
/** @typedef {PlaceInFeed & { eventType: 'TERMINAL_ATTACK', attack: TerminalAttack, notification?: undefined }} AttackEvent */
/** @typedef {PlaceInFeed & { eventType: 'REFUND_APPROVAL', refundApproval: RefundApproval, notification?: undefined }} RefundEvent */
/** @typedef {PlaceInFeed & { eventType: 'DISPUTE', dispute: Dispute, notification?: undefined }} DisputeEvent */
/** @typedef {PlaceInFeed & { eventType: 'PAGE_CHANGE', pageChange: PageChange, notification?: undefined }} PageEvent */
/** @typedef {MoneyEvent | FulfilmentEvent | AttackEvent | RefundEvent | DisputeEvent | PageEvent} FeedEvent */
/** @typedef {Omit<Schemas['EventList'], 'events'> & { events: FeedEvent[] }} EventPage */
/** @typedef {Schemas['MoneyStatus']} MoneyStatus */
/** @typedef {Schemas['TestClock']} ClockReading */
/** @typedef {Schemas['Settlement']} Settlement */
/** @typedef {Schemas['SettlementAnswer']} SettlementDetails */
/** @typedef {Schemas['SettlementLine']} SettlementLine */
/** @typedef {Schemas['SettlementList']} SettlementPage */

export {};
