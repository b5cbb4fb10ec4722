/** The one error class of this package. The gateway's script has a class of the same shape: compare `code`, or ask `isPayframeError`. */
import type { PayframeErrorCode } from '../types/sdk/payframe.js';
/** @import { PayframeErrorCode } from '../types/sdk/payframe.js' */
export declare class PayframeError extends Error {
    /** @override @readonly @type {'PayframeError'} */
    readonly name: 'PayframeError';
    /** Stable; `docs/errors.md` lists all. @readonly @type {PayframeErrorCode} */
    readonly code: PayframeErrorCode;
    /**
     * @param {PayframeErrorCode} code
     * @param {string} message a sentence
     * @param {unknown} [cause]
     */
    constructor(code: PayframeErrorCode, message: string, cause?: unknown);
}
/** Whether it is an error of this package, of the gateway's script, or of another copy of either. @param {unknown} error @returns {error is PayframeError} */
export declare const isPayframeError: (error: unknown) => error is PayframeError;
