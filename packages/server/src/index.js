// @ts-check
/**
 * Payframe for a merchant's server: payments, orders, refunds, links, and notifications that are verified. Not for browsers: the
 * API key never leaves the server.
 */

export { Payframe } from './client.js';
export { PayframeError } from './errors.js';
export { money } from './money.js';
export { verifyNotification } from './notifications.js';

/** @typedef {import('./disputes.js').DisputeFileContent} DisputeFileContent */
/** @typedef {import('./disputes.js').EvidenceFile} EvidenceFile */
/** @typedef {import('./errors.js').ErrorKind} ErrorKind */
/** @typedef {import('./money.js').Money} Money */
/** @typedef {import('./notifications.js').NotificationFault} NotificationFault */
/** @typedef {import('./notifications.js').Received} Received */
/** @typedef {import('./options.js').Options} Options */
/** @typedef {import('./options.js').Runtime} Runtime */
/** @typedef {import('./sandbox-clock.js').TimeSpan} TimeSpan */
/** @typedef {import('./transport.js').CallOptions} CallOptions */
/** @typedef {import('./transport.js').QueryValue} QueryValue */
/** @typedef {import('./transport.js').Verb} Verb */
/** @typedef {import('./types.js').AllowedAction} AllowedAction */
/** @typedef {import('./types.js').AttackNotice} AttackNotice */
/** @typedef {import('./types.js').CaptureRequest} CaptureRequest */
/** @typedef {import('./types.js').CardData} CardData */
/** @typedef {import('./types.js').ChangedSession} ChangedSession */
/** @typedef {import('./types.js').ClockReading} ClockReading */
/** @typedef {import('./types.js').Confirmation} Confirmation */
/** @typedef {import('./types.js').CreatedLink} CreatedLink */
/** @typedef {import('./types.js').Dispute} Dispute */
/** @typedef {import('./types.js').DisputeFile} DisputeFile */
/** @typedef {import('./types.js').DisputeNotice} DisputeNotice */
/** @typedef {import('./types.js').DisputePage} DisputePage */
/** @typedef {import('./types.js').DisputeQuery} DisputeQuery */
/** @typedef {import('./types.js').DisputeResult} DisputeResult */
/** @typedef {import('./types.js').EventPage} EventPage */
/** @typedef {import('./types.js').EventQuery} EventQuery */
/** @typedef {import('./types.js').EvidenceRequest} EvidenceRequest */
/** @typedef {import('./types.js').FeedEvent} FeedEvent */
/** @typedef {import('./types.js').Fulfilment} Fulfilment */
/** @typedef {import('./types.js').FulfilmentRequest} FulfilmentRequest */
/** @typedef {import('./types.js').HostedPage} HostedPage */
/** @typedef {import('./types.js').HostedPageRequest} HostedPageRequest */
/** @typedef {import('./types.js').LinkDetails} LinkDetails */
/** @typedef {import('./types.js').LinkQuery} LinkQuery */
/** @typedef {import('./types.js').LinkRequest} LinkRequest */
/** @typedef {import('./types.js').MoneyStatus} MoneyStatus */
/** @typedef {import('./types.js').Notice} Notice */
/** @typedef {import('./types.js').Notification} Notification */
/** @typedef {import('./types.js').Operation} Operation */
/** @typedef {import('./types.js').OperationQuery} OperationQuery */
/** @typedef {import('./types.js').Order} Order */
/** @typedef {import('./types.js').OrderQuery} OrderQuery */
/** @typedef {import('./types.js').OrderStatus} OrderStatus */
/** @typedef {import('./types.js').PageChange} PageChange */
/** @typedef {import('./types.js').PageNotice} PageNotice */
/** @typedef {import('./types.js').PaymentLink} PaymentLink */
/** @typedef {import('./types.js').RefundApproval} RefundApproval */
/** @typedef {import('./types.js').RefundNotice} RefundNotice */
/** @typedef {import('./types.js').RefundRequest} RefundRequest */
/** @typedef {import('./types.js').SandboxDisputeRequest} SandboxDisputeRequest */
/** @typedef {import('./types.js').Session} Session */
/** @typedef {import('./types.js').SessionChange} SessionChange */
/** @typedef {import('./types.js').SessionRequest} SessionRequest */
/** @typedef {import('./types.js').SessionState} SessionState */
/** @typedef {import('./types.js').Settlement} Settlement */
/** @typedef {import('./types.js').SettlementDetails} SettlementDetails */
/** @typedef {import('./types.js').SettlementLine} SettlementLine */
/** @typedef {import('./types.js').SettlementLineQuery} SettlementLineQuery */
/** @typedef {import('./types.js').SettlementPage} SettlementPage */
/** @typedef {import('./types.js').SettlementQuery} SettlementQuery */
/** @typedef {import('./types.js').Taken} Taken */
/** @typedef {import('./types.js').TerminalAttack} TerminalAttack */
