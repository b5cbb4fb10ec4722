/** The clock of a sandbox, for tests: days pass at once. A gateway in production has no such calls, so they are `not_found` there. */
import type { CallOptions, Transport } from './transport.js';
import type { ClockReading } from './types.js';
export type TimeSpan = {
    days?: number;
    hours?: number;
    minutes?: number;
    seconds?: number;
};
/** @import { CallOptions, Transport } from './transport.js' */
/** @import { ClockReading } from './types.js' */
/** @typedef {{ days?: number, hours?: number, minutes?: number, seconds?: number }} TimeSpan */
export declare class SandboxClock {
    #private;
    /** @param {Transport} transport */
    constructor(transport: Transport);
    /** The time of payments. @param {CallOptions} [options] @returns {Promise<ClockReading>} */
    read(options?: CallOptions): Promise<ClockReading>;
    /**
     * Lets time pass for the whole sandbox, such as `{ days: 31 }`. What is due by then has happened when the call answers, and
     * notifications are on their way.
     *
     * @param {TimeSpan} by @param {CallOptions} [options] @returns {Promise<ClockReading>}
     */
    advance({ days, hours, minutes, seconds }: TimeSpan, options?: CallOptions): Promise<ClockReading>;
    /**
     * The same, until an instant such as `2026-12-31T10:00:00.000Z`. One that has passed changes nothing.
     *
     * @param {string | Date} instant @param {CallOptions} [options] @returns {Promise<ClockReading>}
     */
    advanceTo(instant: string | Date, options?: CallOptions): Promise<ClockReading>;
}
