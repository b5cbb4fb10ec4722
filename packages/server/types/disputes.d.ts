/** Disputes: a buyer's bank asks about a captured payment, or takes its money back, and the merchant answers before a deadline. */
import type { CallOptions, Transport } from './transport.js';
import type { Dispute, DisputeFile, DisputePage, DisputeQuery, EvidenceRequest } from './types.js';
export type EvidenceFile = {
    name: string;
    content: Uint8Array;
};
export type DisputeFileContent = {
    file: DisputeFile;
    content: Uint8Array<ArrayBuffer>;
};
/** @import { CallOptions, Transport } from './transport.js' */
/** @import { Dispute, DisputeFile, DisputePage, DisputeQuery, EvidenceRequest } from './types.js' */
/** @typedef {{ name: string, content: Uint8Array }} EvidenceFile a PDF document, or a PNG or JPEG picture, of at most 4.5 MB */
/** @typedef {{ file: DisputeFile, content: Uint8Array<ArrayBuffer> }} DisputeFileContent */
export declare class Disputes {
    #private;
    /** @param {Transport} transport */
    constructor(transport: Transport);
    /**
     * A page of disputes, the newest first, without their evidence. For the next page repeat the call with `after` = `disputeId` of the
     * last row.
     *
     * @param {DisputeQuery} [query] @param {CallOptions} [options] @returns {Promise<DisputePage>}
     */
    list(query?: DisputeQuery, options?: CallOptions): Promise<DisputePage>;
    /**
     * All disputes that the query asks for, page by page, such as those of `{ state: 'NEEDS_RESPONSE' }`.
     *
     * @param {DisputeQuery} [query] @param {CallOptions} [options] @returns {AsyncGenerator<Dispute, void, undefined>}
     */
    all(query?: DisputeQuery, options?: CallOptions): AsyncGenerator<Dispute, void, undefined>;
    /** A dispute, with the evidence that was submitted last and its files. @param {string} disputeId @param {CallOptions} [options] @returns {Promise<Dispute>} */
    read(disputeId: string, options?: CallOptions): Promise<Dispute>;
    /**
     * Adds a file to the evidence that is submitted next.
     *
     * @param {string} disputeId @param {EvidenceFile} file @param {CallOptions} [options] @returns {Promise<DisputeFile>}
     */
    addFile(disputeId: string, { name, content }: EvidenceFile, options?: CallOptions): Promise<DisputeFile>;
    /** A file with its content. Show it to nobody as a page of yours: somebody uploaded it. @param {string} fileId @param {CallOptions} [options] @returns {Promise<DisputeFileContent>} */
    readFile(fileId: string, options?: CallOptions): Promise<DisputeFileContent>;
    /** Removes a file that was not submitted yet. @param {string} fileId @param {CallOptions} [options] @returns {Promise<void>} */
    removeFile(fileId: string, options?: CallOptions): Promise<void>;
    /**
     * Submits texts, with all files of the dispute: at least one text or one file. Nothing can be changed afterwards.
     *
     * @param {string} disputeId @param {EvidenceRequest} [request] @param {CallOptions} [options] @returns {Promise<Dispute>}
     */
    submitEvidence(disputeId: string, request?: EvidenceRequest, options?: CallOptions): Promise<Dispute>;
    /** The buyer keeps the money, and the dispute is over. @param {string} disputeId @param {CallOptions} [options] @returns {Promise<Dispute>} */
    accept(disputeId: string, options?: CallOptions): Promise<Dispute>;
}
