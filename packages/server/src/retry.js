// @ts-check
/**
 * Which failed attempts are repeated, and how long to wait before. Only calls that the gateway carries out once come here: reads,
 * and writes with an idempotency key, which is the same in every attempt.
 */

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
export const canBeRepeated = ({ status, code }) => status === undefined || RETRYABLE.has(status) || (status === 409 && code === 'GW9001');

const RETRYABLE = new Set([429, 500, 502, 503, 504]);

/**
 * Whether a write may have been carried out, after this attempt and those before it.
 *
 * @param {Attempt} attempt
 * @param {boolean} wasUnknown after the attempts before
 */
export function isOutcomeUnknown({ status, code, requestId }, wasUnknown) {
  if (status === undefined || status === 409) return true;
  // A redirect or a success that is not the gateway's answer tells nothing.
  if (status < 400) return true;
  if (status >= 500) return code !== 'GW9005' || wasUnknown;
  // The gateway looks for the answer to the key before it reads the object: such a refusal is the answer to all attempts.
  if (requestId && (status === 400 || status === 404 || code === 'GW9012')) return false;
  return wasUnknown;
}

/**
 * How long to wait before the next attempt, in milliseconds; `undefined` if the gateway asks for more than a call should wait.
 *
 * @param {Attempt} attempt
 * @param {number} retries made so far
 * @param {{ now: () => number, random: () => number }} runtime
 */
export function delayMs({ retryAfter }, retries, { now, random }) {
  const asked = retryAfter ? askedMs(retryAfter, now()) : 0;
  if (asked > LONGEST_WAIT_MS) return undefined;
  const ceiling = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** retries);
  // Half of it is fixed, so that there always is a pause; half is random, so that clients do not come back together.
  return asked + Math.round(ceiling / 2 + (random() * ceiling) / 2);
}

/** @param {string} retryAfter seconds, or a date @param {number} now */
function askedMs(retryAfter, now) {
  if (/^\d+$/.test(retryAfter.trim())) return Number(retryAfter) * 1000;
  const until = Date.parse(retryAfter);
  return Number.isNaN(until) ? 0 : Math.max(0, until - now);
}

const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 8_000;
const LONGEST_WAIT_MS = 60_000;
