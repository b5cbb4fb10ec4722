/**
 * Notifications of the gateway, verified by the headers of Standard Webhooks 1.0.0. A notification that is verified comes from
 * the gateway, and is not older than the tolerance. It may come more than once: heed each `eventId` once. It does not
 * replace `orders.read()`.
 */
import type { Notice, Notification } from './types.js';
export type NotificationFault = 'header_missing' | 'timestamp_malformed' | 'timestamp_too_old' | 'timestamp_too_new' | 'signature_malformed' | 'signature_mismatch' | 'body_malformed';
export type Received = {
    /**
     * in any letter case
     */
    headers: Headers | Record<string, string | string[] | undefined>;
    /**
     * as it arrived, before any JSON parser
     */
    body: string | Uint8Array;
    /**
     * as the gateway printed them, `whsec_…`: the present one, and while it changes also the next
     */
    secrets: string | readonly string[];
    /**
     * how far the time of sending may be from now: 300 by default
     */
    toleranceSeconds?: number | undefined;
    /**
     * milliseconds since 1970, for tests
     */
    now?: (() => number) | undefined;
};
/** @import { Notice, Notification } from './types.js' */
/** @typedef {'header_missing' | 'timestamp_malformed' | 'timestamp_too_old' | 'timestamp_too_new' | 'signature_malformed' | 'signature_mismatch' | 'body_malformed'} NotificationFault */
/**
 * @typedef {object} Received
 * @property {Headers | Record<string, string | string[] | undefined>} headers in any letter case
 * @property {string | Uint8Array} body as it arrived, before any JSON parser
 * @property {string | readonly string[]} secrets as the gateway printed them, `whsec_…`: the present one, and while it changes also the next
 * @property {number | undefined} [toleranceSeconds] how far the time of sending may be from now: 300 by default
 * @property {(() => number) | undefined} [now] milliseconds since 1970, for tests
 */
/**
 * @param {Received} received
 * @returns {Promise<Notification | Notice>} the event. What is not about money has no `operation`. Ignore an `eventType` that you do not know.
 * @throws {PayframeError} of kind `notification`, with a {@link NotificationFault} as code. Answer 400 then.
 */
export declare function verifyNotification({ headers, body, secrets, toleranceSeconds, now }: Received): Promise<Notification | Notice>;
