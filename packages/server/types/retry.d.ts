/**
 * Which failed attempts are repeated, and how long to wait before. Only calls that the gateway carries out once come here: reads,
 * and writes with an idempotency key, which is the same in every attempt.
 */
export type Attempt = {
    /**
     * absent without an answer
     */
    status?: number;
    /**
     * of the gateway
     */
    code?: string | undefined;
    /**
     * absent if something else than the gateway answered
     */
    requestId?: string | undefined;
    /**
     * the header
     */
    retryAfter?: string | null;
};
/**
 * What an attempt came to: an answer, or why there is none.
 *
 * @typedef {object} Attempt
 * @property {number} [status] absent without an answer
 * @property {string | undefined} [code] of the gateway
 * @property {string | undefined} [requestId] absent if something else than the gateway answered
 * @property {string | null} [retryAfter] the header
 */
/**
 * Whether the same call may succeed later: no answer; a failure of the gateway or of something before it; too many calls; or a
 * call with the same key that is still running.
 *
 * @param {Attempt} attempt
 */
export declare const canBeRepeated: ({ status, code }: Attempt) => boolean;
/**
 * Whether a write may have been carried out, after this attempt and those before it.
 *
 * @param {Attempt} attempt
 * @param {boolean} wasUnknown after the attempts before
 */
export declare function isOutcomeUnknown({ status, code, requestId }: Attempt, wasUnknown: boolean): boolean;
/**
 * How long to wait before the next attempt, in milliseconds; `undefined` if the gateway asks for more than a call should wait.
 *
 * @param {Attempt} attempt
 * @param {number} retries made so far
 * @param {{ now: () => number, random: () => number }} runtime
 */
export declare function delayMs({ retryAfter }: Attempt, retries: number, { now, random }: {
    now: () => number;
    random: () => number;
}): number | undefined;
