/** The error of the fake: of the same shape as that of the gateway's script, and with the same sentences. */
import type { PayframeErrorCode } from '@payframe/form';
/** @import { PayframeErrorCode } from '@payframe/form' */
export declare class PayframeError extends Error {
    /** @override @readonly @type {'PayframeError'} */
    readonly name: 'PayframeError';
    /** @readonly @type {PayframeErrorCode} */
    readonly code: PayframeErrorCode;
    /** @param {PayframeErrorCode} code @param {string} [message] more about the error @param {unknown} [cause] */
    constructor(code: PayframeErrorCode, message?: string, cause?: unknown);
}
