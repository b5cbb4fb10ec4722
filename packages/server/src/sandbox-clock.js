// @ts-check
/** The clock of a sandbox, for tests: days pass at once. A gateway in production has no such calls, so they are `not_found` there. */

import { refusedValue } from './errors.js';

/** @import { CallOptions, Transport } from './transport.js' */
/** @import { ClockReading } from './types.js' */

/** @typedef {{ days?: number, hours?: number, minutes?: number, seconds?: number }} TimeSpan */

export class SandboxClock {
  #transport;

  /** @param {Transport} transport */
  constructor(transport) {
    this.#transport = transport;
  }

  /** The time of payments. @param {CallOptions} [options] @returns {Promise<ClockReading>} */
  read(options) {
    return this.#transport.call('GET', '/test/clock', {}, options);
  }

  /**
   * Lets time pass for the whole sandbox, such as `{ days: 31 }`. What is due by then has happened when the call answers, and
   * notifications are on their way.
   *
   * @param {TimeSpan} by @param {CallOptions} [options] @returns {Promise<ClockReading>}
   */
  async advance({ days = 0, hours = 0, minutes = 0, seconds = 0 }, options) {
    const span = ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
    if (!Number.isSafeInteger(span) || span < 0) throw refusedValue('by', 'must come to whole seconds, and time does not go back');
    const { secondsAhead } = await this.read(options);
    return this.#put({ secondsAhead: secondsAhead + span }, options);
  }

  /**
   * The same, until an instant such as `2026-12-31T10:00:00.000Z`. One that has passed changes nothing.
   *
   * @param {string | Date} instant @param {CallOptions} [options] @returns {Promise<ClockReading>}
   */
  advanceTo(instant, options) {
    return this.#put({ to: typeof instant === 'string' ? instant : instant.toISOString() }, options);
  }

  /** @param {object} body @param {CallOptions} [options] @returns {Promise<ClockReading>} */
  #put(body, options) {
    return this.#transport.call('POST', '/test/clock/advance', { body }, options);
  }
}
