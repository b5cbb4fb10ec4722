/**
 * The types of requests and answers, by the names that this package gives them. They come from the gateway's OpenAPI document.
 *
 * @import { components, operations } from '../types/api.js'
 */
import type { components, operations } from '../types/api.js';
export type Schemas = components['schemas'];
export type BodyOf<Name extends keyof operations> = operations[Name] extends {
    requestBody: {
        content: {
            'application/json': infer Body;
        };
    };
} ? Body : never;
export type QueryOf<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>;
export type SessionRequest = BodyOf<'openPayment'>;
export type SessionChange = BodyOf<'changeSession'>;
export type Confirmation = BodyOf<'confirmPayment'>;
export type CaptureRequest = BodyOf<'capture'>;
export type RefundRequest = BodyOf<'refund'>;
export type FulfilmentRequest = BodyOf<'tellFulfilment'>;
export type LinkRequest = BodyOf<'createPaymentLink'>;
export type HostedPageRequest = BodyOf<'openHostedPage'>;
export type EvidenceRequest = BodyOf<'submitEvidence'>;
export type SandboxDisputeRequest = BodyOf<'openTestDispute'>;
export type DisputeResult = BodyOf<'decideTestDispute'>['result'];
export type OrderQuery = QueryOf<'listOrders'>;
export type OperationQuery = QueryOf<'listOperations'>;
export type LinkQuery = QueryOf<'listPaymentLinks'>;
export type EventQuery = QueryOf<'listEvents'>;
export type DisputeQuery = QueryOf<'listDisputes'>;
export type SettlementQuery = QueryOf<'listSettlements'>;
export type SettlementLineQuery = QueryOf<'readSettlement'>;
export type Session = Schemas['BuildAnswer'];
export type SessionState = Schemas['MerchantStateObject'];
export type ChangedSession = Schemas['ChangedSession'];
export type CardData = Schemas['CardData'];
export type Order = Schemas['OrderAnswer'];
export type OrderStatus = Schemas['OrderStatus'];
export type Operation = Schemas['Operation'];
export type AllowedAction = Schemas['AllowedAction'];
export type Taken = Schemas['Taken'];
export type PaymentLink = Schemas['PaymentLink'];
export type CreatedLink = Schemas['PaymentLinkAnswer'];
export type LinkDetails = Schemas['PaymentLinkDetails'];
export type HostedPage = Schemas['HostedPageAnswer'];
export type Notification = Omit<Schemas['Notification'], 'eventType'> & {
    eventType: 'PAYMENT' | 'PAY_BY_LINK' | 'OPERATION';
};
export type TerminalAttack = Schemas['TerminalAttack'];
export type RefundApproval = Schemas['RefundApproval'];
export type Dispute = Schemas['Dispute'];
export type PageChange = Schemas['PageChange'];
export type DisputeFile = Schemas['DisputeFile'];
export type DisputePage = Schemas['DisputeList'];
export type NoOperation = Omit<Schemas['Notice'], 'eventType' | 'attack' | 'refundApproval' | 'dispute' | 'pageChange'> & {
    operation?: undefined;
};
export type AttackNotice = NoOperation & {
    eventType: 'TERMINAL_ATTACK';
    attack: TerminalAttack;
};
export type RefundNotice = NoOperation & {
    eventType: 'REFUND_APPROVAL';
    refundApproval: RefundApproval;
};
export type DisputeNotice = NoOperation & {
    eventType: 'DISPUTE';
    dispute: Dispute;
};
export type PageNotice = NoOperation & {
    eventType: 'PAGE_CHANGE';
    pageChange: PageChange;
};
export type Notice = AttackNotice | RefundNotice | DisputeNotice | PageNotice;
export type Fulfilment = Schemas['Fulfilment'];
export type PlaceInFeed = Omit<Schemas['Event'], 'eventType' | 'notification' | 'fulfilment' | 'attack' | 'refundApproval' | 'dispute' | 'pageChange'>;
export type MoneyEvent = PlaceInFeed & {
    eventType: Notification['eventType'];
    notification: Notification;
    fulfilment?: undefined;
};
export type FulfilmentEvent = PlaceInFeed & {
    eventType: 'ORDER_FULFILMENT';
    fulfilment: Fulfilment;
    notification?: undefined;
};
export type AttackEvent = PlaceInFeed & {
    eventType: 'TERMINAL_ATTACK';
    attack: TerminalAttack;
    notification?: undefined;
};
export type RefundEvent = PlaceInFeed & {
    eventType: 'REFUND_APPROVAL';
    refundApproval: RefundApproval;
    notification?: undefined;
};
export type DisputeEvent = PlaceInFeed & {
    eventType: 'DISPUTE';
    dispute: Dispute;
    notification?: undefined;
};
export type PageEvent = PlaceInFeed & {
    eventType: 'PAGE_CHANGE';
    pageChange: PageChange;
    notification?: undefined;
};
export type FeedEvent = MoneyEvent | FulfilmentEvent | AttackEvent | RefundEvent | DisputeEvent | PageEvent;
export type EventPage = Omit<Schemas['EventList'], 'events'> & {
    events: FeedEvent[];
};
export type MoneyStatus = Schemas['MoneyStatus'];
export type ClockReading = Schemas['TestClock'];
export type Settlement = Schemas['Settlement'];
export type SettlementDetails = Schemas['SettlementAnswer'];
export type SettlementLine = Schemas['SettlementLine'];
export type SettlementPage = Schemas['SettlementList'];
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
