// @ts-check
/** One call to the gateway: headers, attempts, retries, and the error that it ends with. */

import { kindOf, PayframeError, refusedValue } from './errors.js';
import { jsonOf } from './money.js';
import { canBeRepeated, delayMs, isOutcomeUnknown } from './retry.js';

/** The version of the API that this package is written for. */
const API_VERSION = '2026-11-27';

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

export class Transport {
  #settings;

  /** @param {Settings} settings */
  constructor(settings) {
    this.#settings = settings;
  }

  /**
   * @param {Verb} verb
   * @param {string} path below `/api`, with its ids encoded
   * @param {Sent} [sent]
   * @param {CallOptions} [options]
   * @returns {Promise<any>} the answer
   */
  async call(verb, path, sent = {}, options = {}) {
    const request = this.#request(verb, path, sent, options);
    let isUnknown = false;
    for (let retries = 0; ; retries += 1) {
      const ended = await this.#attempt(request);
      if (ended.isReadable && ended.status === 200) return ended.answer;
      if (verb !== 'GET' && !ended.isUnsent) isUnknown = isOutcomeUnknown(ended, isUnknown);
      const isRepeatable = ended.failure !== 'aborted' && canBeRepeated(ended);
      const wait = isRepeatable && retries < this.#settings.maxRetries ? delayMs(ended, retries, this.#settings.runtime) : undefined;
      if (wait === undefined) throw this.#error(request, ended, isUnknown, isRepeatable);
      await this.#pause(wait, request.signal);
    }
  }

  /** @param {Verb} verb @param {string} path @param {Sent} sent @param {CallOptions} options @returns {Request} */
  #request(verb, path, { body, query }, { idempotencyKey, orderVersion, signal }) {
    const { base, apiKey, runtime } = this.#settings;
    const headers = /** @type {Record<string, string>} */ ({
      accept: 'application/json',
      // The only place where the key is used, as a credential.
      'x-api-key': apiKey,
      'correlation-id': runtime.uuid(),
      'payframe-version': API_VERSION,
    });
    if (verb !== 'GET') headers['idempotency-key'] = keyOf(idempotencyKey ?? runtime.uuid());
    if (orderVersion !== undefined) headers['if-match'] = `"${versionOf(orderVersion)}"`;
    if (body) headers['content-type'] = 'application/json';
    const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null);
    const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return { verb, url: `${base}${path}${search && `?${search}`}`, headers, body: body ? jsonOf(body) : null, signal };
  }

  /** @param {Request} request @returns {Promise<Ended>} */
  async #attempt({ verb, url, headers, body, signal }) {
    if (signal?.aborted) return { failure: 'aborted', isUnsent: true };
    const { fetch, timeoutMs, runtime } = this.#settings;
    const controller = new AbortController();
    const leave = () => controller.abort();
    let isLate = false;
    const callOff = runtime.after(timeoutMs, () => {
      isLate = true;
      leave();
    });
    signal?.addEventListener('abort', leave);
    try {
      // A redirect would carry the API key to another place, so none is followed.
      const response = await fetch(url, { method: verb, headers, body, signal: controller.signal, redirect: 'manual' });
      return read(response, await response.text());
    } catch {
      // The cause is not kept: a fetch that was given may put headers or addresses into it.
      return { failure: signal?.aborted ? 'aborted' : isLate ? 'timeout' : 'unreachable' };
    } finally {
      callOff();
      signal?.removeEventListener('abort', leave);
    }
  }

  /** @param {number} waitMs @param {AbortSignal | undefined} signal @returns {Promise<void>} also when the signal ends the wait */
  #pause(waitMs, signal) {
    return new Promise((resolve) => {
      const end = () => {
        callOff();
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const callOff = this.#settings.runtime.after(waitMs, end);
      signal?.addEventListener('abort', end);
      if (signal?.aborted) end();
    });
  }

  /** @param {Request} request @param {Ended} ended @param {boolean} outcomeUnknown @param {boolean} isRetryable */
  #error({ verb, headers }, ended, outcomeUnknown, isRetryable) {
    const known = { correlationId: headers['correlation-id'], idempotencyKey: headers['idempotency-key'], outcomeUnknown, isRetryable };
    const hint = outcomeUnknown ? ` Whether the ${verb} was carried out is not known: repeat it with the same idempotency key, or read the order.` : '';
    const { status, requestId } = ended;
    if (ended.failure || status === undefined) {
      const failure = ended.failure ?? 'unreachable';
      return new PayframeError(MESSAGES[failure] + hint, { ...known, kind: failure === 'aborted' ? 'caller' : 'network', code: failure });
    }
    const { code = status < 400 ? 'unreadable_answer' : `http_${status}`, description = `The gateway answered ${status}.` } = ended;
    const kind = status < 400 ? 'gateway' : kindOf(code, status);
    const text = description.replaceAll(this.#settings.apiKey, '…');
    const message = status < 400 ? `The answer, with status ${status}, is not the gateway's. Check the option gateway.` : `${code}: ${text}`;
    return new PayframeError(message + hint, { ...known, kind, code, status, requestId, member: memberIn(ended) });
  }
}

/** @type {Record<Failure, string>} */
const MESSAGES = {
  timeout: 'The gateway did not answer in time.',
  unreachable: 'The gateway can not be reached, or the connection was lost.',
  aborted: 'The call was aborted.',
};

/** @param {Response} response @param {string} text @returns {Ended} */
function read(response, text) {
  const { status } = response;
  const requestId = response.headers.get('cid') ?? undefined;
  const retryAfter = response.headers.get('retry-after');
  const answer = parsed(text);
  if (status === 200) return { status, requestId, answer, isReadable: typeof answer === 'object' && answer !== null };
  const problem = answer?.errors?.[0];
  const isProblem = typeof problem?.code === 'string' && /^[A-Z]{2,3}\d{3,4}$/.test(problem.code) && typeof problem.description === 'string';
  if (isProblem) return { status, requestId, retryAfter, code: problem.code, description: problem.description.slice(0, 500) };
  const description = requestId && status === 404 ? 'The gateway has no such object of this merchant, or no such call.' : undefined;
  return { status, requestId, retryAfter, ...(requestId && status === 404 && { code: 'not_found' }), description };
}

/** @param {string} text @returns {any} `undefined` if it is no JSON */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The member that a refusal names. The gateway puts it into its sentence: in front, or behind "script in".
 *
 * @param {Ended} ended
 */
function memberIn({ code, description = '' }) {
  const [, behind, header, front] = /^(?:script in ([\w.[\]]+)$|header ([\w-]+)|([a-z][a-zA-Z]*(?:\.\w+|\[\d*\])*) (?:is|must|exceed|holds)\b)/.exec(description) ?? [];
  return MEMBER_CODES.test(code ?? '') ? behind ?? header ?? front : undefined;
}

/** Refusals that are about a member. */
const MEMBER_CODES = /^(PS00(0[5-9]|1[0-37]|25|26|29|36|41|42)|GW(0001|9020|9106|9107))$/;

/** @param {string} key */
function keyOf(key) {
  if (typeof key !== 'string' || !/^[ -~]{1,63}$/.test(key)) throw refusedValue('idempotencyKey', 'must be 1 to 63 printable ASCII characters');
  return key;
}

/** @param {string} version */
function versionOf(version) {
  if (typeof version !== 'string' || !/^[!#-~]{1,63}$/.test(version)) throw refusedValue('orderVersion', 'must be the orderVersion of an order that was read');
  return version;
}
