// @ts-check
/** The feed of events: everything that notifications tell of, in order and without a gap. */

/** @import { CallOptions, Transport } from './transport.js' */
/** @import { EventPage, EventQuery, FeedEvent } from './types.js' */

export class Events {
  #transport;

  /** @param {Transport} transport */
  constructor(transport) {
    this.#transport = transport;
  }

  /**
   * A page of the feed, the oldest event first. For the next page repeat the call with `after` = `nextCursor`. A cursor whose
   * event is no longer in the feed is refused with the code `GW9011`.
   *
   * @param {EventQuery} [query] @param {CallOptions} [options] @returns {Promise<EventPage>}
   */
  list(query, options) {
    return this.#transport.call('GET', '/events', { query }, options);
  }

  /**
   * The events behind a cursor that are there now, page by page. Without a cursor it begins with the oldest event. Store the
   * `cursor` of an event once it is processed, and begin there the next time.
   *
   * @param {string} [cursor] @param {CallOptions} [options] @returns {AsyncGenerator<FeedEvent, void, undefined>}
   */
  async *since(cursor, options) {
    let after = cursor;
    for (;;) {
      const page = await this.list(after === undefined ? {} : { after }, options);
      yield* page.events;
      if (!page.hasMore) return;
      after = page.nextCursor;
    }
  }
}
