/**
 * Payframe for a merchant's server: payments, orders, refunds, links, and notifications that are verified. Not for browsers: the
 * API key never leaves the server.
 */
export { Payframe } from './client.js';
export { PayframeError } from './errors.js';
export { money } from './money.js';
export { verifyNotification } from './notifications.js';
export type ErrorKind = import('./errors.js').ErrorKind;
export type Money = import('./money.js').Money;
export type NotificationFault = import('./notifications.js').NotificationFault;
export type Received = import('./notifications.js').Received;
export type Options = import('./options.js').Options;
export type Runtime = import('./options.js').Runtime;
export type CallOptions = import('./transport.js').CallOptions;
export type QueryValue = import('./transport.js').QueryValue;
export type Verb = import('./transport.js').Verb;
export type AllowedAction = import('./types.js').AllowedAction;
export type CaptureRequest = import('./types.js').CaptureRequest;
export type CardData = import('./types.js').CardData;
export type ChangedSession = import('./types.js').ChangedSession;
export type Confirmation = import('./types.js').Confirmation;
export type CreatedLink = import('./types.js').CreatedLink;
export type EventPage = import('./types.js').EventPage;
export type EventQuery = import('./types.js').EventQuery;
export type FeedEvent = import('./types.js').FeedEvent;
export type Fulfilment = import('./types.js').Fulfilment;
export type FulfilmentRequest = import('./types.js').FulfilmentRequest;
export type HostedPage = import('./types.js').HostedPage;
export type HostedPageRequest = import('./types.js').HostedPageRequest;
export type LinkDetails = import('./types.js').LinkDetails;
export type LinkQuery = import('./types.js').LinkQuery;
export type LinkRequest = import('./types.js').LinkRequest;
export type MoneyStatus = import('./types.js').MoneyStatus;
export type Notification = import('./types.js').Notification;
export type Operation = import('./types.js').Operation;
export type OperationQuery = import('./types.js').OperationQuery;
export type Order = import('./types.js').Order;
export type OrderQuery = import('./types.js').OrderQuery;
export type OrderStatus = import('./types.js').OrderStatus;
export type PaymentLink = import('./types.js').PaymentLink;
export type RefundRequest = import('./types.js').RefundRequest;
export type Session = import('./types.js').Session;
export type SessionChange = import('./types.js').SessionChange;
export type SessionRequest = import('./types.js').SessionRequest;
export type SessionState = import('./types.js').SessionState;
export type Taken = import('./types.js').Taken;
/** @typedef {import('./errors.js').ErrorKind} ErrorKind */
/** @typedef {import('./money.js').Money} Money */
/** @typedef {import('./notifications.js').NotificationFault} NotificationFault */
/** @typedef {import('./notifications.js').Received} Received */
/** @typedef {import('./options.js').Options} Options */
/** @typedef {import('./options.js').Runtime} Runtime */
/** @typedef {import('./transport.js').CallOptions} CallOptions */
/** @typedef {import('./transport.js').QueryValue} QueryValue */
/** @typedef {import('./transport.js').Verb} Verb */
/** @typedef {import('./types.js').AllowedAction} AllowedAction */
/** @typedef {import('./types.js').CaptureRequest} CaptureRequest */
/** @typedef {import('./types.js').CardData} CardData */
/** @typedef {import('./types.js').ChangedSession} ChangedSession */
/** @typedef {import('./types.js').Confirmation} Confirmation */
/** @typedef {import('./types.js').CreatedLink} CreatedLink */
/** @typedef {import('./types.js').EventPage} EventPage */
/** @typedef {import('./types.js').EventQuery} EventQuery */
/** @typedef {import('./types.js').FeedEvent} FeedEvent */
/** @typedef {import('./types.js').Fulfilment} Fulfilment */
/** @typedef {import('./types.js').FulfilmentRequest} FulfilmentRequest */
/** @typedef {import('./types.js').HostedPage} HostedPage */
/** @typedef {import('./types.js').HostedPageRequest} HostedPageRequest */
/** @typedef {import('./types.js').LinkDetails} LinkDetails */
/** @typedef {import('./types.js').LinkQuery} LinkQuery */
/** @typedef {import('./types.js').LinkRequest} LinkRequest */
/** @typedef {import('./types.js').MoneyStatus} MoneyStatus */
/** @typedef {import('./types.js').Notification} Notification */
/** @typedef {import('./types.js').Operation} Operation */
/** @typedef {import('./types.js').OperationQuery} OperationQuery */
/** @typedef {import('./types.js').Order} Order */
/** @typedef {import('./types.js').OrderQuery} OrderQuery */
/** @typedef {import('./types.js').OrderStatus} OrderStatus */
/** @typedef {import('./types.js').PaymentLink} PaymentLink */
/** @typedef {import('./types.js').RefundRequest} RefundRequest */
/** @typedef {import('./types.js').Session} Session */
/** @typedef {import('./types.js').SessionChange} SessionChange */
/** @typedef {import('./types.js').SessionRequest} SessionRequest */
/** @typedef {import('./types.js').SessionState} SessionState */
/** @typedef {import('./types.js').Taken} Taken */
