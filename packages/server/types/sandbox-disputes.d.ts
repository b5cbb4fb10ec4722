/** The buyer's bank of a sandbox, for tests: it disputes payments, and decides. A gateway in production has no such calls, so they are `not_found` there. */
import type { CallOptions, Transport } from './transport.js';
import type { Dispute, DisputeResult, SandboxDisputeRequest } from './types.js';
/** @import { CallOptions, Transport } from './transport.js' */
/** @import { Dispute, DisputeResult, SandboxDisputeRequest } from './types.js' */
export declare class SandboxDisputes {
    #private;
    /** @param {Transport} transport */
    constructor(transport: Transport);
    /**
     * Opens a dispute of a captured payment: a chargeback of all that can be disputed, unless the request says otherwise.
     *
     * @param {SandboxDisputeRequest} request @param {CallOptions} [options] @returns {Promise<Dispute>}
     */
    open(request: SandboxDisputeRequest, options?: CallOptions): Promise<Dispute>;
    /**
     * Decides for the merchant (`WON`) or for the buyer (`LOST`), or takes the dispute to a later stage, such as `PRE_ARBITRATION`.
     *
     * @param {string} disputeId @param {DisputeResult} result @param {CallOptions} [options] @returns {Promise<Dispute>}
     */
    decide(disputeId: string, result: DisputeResult, options?: CallOptions): Promise<Dispute>;
}
