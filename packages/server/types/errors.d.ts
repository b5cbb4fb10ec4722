/**
 * The one error class of this package. `kind` says whose fault it is, `code` what happened. Codes are stable; compare them,
 * never the sentences. An error holds no API key, no session, no body and no signature, so it can be logged as it is.
 */
export type ErrorKind = 'caller' | 'buyer' | 'issuer' | 'network' | 'gateway' | 'operator' | 'notification';
export type ErrorDetails = {
    kind: ErrorKind;
    code: string;
    status?: number;
    member?: string | undefined;
    requestId?: string | undefined;
    correlationId?: string | undefined;
    idempotencyKey?: string | undefined;
    isRetryable?: boolean;
    outcomeUnknown?: boolean;
};
/**
 * Whose fault it is:
 *
 * - `caller`: the call or an option is wrong; change the program.
 * - `buyer`: the buyer can do something about it, such as starting the payment again.
 * - `issuer`: the issuer, the network or the payment method said no.
 * - `network`: no answer of the gateway arrived.
 * - `gateway`: the gateway failed.
 * - `operator`: the gateway is not set up for this call; tell its operator.
 * - `notification`: a notification could not be verified.
 *
 * @typedef {'caller' | 'buyer' | 'issuer' | 'network' | 'gateway' | 'operator' | 'notification'} ErrorKind
 */
/**
 * @typedef {object} ErrorDetails
 * @property {ErrorKind} kind
 * @property {string} code
 * @property {number} [status]
 * @property {string | undefined} [member]
 * @property {string | undefined} [requestId]
 * @property {string | undefined} [correlationId]
 * @property {string | undefined} [idempotencyKey]
 * @property {boolean} [isRetryable]
 * @property {boolean} [outcomeUnknown]
 */
/** Something that this package could not do. */
export declare class PayframeError extends Error {
    /** Whose fault it is. @readonly @type {ErrorKind} */
    readonly kind: ErrorKind;
    /** What happened: a code of the gateway, such as `PS0026`, or one of this package, such as `timeout`. @readonly @type {string} */
    readonly code: string;
    /** The HTTP status of the answer; absent if there was none. @readonly @type {number | undefined} */
    readonly status: number | undefined;
    /** The member of the request, or the option, that is wrong; absent if none is named. @readonly @type {string | undefined} */
    readonly member: string | undefined;
    /** The gateway's own id of the call (header `cid`): tell it to the operator. @readonly @type {string | undefined} */
    readonly requestId: string | undefined;
    /** The id of the call in the logs of both sides. @readonly @type {string | undefined} */
    readonly correlationId: string | undefined;
    /** The key to repeat the call with. Present if the call carried one. @readonly @type {string | undefined} */
    readonly idempotencyKey: string | undefined;
    /** Whether the same call, with the same idempotency key, can succeed later. @readonly @type {boolean} */
    readonly isRetryable: boolean;
    /**
     * Whether the gateway may have carried out a call that writes although it seems to have failed. Repeat the call with
     * `idempotencyKey`, or read the order, before anything else. @readonly @type {boolean}
     */
    readonly outcomeUnknown: boolean;
    /** @param {string} message @param {ErrorDetails} details */
    constructor(message: string, details: ErrorDetails);
    /** @override */
    get name(): string;
    /** For logs. */
    toJSON(): {
        name: string;
        message: string;
        kind: ErrorKind;
        code: string;
        status: number | undefined;
        member: string | undefined;
        requestId: string | undefined;
        correlationId: string | undefined;
        idempotencyKey: string | undefined;
        isRetryable: boolean;
        outcomeUnknown: boolean;
    };
}
/** An option or a value that this package does not accept. @param {string} member @param {string} accepted a sentence part: "must be …" */
export declare const refusedValue: (member: string, accepted: string) => PayframeError;
/** Whose fault a code of the gateway is. @param {string} code @param {number} status @returns {ErrorKind} */
export declare const kindOf: (code: string, status: number) => ErrorKind;
