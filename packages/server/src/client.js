// @ts-check
/** The client: one merchant's key at one gateway. It holds no connection and no state, so one is enough for a whole server. */

import { Disputes } from './disputes.js';
import { refusedValue } from './errors.js';
import { Events } from './events.js';
import { HostedPages } from './hosted-pages.js';
import { PaymentLinks } from './links.js';
import { Operations } from './operations.js';
import { settingsOf } from './options.js';
import { Orders } from './orders.js';
import { SandboxClock } from './sandbox-clock.js';
import { SandboxDisputes } from './sandbox-disputes.js';
import { Sessions } from './sessions.js';
import { Settlements } from './settlements.js';
import { Transport } from './transport.js';

/** @import { Options } from './options.js' */
/** @import { CallOptions, QueryValue, Verb } from './transport.js' */

export class Payframe {
  #transport;
  /** @readonly @type {Sessions} */
  sessions;
  /** @readonly @type {Orders} */
  orders;
  /** @readonly @type {Operations} */
  operations;
  /** @readonly @type {PaymentLinks} */
  links;
  /** @readonly @type {HostedPages} */
  hostedPages;
  /** @readonly @type {Events} */
  events;
  /** @readonly @type {Disputes} */
  disputes;
  /** @readonly @type {Settlements} */
  settlements;
  /** @readonly @type {SandboxClock} */
  testClock;
  /** @readonly @type {SandboxDisputes} */
  testDisputes;

  /** @param {Options} options */
  constructor(options) {
    this.#transport = new Transport(settingsOf(options));
    this.sessions = new Sessions(this.#transport);
    this.orders = new Orders(this.#transport);
    this.operations = new Operations(this.#transport);
    this.links = new PaymentLinks(this.#transport);
    this.hostedPages = new HostedPages(this.#transport);
    this.events = new Events(this.#transport);
    this.disputes = new Disputes(this.#transport);
    this.settlements = new Settlements(this.#transport);
    this.testClock = new SandboxClock(this.#transport);
    this.testDisputes = new SandboxDisputes(this.#transport);
  }

  /**
   * Any other call of the API, with the same key, retries and errors.
   *
   * @param {Verb} verb
   * @param {string} path below `/api`, such as `/orders/mit`, with its ids percent-encoded
   * @param {{ body?: object, query?: Record<string, QueryValue> } & CallOptions} [request]
   * @returns {Promise<unknown>} the answer
   */
  call(verb, path, { body, query, ...options } = {}) {
    if (!['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(verb)) throw refusedValue('verb', 'must be GET, POST, PUT, PATCH or DELETE');
    if (typeof path !== 'string' || !/^\/[^?#\\]*$/.test(path) || /\/(\.|%2e){1,2}(\/|$)/i.test(path)) {
      throw refusedValue('path', 'must begin with a slash, without a query: it is the part of the address behind /api');
    }
    return this.#transport.call(verb, path, { body, query }, options);
  }
}
