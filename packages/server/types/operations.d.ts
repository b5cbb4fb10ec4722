/** What is done with the money of a payment afterwards: capture, refund, void, cancel. */
import type { CallOptions, Transport } from './transport.js';
import type { AllowedAction, CaptureRequest, Operation, OperationQuery, RefundRequest, Taken } from './types.js';
/** @import { CallOptions, Transport } from './transport.js' */
/** @import { AllowedAction, CaptureRequest, Operation, OperationQuery, RefundRequest, Taken } from './types.js' */
export declare class Operations {
    #private;
    /** @param {Transport} transport */
    constructor(transport: Transport);
    /** @param {string} operationId @param {CallOptions} [options] @returns {Promise<Operation>} */
    read(operationId: string, options?: CallOptions): Promise<Operation>;
    /**
     * Operations, the newest first. For the next page repeat the call with `toTime` = `operationTime` of the last row.
     *
     * @param {OperationQuery} [query] @param {CallOptions} [options] @returns {Promise<Operation[]>}
     */
    list(query?: OperationQuery, options?: CallOptions): Promise<Operation[]>;
    /** What may be done with an operation now. @param {string} operationId @param {CallOptions} [options] @returns {Promise<AllowedAction[]>} */
    actions(operationId: string, options?: CallOptions): Promise<AllowedAction[]>;
    /**
     * Captures money that an authorization holds, all of it or a part.
     *
     * @param {string} operationId of the authorization @param {CaptureRequest} request @param {CallOptions} [options] @returns {Promise<Taken>}
     */
    capture(operationId: string, request: CaptureRequest, options?: CallOptions): Promise<Taken>;
    /**
     * Gives captured money back, all of it or a part.
     *
     * @param {string} operationId of the authorization or the capture @param {RefundRequest} request @param {CallOptions} [options]
     * @returns {Promise<Taken>}
     */
    refund(operationId: string, request: RefundRequest, options?: CallOptions): Promise<Taken>;
    /**
     * Releases what an authorization still holds. The gateway has no call of its own for this: it takes a refund of exactly the held
     * amount for a release, but for a refund if that much or more is captured. Such a void is refused here (`void_ambiguous`).
     *
     * To repeat a void whose outcome is not known, call this again: `nothing_to_void` says that nothing is held any more.
     *
     * Captures made at the same time can change what the gateway takes the amount for. Make them one after the other, and read the
     * operation that this answers: its `operationType` is `VOID`.
     *
     * @param {string} operationId of the authorization @param {{ description?: string | undefined }} [request] @param {CallOptions} [options]
     * @returns {Promise<Taken>}
     */
    void(operationId: string, { description }?: {
        description?: string | undefined;
    }, options?: CallOptions): Promise<Taken>;
    /**
     * Cancels a capture on the day on which it was made.
     *
     * @param {string} operationId of the capture @param {{ description?: string | undefined }} [request] @param {CallOptions} [options] @returns {Promise<Taken>}
     */
    cancel(operationId: string, request?: {
        description?: string | undefined;
    }, options?: CallOptions): Promise<Taken>;
}
