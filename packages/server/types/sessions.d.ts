/** Sessions of the embedded form: from the first call of a payment to the one that closes it. */
import type { CallOptions, Transport } from './transport.js';
import type { CardData, ChangedSession, Confirmation, Session, SessionChange, SessionRequest, SessionState } from './types.js';
/** @import { CallOptions, Transport } from './transport.js' */
/** @import { CardData, ChangedSession, Confirmation, Session, SessionChange, SessionRequest, SessionState } from './types.js' */
export declare class Sessions {
    #private;
    /** @param {Transport} transport */
    constructor(transport: Transport);
    /**
     * Opens a payment: the first call. Keep `securityToken` with the order; give `sessionId` or `form.html` to the page.
     *
     * @param {SessionRequest} request @param {CallOptions} [options] @returns {Promise<Session>}
     */
    create(request: SessionRequest, options?: CallOptions): Promise<Session>;
    /**
     * Changes what an open session charges. Members that are left out stay as they are.
     *
     * @param {SessionChange} change @param {CallOptions} [options] @returns {Promise<ChangedSession>}
     */
    change(change: SessionChange, options?: CallOptions): Promise<ChangedSession>;
    /** Where the session stands. @param {string} sessionId @param {CallOptions} [options] @returns {Promise<SessionState>} */
    read(sessionId: string, options?: CallOptions): Promise<SessionState>;
    /** What a shop may know about the card that was entered. @param {string} sessionId @param {CallOptions} [options] @returns {Promise<CardData>} */
    readCard(sessionId: string, options?: CallOptions): Promise<CardData>;
    /**
     * Charges the card of a session of version 3 whose `form.closing` is `SERVER`. A declined payment is an answer, not an error: see
     * `operation.operationResult`.
     *
     * @param {string} sessionId @param {CallOptions} [options] @returns {Promise<SessionState>}
     */
    finalize(sessionId: string, options?: CallOptions): Promise<SessionState>;
    /**
     * Fixes the amount of a session of version 2, and charges the card unless `confirm` is `false`.
     *
     * @param {Confirmation} confirmation @param {CallOptions} [options] @returns {Promise<SessionState>}
     */
    confirm(confirmation: Confirmation, options?: CallOptions): Promise<SessionState>;
    /** Ends a session. Money that was approved goes back. @param {string} sessionId @param {CallOptions} [options] @returns {Promise<SessionState>} */
    cancel(sessionId: string, options?: CallOptions): Promise<SessionState>;
}
