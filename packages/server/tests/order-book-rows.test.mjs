// @ts-check
/** The order book whose rows are in a database: forms, sums that change, what is lost, doubled or interrupted. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OrderBook } from '@payframe/server/order-book';
import { BookGateway } from './book-gateway.mjs';

/** @import { BookRow, BookShop } from '@payframe/server/order-book' */

const MINUTE_MS = 60_000;

/** A shop with one order. @param {{ fulfil?: BookShop['fulfil'] }} [does] */
async function shop({ fulfil } = {}) {
  const gateway = new BookGateway();
  const rows = /** @type {Map<string, string>} */ (new Map());
  const told = /** @type {string[]} */ ([]);
  const reported = /** @type {any[]} */ ([]);
  const sold = new Set();
  let nowMs = 1_000_000;
  const parsed = (/** @type {string | undefined} */ text) => (text === undefined ? undefined : /** @type {BookRow} */ (JSON.parse(text)));
  const options = {
    payframe: gateway.payframe,
    store: {
      read: async (/** @type {string} */ id) => parsed(rows.get(id)),
      insert: async (/** @type {BookRow} */ row) => !rows.has(row.id) && Boolean(rows.set(row.id, JSON.stringify(row))),
      replace: async (/** @type {BookRow} */ row, /** @type {number} */ revision) => parsed(rows.get(row.id))?.revision === revision && Boolean(rows.set(row.id, JSON.stringify(row))),
      waiting: async (/** @type {number} */ now) => [...rows.values()].map((text) => JSON.parse(text)).filter(({ wakeAtMs }) => wakeAtMs !== null && wakeAtMs <= now).map(({ id }) => id),
    },
    shop: {
      fulfil: fulfil ?? (async ({ id }) => (told.push(sold.has(id) ? 'again' : 'sold'), sold.add(id), 'FULFILLED')),
      release: async () => told.push('released'),
      call: async (/** @type {BookRow} */ _row, /** @type {string} */ why) => told.push(`called: ${why}`),
      report: (/** @type {unknown} */ problem) => reported.push(problem),
    },
    now: () => nowMs,
  };
  const book = new OrderBook(/** @type {any} */ (options));
  await book.place('A1', { due: 3545, currency: 'EUR', payWithinMs: 30 * MINUTE_MS });
  const build = (/** @type {number} */ due) => (/** @type {string} */ idempotencyKey) => gateway.payframe.sessions.create(
    { merchantUrl: 'https://shop.example', order: { orderId: 'A1', amount: String(due), currency: 'EUR' }, paymentSession: { amount: String(due), paymentService: 'CARDS', resultUrl: 'https://shop.example/', cancelUrl: 'https://shop.example/' } },
    { idempotencyKey },
  );
  return {
    gateway, book, told, reported,
    form: (due = 3545) => book.form('A1', due, build(due)),
    /** Another server of the same shop. */
    other: () => new OrderBook(/** @type {any} */ (options)),
    row: async () => /** @type {BookRow} */ (await book.row('A1')),
    pass: (/** @type {number} */ ms) => (nowMs += ms),
  };
}

test('a payment sells the goods once, however often it is told', async () => {
  const { gateway, book, told, form, row, other } = await shop();
  const { sessionId = '' } = await form();
  gateway.approve(sessionId);
  await Promise.all([book.happens('A1', { type: 'NOTIFICATION' }), other().happens('A1', { type: 'RETURN_PAGE' }), book.happens('A1', { type: 'NOTIFICATION' })]);
  assert.deepEqual(told.filter((word) => word === 'sold'), ['sold']);
  const { order, outbox, askAtMs } = await row();
  assert.deepEqual([order.status, order.open, outbox, askAtMs], ['PAID', [], [], null]);
  assert.deepEqual(await form(), { refused: 'ALREADY_PAID' });
});

test('a buyer who waits learns the outcome, also while a notification is worked on', async () => {
  const { gateway, book, form, other } = await shop();
  const { sessionId = '' } = await form();
  gateway.approve(sessionId);
  const [row] = await Promise.all([book.look('A1'), other().happens('A1', { type: 'NOTIFICATION' })]);
  assert.equal(row.order.status, 'PAID');
});

test('a buyer who cancels learns that the order is given up, also while another server still reads the order', async () => {
  const { gateway, book, form, other } = await shop();
  await form();
  const { orders } = gateway.payframe;
  const read = orders.read.bind(orders);
  /** @type {() => void} */
  let answer = () => {};
  const isAsked = new Promise((asked) => {
    // The other server's question is answered last.
    orders.read = (id) => {
      orders.read = read;
      asked(undefined);
      return new Promise((done) => (answer = () => done(read(id))));
    };
  });
  const cancelled = other().happens('A1', { type: 'TIME_OUT' });
  await isAsked;
  const row = await book.look('A1', { type: 'TIME_OUT' });
  assert.equal(row.order.status, 'GIVEN_UP');
  answer();
  await cancelled;
  assert.equal((await book.row('A1'))?.order.status, 'GIVEN_UP');
});

test('a lost notification does no harm: the order is read again by itself', async () => {
  const { gateway, book, told, form, pass } = await shop();
  const { sessionId = '' } = await form();
  gateway.approve(sessionId);
  await book.wake();
  assert.deepEqual(told, []);
  pass(5_000);
  await book.wake();
  assert.deepEqual(told, ['sold']);
});

test('an open form is shown again, also in another tab and by another server', async () => {
  const { gateway, form, other, row } = await shop();
  const { sessionId, html } = await form();
  assert.match(html ?? '', /payment-form/);
  assert.deepEqual(await form(), { sessionId });
  assert.deepEqual(await other().form('A1', 3545, () => Promise.reject(new Error('no other session'))), { sessionId });
  assert.equal((await row()).order.attempts, 1);
  const session = gateway.sessions.get(sessionId ?? '');
  assert.ok(session);
  session.state = 'OVER';
  assert.notEqual((await form()).sessionId, sessionId, 'a session that is over is replaced');
});

test('a second charge is found and given back with one key, also when the answer is lost', async () => {
  const { gateway, book, told, reported, form, row, pass } = await shop();
  const { sessionId = '' } = await form();
  gateway.approve(sessionId);
  gateway.charge('A1', 3545);
  gateway.lost = 2;
  await book.happens('A1', { type: 'NOTIFICATION' });
  assert.ok(reported.length > 0, 'lost answers are reported');
  assert.deepEqual(told, ['sold']);
  for (let rounds = 0; rounds < 3; rounds += 1) {
    pass(10_000);
    await book.wake();
  }
  assert.equal(gateway.held('A1'), 3545);
  assert.equal(gateway.operations.filter(({ operationType }) => operationType === 'REFUND').length, 1);
  assert.deepEqual([(await row()).order.status, (await row()).outbox, told], ['PAID', [], ['sold']]);
});

test('the sum of an open form changes, and the new sum is what is due', async () => {
  const { gateway, book, told, form, row } = await shop();
  const { sessionId = '' } = await form();
  assert.deepEqual(await form(4545), { sessionId });
  assert.deepEqual([gateway.sessions.get(sessionId)?.amount, (await row()).order.due, (await row()).newSum], [4545, 4545, null]);
  gateway.approve(sessionId);
  await book.happens('A1', { type: 'NOTIFICATION' });
  assert.deepEqual(told, ['sold']);
});

test('a change whose answer was lost is finished before the order is read', async () => {
  const { gateway, book, told, form, row } = await shop();
  const { sessionId = '' } = await form();
  gateway.lost = 1;
  await assert.rejects(form(2545), { code: 'unreachable' });
  assert.deepEqual([(await row()).order.due, (await row()).newSum?.due], [3545, 2545]);
  gateway.approve(sessionId);
  await book.happens('A1', { type: 'NOTIFICATION' });
  assert.deepEqual([told, (await row()).order.due], [['sold'], 2545]);
});

test('the sum does not change under a payment that is on its way', async () => {
  const { gateway, form, row } = await shop();
  const { sessionId = '' } = await form();
  const session = gateway.sessions.get(sessionId);
  assert.ok(session);
  session.state = 'CHARGING';
  assert.deepEqual(await form(4545), { refused: 'BEING_PAID' });
  assert.deepEqual([(await row()).order.due, (await row()).newSum], [3545, null]);
});

test('money for goods that can not be sold any more goes back', async () => {
  const { gateway, book, form, row, pass } = await shop({ fulfil: async () => 'NOT_FOR_SALE' });
  const { sessionId = '' } = await form();
  gateway.approve(sessionId);
  await book.happens('A1', { type: 'NOTIFICATION' });
  pass(15_000);
  await book.wake();
  assert.deepEqual([gateway.held('A1'), (await row()).order.status, (await row()).outbox], [0, 'REFUNDED', []]);
});

test('an order that is not paid in time is closed at the gateway, and then given up', async () => {
  const { gateway, book, told, form, row, pass } = await shop();
  const { sessionId = '' } = await form();
  pass(30 * MINUTE_MS);
  await book.wake();
  assert.equal(gateway.sessions.get(sessionId)?.state, 'OVER');
  assert.deepEqual([(await row()).order.status, (await row()).wakeAtMs, told], ['GIVEN_UP', null, ['released']]);
});

test('work that a crash interrupted is done by the next server', async () => {
  let isDown = true;
  const sold = /** @type {string[]} */ ([]);
  const { gateway, book, other, form, row, pass } = await shop({
    async fulfil({ id }) {
      if (isDown) throw new Error('the server died');
      sold.push(id);
      return 'FULFILLED';
    },
  });
  const { sessionId = '' } = await form();
  gateway.approve(sessionId);
  await book.happens('A1', { type: 'NOTIFICATION' });
  assert.deepEqual((await row()).outbox, [{ type: 'FULFIL' }]);
  isDown = false;
  pass(10_000);
  await other().wake();
  assert.deepEqual([sold, (await row()).outbox], [['A1'], []]);
});

test('work that fails is tried again after a while, not at every look', async () => {
  let tries = 0;
  const { gateway, book, form, pass } = await shop({ fulfil: async () => Promise.reject(new Error(`try ${(tries += 1)}`)) });
  const { sessionId = '' } = await form();
  gateway.approve(sessionId);
  await book.happens('A1', { type: 'NOTIFICATION' });
  pass(10_000);
  await book.wake();
  const before = tries;
  pass(1_000);
  await book.wake();
  assert.equal(tries, before);
  pass(9_000);
  await book.wake();
  assert.equal(tries, before + 1);
});

test('an order that another attempt has paid is read at once', async () => {
  const { gateway, told, form } = await shop();
  const { sessionId = '' } = await form();
  gateway.approve(sessionId);
  assert.deepEqual(await form(), { refused: 'ALREADY_PAID' });
  assert.deepEqual(told, ['sold']);
});

test('an issuer that has not decided keeps the buyer from paying again', async () => {
  const { gateway, book, told, form } = await shop();
  const { sessionId = '' } = await form();
  gateway.approve(sessionId, 'PENDING');
  await book.happens('A1', { type: 'RETURN_PAGE' });
  assert.deepEqual([await form(), told], [{ refused: 'UNDECIDED' }, []]);
});

test('an unknown order is an error that a notification handler can answer with 404', async () => {
  const { book } = await shop();
  await assert.rejects(book.happens('B2', { type: 'NOTIFICATION' }), { code: 'order_unknown' });
});

test('the gateway is told what became of the goods', async () => {
  const { gateway, book, form } = await shop();
  const { sessionId = '' } = await form();
  gateway.approve(sessionId);
  await book.happens('A1', { type: 'NOTIFICATION' });
  assert.equal(gateway.goods.get('A1'), 'FULFILLED');
  const unpaid = await shop();
  await unpaid.form();
  unpaid.pass(31 * MINUTE_MS);
  await unpaid.book.wake();
  assert.deepEqual([unpaid.told, unpaid.gateway.goods.get('A1')], [['released'], 'CANCELED']);
});

test('a second charge is given back although another call has changed the order', async () => {
  const { gateway, book, form, told } = await shop({
    fulfil: async () => (await gateway.payframe.orders.tellFulfilment('A1', { state: 'PARTIAL' }), 'FULFILLED'),
  });
  const { sessionId = '' } = await form();
  const first = gateway.approve(sessionId);
  gateway.charge('A1', 3545);
  const { refund } = gateway.payframe.operations;
  gateway.payframe.operations.refund = async (...request) => {
    gateway.goods.set('A1', 'RETURNED');
    gateway.payframe.operations.refund = refund;
    return refund.apply(gateway.payframe.operations, request);
  };
  await book.happens('A1', { type: 'NOTIFICATION' });
  assert.deepEqual([gateway.held('A1'), told], [3545, []]);
  assert.ok(gateway.operations.every(({ parent }) => parent !== first));
});

test('the last payment is not given back when somebody has given the other one back meanwhile', async () => {
  const { gateway, book, form, told } = await shop();
  const { sessionId = '' } = await form();
  const first = gateway.approve(sessionId);
  gateway.charge('A1', 3545);
  const { operations } = gateway.payframe;
  const refund = operations.refund.bind(operations);
  operations.refund = async (...request) => {
    operations.refund = refund;
    // Staff in the back office, after the book has read the order.
    await refund(first, { amount: '3545', currency: 'EUR' });
    return refund(...request);
  };
  await book.happens('A1', { type: 'NOTIFICATION' });
  assert.equal(gateway.held('A1'), 3545, 'one payment is left');
  assert.ok(told.includes('called: NOT_GIVEN_BACK'));
});

test('an order whose work takes long does not hold up the others', async () => {
  const { promise: long, resolve: release } = deferred();
  const { promise: reported, resolve: report } = deferred();
  const store = { waiting: async () => ['long', 'other'], read: async (/** @type {string} */ id) => (id === 'long' ? long : undefined) };
  const book = new OrderBook(/** @type {any} */ ({ payframe: {}, store, shop: { report } }));
  const woken = book.wake();
  // The other one is not in the store, and that is reported.
  assert.equal((await reported).code, 'order_unknown');
  release(undefined);
  await woken;
});

/** @returns {{ promise: Promise<any>, resolve: (value: unknown) => void }} */
function deferred() {
  let resolve = (/** @type {unknown} */ _value) => {};
  const promise = new Promise((done) => { resolve = done; });
  return { promise, resolve };
}
