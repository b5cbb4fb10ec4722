// @ts-check
/** A client whose gateway, time and randomness are the test's. Nothing here waits. */

import { Payframe } from '@payframe/server';

export const API_KEY = 'key-of-the-shop_1';
export const GATEWAY = 'https://gateway.example';

/**
 * What the gateway does with one attempt: an answer, a lost connection, or silence until the time is over.
 * @typedef {{ status?: number, json?: unknown, text?: string, headers?: Record<string, string> } | 'lost' | 'silent'} Step
 */

/** @typedef {{ url: string, verb: string, headers: Headers, body: any, redirect: string | undefined }} Call */

/** @param {Step[]} steps the last one is repeated @param {Partial<import('@payframe/server').Options>} [options] @param {number} [random] */
export function stage(steps, options = {}, random = 0) {
  const { timeoutMs = 35_000 } = options;
  const calls = /** @type {Call[]} */ ([]);
  const waits = /** @type {number[]} */ ([]);
  let leave = () => {};
  let ids = 0;
  const runtime = {
    now: () => NOW,
    random: () => random,
    uuid: () => `id-${(ids += 1)}`,
    /** @param {number} delayMs @param {() => void} action */
    after(delayMs, action) {
      if (delayMs === timeoutMs) {
        leave = action;
        return () => {};
      }
      waits.push(delayMs);
      queueMicrotask(action);
      return () => {};
    },
  };
  /** @param {any} url @param {any} init */
  const fetch = (url, init) => {
    const body = init.body === null ? null : JSON.parse(init.body);
    calls.push({ url, verb: init.method, headers: new Headers(init.headers), body, redirect: init.redirect });
    const step = steps[Math.min(calls.length, steps.length) - 1] ?? {};
    return carriedOut(step, init.signal, () => leave());
  };
  return { payframe: new Payframe({ apiKey: API_KEY, gateway: GATEWAY, fetch, runtime, ...options }), calls, waits };
}

/** @param {Step} step @param {AbortSignal} signal @param {() => void} endTime @returns {Promise<Response>} */
async function carriedOut(step, signal, endTime) {
  if (step === 'lost') throw new TypeError(`fetch failed: ${API_KEY} was sent to ${GATEWAY}`);
  if (step === 'silent') {
    queueMicrotask(endTime);
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  }
  const { status = 200, json = {}, text = JSON.stringify(json), headers = { cid: CID } } = step;
  return new Response(text, { status, headers });
}

/**
 * A refusal of the gateway.
 *
 * @param {number} status @param {string} code @param {string} description @param {Record<string, string>} [headers] @returns {Step}
 */
export const refusal = (status, code, description, headers = {}) => {
  return { status, json: { errors: [{ code, description }] }, headers: { cid: CID, ...headers } };
};

export const CID = '1e4a678b-29b8-4826-b73b-987218a3b7b0';
export const NOW = Date.parse('2030-01-31T10:00:00Z');

/** The error of a call. @param {Promise<unknown>} call @returns {Promise<import('@payframe/server').PayframeError>} */
export const errorOf = (call) => call.then(() => { throw new Error('The call succeeded'); }, (error) => error);
