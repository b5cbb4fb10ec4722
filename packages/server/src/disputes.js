// @ts-check
/** Disputes: a buyer's bank asks about a captured payment, or takes its money back, and the merchant answers before a deadline. */

import { fromBase64, toBase64 } from './base64.js';
import { PayframeError, refusedValue } from './errors.js';
import { segment } from './paths.js';

/** @import { CallOptions, Transport } from './transport.js' */
/** @import { Dispute, DisputeFile, DisputePage, DisputeQuery, EvidenceRequest } from './types.js' */

/** @typedef {{ name: string, content: Uint8Array }} EvidenceFile a PDF document, or a PNG or JPEG picture, of at most 4.5 MB */
/** @typedef {{ file: DisputeFile, content: Uint8Array<ArrayBuffer> }} DisputeFileContent */

export class Disputes {
  #transport;

  /** @param {Transport} transport */
  constructor(transport) {
    this.#transport = transport;
  }

  /**
   * A page of disputes, the newest first, without their evidence. For the next page repeat the call with `after` = `disputeId` of the
   * last row.
   *
   * @param {DisputeQuery} [query] @param {CallOptions} [options] @returns {Promise<DisputePage>}
   */
  list(query, options) {
    return this.#transport.call('GET', '/disputes', { query }, options);
  }

  /**
   * All disputes that the query asks for, page by page, such as those of `{ state: 'NEEDS_RESPONSE' }`.
   *
   * @param {DisputeQuery} [query] @param {CallOptions} [options] @returns {AsyncGenerator<Dispute, void, undefined>}
   */
  async *all(query = {}, options) {
    for (let next = query; ;) {
      const { disputes, hasMore } = await this.list(next, options);
      yield* disputes;
      const last = disputes.at(-1);
      if (!hasMore || !last) return;
      next = { ...query, after: last.disputeId };
    }
  }

  /** A dispute, with the evidence that was submitted last and its files. @param {string} disputeId @param {CallOptions} [options] @returns {Promise<Dispute>} */
  read(disputeId, options) {
    return this.#transport.call('GET', at(disputeId), {}, options);
  }

  /**
   * Adds a file to the evidence that is submitted next.
   *
   * @param {string} disputeId @param {EvidenceFile} file @param {CallOptions} [options] @returns {Promise<DisputeFile>}
   */
  async addFile(disputeId, { name, content }, options) {
    if (!(content instanceof Uint8Array)) throw refusedValue('content', 'must be the bytes of the file: a Uint8Array');
    return this.#transport.call('POST', `${at(disputeId)}/files`, { body: { name, content: toBase64(content) } }, options);
  }

  /** A file with its content. Show it to nobody as a page of yours: somebody uploaded it. @param {string} fileId @param {CallOptions} [options] @returns {Promise<DisputeFileContent>} */
  async readFile(fileId, options) {
    const { file, content } = await this.#transport.call('GET', fileAt(fileId), {}, options);
    const bytes = typeof content === 'string' ? fromBase64(content) : undefined;
    if (!bytes) throw new PayframeError('The content of the file is no base64.', { kind: 'gateway', code: 'unreadable_answer' });
    return { file, content: bytes };
  }

  /** Removes a file that was not submitted yet. @param {string} fileId @param {CallOptions} [options] @returns {Promise<void>} */
  async removeFile(fileId, options) {
    await this.#transport.call('POST', `${fileAt(fileId)}/removal`, {}, options);
  }

  /**
   * Submits texts, with all files of the dispute: at least one text or one file. Nothing can be changed afterwards.
   *
   * @param {string} disputeId @param {EvidenceRequest} [request] @param {CallOptions} [options] @returns {Promise<Dispute>}
   */
  submitEvidence(disputeId, request = {}, options) {
    return this.#transport.call('POST', `${at(disputeId)}/evidence`, { body: request }, options);
  }

  /** The buyer keeps the money, and the dispute is over. @param {string} disputeId @param {CallOptions} [options] @returns {Promise<Dispute>} */
  accept(disputeId, options) {
    return this.#transport.call('POST', `${at(disputeId)}/acceptance`, {}, options);
  }
}

/** @param {string} disputeId */
const at = (disputeId) => `/disputes/${segment(disputeId, 'disputeId')}`;

/** @param {string} fileId */
const fileAt = (fileId) => `/disputes/files/${segment(fileId, 'fileId')}`;
