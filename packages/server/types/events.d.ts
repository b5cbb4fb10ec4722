/** The feed of events: everything that notifications tell of, in order and without a gap. */
import type { CallOptions, Transport } from './transport.js';
import type { EventPage, EventQuery, FeedEvent } from './types.js';
/** @import { CallOptions, Transport } from './transport.js' */
/** @import { EventPage, EventQuery, FeedEvent } from './types.js' */
export declare class Events {
    #private;
    /** @param {Transport} transport */
    constructor(transport: Transport);
    /**
     * A page of the feed, the oldest event first. For the next page repeat the call with `after` = `nextCursor`. A cursor whose
     * event is no longer in the feed is refused with the code `GW9011`.
     *
     * @param {EventQuery} [query] @param {CallOptions} [options] @returns {Promise<EventPage>}
     */
    list(query?: EventQuery, options?: CallOptions): Promise<EventPage>;
    /**
     * The events behind a cursor that are there now, page by page. Without a cursor it begins with the oldest event. Store the
     * `cursor` of an event once it is processed, and begin there the next time.
     *
     * @param {string} [cursor] @param {CallOptions} [options] @returns {AsyncGenerator<FeedEvent, void, undefined>}
     */
    since(cursor?: string, options?: CallOptions): AsyncGenerator<FeedEvent, void, undefined>;
}
