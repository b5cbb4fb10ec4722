/** Somebody tries out cards at the terminal: the form computes a proof of work, and the buyer presses once. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { APPROVED, NO_FUNDS } from './cards.mjs';
import { Stage } from './stage.mjs';

const TERMINAL = '91000001';
/** Chromium writes every refusal to the console. */
const ASKED = { noise: /status of 400 .*\/fe\/build\/text/ };

suite('under attack', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('under-attack', { gateway: { PAYFRAME_CARD_TESTING_RULES: 'on' } });
    // All of this machine's buyers have one address.
    await stage.gateway.command('terminal', 'set', TERMINAL, 'card_testing_limits=terminal:2,address:0,range:0,card:0');
  });
  after(() => stage.close());

  test('M18 a quiet terminal asks for nothing, and one under attack for a proof that the form computes without blocking its page', async (t) => {
    const quiet = (await stage.checkout(t)).payment();
    await quiet.payWith(APPROVED);
    await quiet.ends('Payment complete');
    assert.equal(quiet.checkout.requestsTo('fe/build/text').length, 1);

    for (let tries = 0; tries < 3; tries++) await stage.api.tried({ shop: stage.shopOrigin, card: NO_FUNDS });
    const checkout = await stage.checkout(t, {}, ASKED);
    const payment = checkout.payment();
    await payment.fill(APPROVED);
    const form = checkout.document('/form/');
    const longest = await form.evaluateHandle(() => {
      const longest = { ms: 0 };
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) longest.ms = Math.max(longest.ms, duration);
      }).observe({ type: 'longtask' });
      return longest;
    });
    await payment.press();
    await payment.ends('Payment complete');
    const [first, second, ...more] = checkout.requestsTo('fe/build/text');
    assert.ok(first && second && more.length === 0, 'asked once, answered once');
    /** @param {import('playwright-core').Request} request @returns {string[]} */
    const ids = (request) => request.postDataJSON().map((/** @type {{ id: string }} */ { id }) => id);
    assert.ok(!ids(first).includes('PROOF_OF_WORK') && ids(second).includes('PROOF_OF_WORK'));
    assert.equal(await first.headerValue('idempotency-key'), await second.headerValue('idempotency-key'), 'one submission');
    t.diagnostic(`longest task: ${(await longest.evaluate(({ ms }) => ms)).toFixed(0)} ms`);
    await payment.recorded('AUTHORIZATION EXECUTED');
  });
});
