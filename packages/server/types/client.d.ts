/** The client: one merchant's key at one gateway. It holds no connection and no state, so one is enough for a whole server. */
import { Disputes } from './disputes.js';
import { Events } from './events.js';
import { HostedPages } from './hosted-pages.js';
import { PaymentLinks } from './links.js';
import { Operations } from './operations.js';
import { Orders } from './orders.js';
import { SandboxClock } from './sandbox-clock.js';
import { SandboxDisputes } from './sandbox-disputes.js';
import { Sessions } from './sessions.js';
import { Settlements } from './settlements.js';
import type { Options } from './options.js';
import type { CallOptions, QueryValue, Verb } from './transport.js';
/** @import { Options } from './options.js' */
/** @import { CallOptions, QueryValue, Verb } from './transport.js' */
export declare class Payframe {
    #private;
    /** @readonly @type {Sessions} */
    readonly sessions: Sessions;
    /** @readonly @type {Orders} */
    readonly orders: Orders;
    /** @readonly @type {Operations} */
    readonly operations: Operations;
    /** @readonly @type {PaymentLinks} */
    readonly links: PaymentLinks;
    /** @readonly @type {HostedPages} */
    readonly hostedPages: HostedPages;
    /** @readonly @type {Events} */
    readonly events: Events;
    /** @readonly @type {Disputes} */
    readonly disputes: Disputes;
    /** @readonly @type {Settlements} */
    readonly settlements: Settlements;
    /** @readonly @type {SandboxClock} */
    readonly testClock: SandboxClock;
    /** @readonly @type {SandboxDisputes} */
    readonly testDisputes: SandboxDisputes;
    /** @param {Options} options */
    constructor(options: Options);
    /**
     * Any other call of the API, with the same key, retries and errors.
     *
     * @param {Verb} verb
     * @param {string} path below `/api`, such as `/orders/mit`, with its ids percent-encoded
     * @param {{ body?: object, query?: Record<string, QueryValue> } & CallOptions} [request]
     * @returns {Promise<unknown>} the answer
     */
    call(verb: Verb, path: string, { body, query, ...options }?: {
        body?: object;
        query?: Record<string, QueryValue>;
    } & CallOptions): Promise<unknown>;
}
