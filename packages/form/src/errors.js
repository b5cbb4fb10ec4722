// @ts-check
/** The one error class of this package. The gateway's script has a class of the same shape: compare `code`, or ask `isPayframeError`. */

/** @import { PayframeErrorCode } from '../types/sdk/payframe.js' */

export class PayframeError extends Error {
  /** @override @readonly @type {'PayframeError'} */
  name = 'PayframeError';
  /** Stable; `docs/errors.md` lists all. @readonly @type {PayframeErrorCode} */
  code;

  /**
   * @param {PayframeErrorCode} code
   * @param {string} message a sentence
   * @param {unknown} [cause]
   */
  constructor(code, message, cause) {
    super(message, { cause });
    this.code = code;
  }
}

/** Whether it is an error of this package, of the gateway's script, or of another copy of either. @param {unknown} error @returns {error is PayframeError} */
export const isPayframeError = (error) => error instanceof Error && error.name === 'PayframeError' && 'code' in error;
