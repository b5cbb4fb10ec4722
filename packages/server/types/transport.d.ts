/** One call to the gateway: headers, attempts, retries, and the error that it ends with. */
import type { Settings } from './options.js';
import type { Attempt } from './retry.js';
export type CallOptions = {
    /**
     * 1 to 63 printable ASCII characters. With the same key the same call is carried out once, and its
     * answer is given again. Without it every call has a new one. Reads have none.
     */
    idempotencyKey?: string | undefined;
    /**
     * `orderVersion` of `orders.read()`, for a call that moves the money of the order: if the order has changed since,
     * nothing is done, and the error has the code `GW9012`.
     */
    orderVersion?: string | undefined;
    /**
     * ends the wait for an answer. The gateway may have carried out the call.
     */
    signal?: AbortSignal | undefined;
};
export type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type QueryValue = string | number | boolean | null | undefined;
export type Sent = {
    body?: object | undefined;
    query?: Record<string, QueryValue> | undefined;
};
export type Request = {
    verb: Verb;
    url: string;
    headers: Record<string, string>;
    body: string | null;
    signal: AbortSignal | undefined;
};
export type Failure = 'timeout' | 'unreachable' | 'aborted';
export type Read = {
    failure?: Failure;
    isUnsent?: boolean;
    answer?: unknown;
    isReadable?: boolean;
    description?: string | undefined;
};
export type Ended = Attempt & Read;
/** @import { Settings } from './options.js' */
/** @import { Attempt } from './retry.js' */
/**
 * Options of one call.
 *
 * @typedef {object} CallOptions
 * @property {string | undefined} [idempotencyKey] 1 to 63 printable ASCII characters. With the same key the same call is carried out once, and its
 *   answer is given again. Without it every call has a new one. Reads have none.
 * @property {string | undefined} [orderVersion] `orderVersion` of `orders.read()`, for a call that moves the money of the order: if the order has changed since,
 *   nothing is done, and the error has the code `GW9012`.
 * @property {AbortSignal | undefined} [signal] ends the wait for an answer. The gateway may have carried out the call.
 */
/** @typedef {'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} Verb */
/** @typedef {string | number | boolean | null | undefined} QueryValue */
/** @typedef {{ body?: object | undefined, query?: Record<string, QueryValue> | undefined }} Sent */
/** @typedef {{ verb: Verb, url: string, headers: Record<string, string>, body: string | null, signal: AbortSignal | undefined }} Request */
/** @typedef {'timeout' | 'unreachable' | 'aborted'} Failure */
/** @typedef {{ failure?: Failure, isUnsent?: boolean, answer?: unknown, isReadable?: boolean, description?: string | undefined }} Read */
/** @typedef {Attempt & Read} Ended */
export declare class Transport {
    #private;
    /** @param {Settings} settings */
    constructor(settings: Settings);
    /**
     * @param {Verb} verb
     * @param {string} path below `/api`, with its ids encoded
     * @param {Sent} [sent]
     * @param {CallOptions} [options]
     * @returns {Promise<any>} the answer
     */
    call(verb: Verb, path: string, sent?: Sent, options?: CallOptions): Promise<any>;
}
