// @ts-check
/** The error of the fake: of the same shape as that of the gateway's script, and with the same sentences. */

import { ERRORS } from './sentences.js';

/** @import { PayframeErrorCode } from '@payframe/form' */

export class PayframeError extends Error {
  /** @override @readonly @type {'PayframeError'} */
  name = 'PayframeError';
  /** @readonly @type {PayframeErrorCode} */
  code;

  /** @param {PayframeErrorCode} code @param {string} [message] more about the error @param {unknown} [cause] */
  constructor(code, message = '', cause) {
    super(sentence(code, message), { cause });
    this.code = code;
  }
}

/** @param {string} code @param {string} message */
const sentence = (code, message) => `${ERRORS[code] ?? 'Something went wrong'}${message && `: ${message}`}.`;
