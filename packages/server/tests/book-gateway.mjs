// @ts-check
/**
 * A gateway in memory, for tests of what shops do with their orders: sessions, orders, refunds, captures. It carries a key out once, as the real one
 * does, and can lose its answers. Buyers are the test's: `approve()`.
 */

import { randomUUID } from 'node:crypto';
import { Payframe } from '@payframe/server';
import { API_KEY, CID, GATEWAY } from './stage.mjs';

/** @typedef {{ orderId: string, amount: number, currency: string, state: 'OPEN' | 'OVER' | 'PAID' | 'CHARGING', body: any }} HeldSession */
/** @typedef {{ operationId: string, orderId: string, operationType: string, operationResult: string, amount: number, parent?: string }} HeldOperation */

export class BookGateway {
  /** @type {Map<string, HeldSession>} */
  sessions = new Map();
  /** Oldest first. @type {HeldOperation[]} */
  operations = [];
  /** Every call, as `VERB path`. @type {string[]} */
  calls = [];
  /** What was told of goods, by order. @type {Map<string, string>} */
  goods = new Map();
  /** How many answers to writes are lost next, after the call was carried out. */
  lost = 0;
  #answers = /** @type {Map<string, { status: number, body: unknown }>} */ (new Map());
  payframe = new Payframe({ apiKey: API_KEY, gateway: GATEWAY, fetch: (url, init) => this.#fetch(String(url), /** @type {RequestInit} */ (init)), maxRetries: 0 });

  /** A buyer's card is approved, or waits for its issuer. @param {string} sessionId @param {string} [operationResult] @returns {string} the operation */
  approve(sessionId, operationResult = 'EXECUTED') {
    const session = this.#session(sessionId);
    session.state = 'PAID';
    return this.charge(session.orderId, session.amount, operationResult);
  }

  /** A charge that no session of ours has made. @param {string} orderId @param {number} amount @param {string} [operationResult] */
  charge(orderId, amount, operationResult = 'EXECUTED') {
    return this.#record({ orderId, operationType: 'AUTHORIZATION', operationResult, amount });
  }

  /** @param {string} orderId */
  held(orderId) {
    const { authorized, refunded } = this.#totals(orderId);
    return authorized - refunded;
  }

  /** @param {Omit<HeldOperation, 'operationId'>} operation */
  #record(operation) {
    const operationId = String(347_074_400_000_000_000n + BigInt(this.operations.length + 1));
    this.operations.push({ operationId, ...operation });
    return operationId;
  }

  /** @param {string} url @param {RequestInit} init */
  async #fetch(url, { method = 'GET', headers, body }) {
    const { pathname, searchParams } = new URL(url);
    const path = pathname.replace('/api', '');
    this.calls.push(`${method} ${path}`);
    const key = new Headers(headers).get('idempotency-key');
    const given = body ? JSON.parse(String(body)) : Object.fromEntries(searchParams);
    const version = new Headers(headers).get('if-match')?.replaceAll('"', '');
    const answer = (key && this.#answers.get(key)) || this.#answer(`${method} ${path}`, given, version);
    if (key && answer.status === 200) this.#answers.set(key, answer);
    if (method !== 'GET' && this.lost > 0) {
      this.lost -= 1;
      throw new TypeError('fetch failed');
    }
    return Response.json(answer.body, { status: answer.status, headers: { cid: CID } });
  }

  /** @param {string} call @param {any} given @param {string | undefined} version @returns {{ status: number, body: unknown }} */
  #answer(call, given, version) {
    const [, told = ''] = /^PUT \/orders\/(.+)\/fulfilment$/.exec(call) ?? [];
    if (told) return this.#tell(decodeURIComponent(told), given);
    const [, order = ''] = /^GET \/orders\/(.+)$/.exec(call) ?? [];
    const [, operationId = '', what = 'itself'] = /^\w+ \/operations\/(\d+)(?:\/(\w+))?$/.exec(call) ?? [];
    if (call === 'POST /orders/build') return this.#build(given);
    if (order) return this.#order(decodeURIComponent(order));
    if (operationId) return this.#follow(operationId, what, Number(given.amount), version);
    const session = this.sessions.get(given.sessionId);
    if (!session || session.state === 'OVER') return refused('PS0061');
    if (call === 'GET /build/state') return { status: 200, body: { state: session.state === 'PAID' ? 'PAYMENT_COMPLETE' : 'CARD_DATA_COLLECTION' } };
    if (call === 'PATCH /build/session') {
      if (session.state !== 'OPEN') return refused('GW9003');
      session.amount = Number(given.amount);
      return { status: 200, body: { amount: given.amount, currency: session.currency } };
    }
    if (session.state === 'OPEN') session.state = 'OVER';
    return { status: 200, body: { state: 'PAYMENT_COMPLETE' } };
  }

  /** @param {any} body */
  #build(body) {
    const { orderId, currency } = body.order;
    if (this.operations.some((one) => one.orderId === orderId && one.operationType === 'AUTHORIZATION' && ['EXECUTED', 'AUTHORIZED', 'PENDING'].includes(one.operationResult))) return refused('GW9006');
    for (const one of this.sessions.values()) if (one.orderId === orderId && one.state === 'OPEN') one.state = 'OVER';
    const sessionId = `session-${this.sessions.size + 1}-${randomUUID().slice(0, 8)}`;
    this.sessions.set(sessionId, { orderId, amount: Number(body.paymentSession.amount), currency, state: 'OPEN', body });
    return { status: 200, body: { sessionId, securityToken: 'token', form: { html: `<payment-form session="${sessionId}"></payment-form>` } } };
  }

  /** @param {string} orderId */
  #order(orderId) {
    const session = [...this.sessions.values()].find((one) => one.orderId === orderId);
    if (!session) return { status: 404, body: {} };
    const { authorized, captured, refunded } = this.#totals(orderId);
    const order = { orderId, amount: String(session.amount), currency: session.currency };
    const orderStatus = { order, authorizedAmount: String(authorized), capturedAmount: String(captured), refundedAmount: String(refunded) };
    const operations = this.operations.filter((one) => one.orderId === orderId).map(({ amount, ...rest }) => ({ ...rest, operationAmount: String(amount), operationCurrency: session.currency }));
    return { status: 200, body: { orderStatus, orderVersion: this.#version(orderId), operations: operations.toReversed() } };
  }

  /** @param {string} orderId @param {{ state: string }} given */
  #tell(orderId, { state }) {
    if (![...this.sessions.values()].some((one) => one.orderId === orderId)) return { status: 404, body: {} };
    this.goods.set(orderId, state);
    return { status: 200, body: { orderId, state, changedTime: '2030-01-31T10:00:00.000Z' } };
  }

  /** @param {string} orderId */
  #version(orderId) {
    return `v${this.operations.filter((one) => one.orderId === orderId).length}-${this.goods.get(orderId) ?? 'NONE'}`;
  }

  /** @param {string} orderId */
  #totals(orderId) {
    const own = this.operations.filter((one) => one.orderId === orderId);
    const sum = (/** @type {(one: HeldOperation) => boolean} */ which) => own.filter(which).reduce((total, { amount }) => total + amount, 0);
    const isApproved = (/** @type {HeldOperation} */ one) => one.operationType === 'AUTHORIZATION' && ['EXECUTED', 'AUTHORIZED', 'REFUNDED'].includes(one.operationResult);
    return {
      authorized: sum(isApproved),
      captured: sum((one) => one.operationType === 'CAPTURE') + sum((one) => isApproved(one) && one.operationResult === 'EXECUTED'),
      refunded: sum(({ operationType }) => operationType === 'REFUND'),
    };
  }

  /** @param {string} operationId @param {string} what @param {number} amount @param {string | undefined} version */
  #follow(operationId, what, amount, version) {
    const parent = this.operations.find((one) => one.operationId === operationId);
    if (!parent) return { status: 404, body: {} };
    if (what === 'itself') return { status: 200, body: parent };
    const { orderId } = parent;
    if (version !== undefined && version !== this.#version(orderId)) return refused('GW9012', 412);
    const isHold = parent.operationResult === 'AUTHORIZED';
    const left = parent.amount - this.operations.filter((one) => one.parent === operationId).reduce((total, one) => total + one.amount, 0);
    if (what === 'actions') {
      const offer = (/** @type {string} */ actionType) => ({ actionType, maxAmount: String(left), currency: 'EUR' });
      return { status: 200, body: { actions: left === 0 ? [] : (isHold ? ['CAPTURE', 'VOID'] : ['REFUND']).map(offer) } };
    }
    if (amount > left) return refused('PS0027');
    const operationType = what === 'captures' ? 'CAPTURE' : isHold ? 'VOID' : 'REFUND';
    const made = this.#record({ orderId, operationType, operationResult: 'EXECUTED', amount, parent: operationId });
    if (operationType !== 'CAPTURE' && amount === parent.amount) parent.operationResult = isHold ? 'VOIDED' : 'REFUNDED';
    return { status: 200, body: { operationId: made, operationTime: '2030-01-31T10:00:00.000Z' } };
  }

  /** @param {string} sessionId */
  #session(sessionId) {
    const session = this.sessions.get(sessionId);
    if (session?.state !== 'OPEN' && session?.state !== 'CHARGING') throw new Error('nobody can pay in this session');
    return session;
  }
}

/** @param {string} code @param {number} [status] */
const refused = (code, status = 400) => ({ status, body: { errors: [{ code, description: 'refused' }] } });
