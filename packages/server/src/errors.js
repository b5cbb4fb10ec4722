// @ts-check
/**
 * The one error class of this package. `kind` says whose fault it is, `code` what happened. Codes are stable; compare them,
 * never the sentences. An error holds no API key, no session, no body and no signature, so it can be logged as it is.
 */

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
export class PayframeError extends Error {
  /** Whose fault it is. @readonly @type {ErrorKind} */
  kind;
  /** What happened: a code of the gateway, such as `PS0026`, or one of this package, such as `timeout`. @readonly @type {string} */
  code;
  /** The HTTP status of the answer; absent if there was none. @readonly @type {number | undefined} */
  status;
  /** The member of the request, or the option, that is wrong; absent if none is named. @readonly @type {string | undefined} */
  member;
  /** The gateway's own id of the call (header `cid`): tell it to the operator. @readonly @type {string | undefined} */
  requestId;
  /** The id of the call in the logs of both sides. @readonly @type {string | undefined} */
  correlationId;
  /** The key to repeat the call with. Present if the call carried one. @readonly @type {string | undefined} */
  idempotencyKey;
  /** Whether the same call, with the same idempotency key, can succeed later. @readonly @type {boolean} */
  isRetryable;
  /**
   * Whether the gateway may have carried out a call that writes although it seems to have failed. Repeat the call with
   * `idempotencyKey`, or read the order, before anything else. @readonly @type {boolean}
   */
  outcomeUnknown;

  /** @param {string} message @param {ErrorDetails} details */
  constructor(message, details) {
    super(message);
    this.kind = details.kind;
    this.code = details.code;
    this.status = details.status;
    this.member = details.member;
    this.requestId = details.requestId;
    this.correlationId = details.correlationId;
    this.idempotencyKey = details.idempotencyKey;
    this.isRetryable = details.isRetryable ?? false;
    this.outcomeUnknown = details.outcomeUnknown ?? false;
  }

  /** @override */
  get name() {
    return 'PayframeError';
  }

  /** For logs. */
  toJSON() {
    const { name, message, kind, code, status, member, requestId, correlationId, idempotencyKey, isRetryable, outcomeUnknown } = this;
    return { name, message, kind, code, status, member, requestId, correlationId, idempotencyKey, isRetryable, outcomeUnknown };
  }
}

/** An option or a value that this package does not accept. @param {string} member @param {string} accepted a sentence part: "must be …" */
export const refusedValue = (member, accepted) => new PayframeError(`${member} ${accepted}`, { kind: 'caller', code: 'bad_value', member });

/** Whose fault a code of the gateway is. @param {string} code @param {number} status @returns {ErrorKind} */
export const kindOf = (code, status) => KINDS[code] ?? (status >= 500 ? 'gateway' : 'caller');

/** The codes that are not what their status says. @type {Record<string, ErrorKind>} */
const KINDS = {
  PS0004: 'issuer',
  PS0032: 'issuer',
  PS0033: 'issuer',
  PS0034: 'issuer',
  PS0018: 'gateway',
  PS0040: 'operator',
  PS0051: 'operator',
  PS0044: 'buyer',
  PS0061: 'buyer',
  GW0002: 'operator',
  GW9005: 'caller',
  GW9009: 'operator',
  GW9010: 'operator',
};
