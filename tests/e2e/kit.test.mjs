/** The kit for merchants' own tests (`packages/testing`), used as `docs/testing.md` says, against gateway and shop as they are. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { CardForm, testCard } from '../../packages/testing/src/playwright.js';
import { says } from './checkout.mjs';
import { Stage } from './stage.mjs';

suite('kit', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('kit');
  });
  after(() => stage.close());

  test('O8 without a network a whole payment runs against the gateway, and the shop\'s server hears of it', async (t) => {
    /** @type {string[]} */
    const outside = [];
    const prepare = (/** @type {import('playwright-core').Page} */ page) =>
      page.route(({ hostname }) => !['localhost', '127.0.0.1'].includes(hostname), (route) => {
        outside.push(route.request().url());
        return route.abort();
      });
    const checkout = await stage.checkout(t, {}, { prepare });
    const form = await CardForm.on(checkout.page);
    await form.fill(testCard('challenged'));
    await form.pay();
    await form.bank.answer();
    const { outcome, orderId } = await form.outcome();
    assert.equal(outcome, 'approved');
    await stage.notified(orderId);
    assert.deepEqual(outside, []);
  });

  for (const { layout, path } of [{ layout: 'one frame', path: '/' }, { layout: 'fields of their own', path: '/fields' }]) {
    /** @param {import('playwright-core').Page} page */
    const open = (page) => CardForm.on(page, path === '/' ? {} : { payButton: page.getByRole('button', { name: 'Pay €35.45' }) });

    test(`O10 the kit fills and pays by role and label: ${layout}`, async (t) => {
      const { page } = await stage.checkout(t, {}, { path });
      const form = await open(page);
      await form.fill(testCard());
      await form.pay();
      const { outcome, final } = await form.outcome();
      assert.deepEqual({ outcome, final }, { outcome: 'approved', final: true });
      await says(page.getByRole('status'), 'Paid. ');
    });

    test(`O10 a refusal and another try, a challenge in between: ${layout}`, async (t) => {
      const { page } = await stage.checkout(t, {}, { path });
      const form = await open(page);
      await form.fill(testCard('noFunds'));
      await form.pay();
      const { outcome, final } = await form.outcome();
      assert.deepEqual({ outcome, final }, { outcome: 'declined', final: false });
      // Number and code are typed again, expiry date and name are still there.
      const { number, code } = testCard('challenged');
      await form.fill({ number, code });
      await form.pay();
      await form.bank.answer('000000');
      await form.bank.alert.waitFor();
      await form.bank.answer();
      assert.equal((await form.outcome()).outcome, 'approved');
    });
  }

  test('O10 the kit pays on a phone, where the button is out of sight until it is pressed', async (t) => {
    const { page } = await stage.checkout(t, {}, { context: { viewport: { width: 390, height: 844 } } });
    const form = await CardForm.on(page);
    await form.fill(testCard());
    const told = await form.element.evaluateHandle((form) => {
      /** @type {string[]} */
      const codes = [];
      form.addEventListener('error', (event) => codes.push(/** @type {CustomEvent} */ (event).detail.code));
      return codes;
    });
    await form.pay();
    assert.equal((await form.outcome()).outcome, 'approved');
    assert.deepEqual(await told.jsonValue(), [], 'nothing covers it');
  });

  test('O10 the kit speaks the form\'s language', async (t) => {
    const { page } = await stage.checkout(t, { locale: 'de' });
    const form = await CardForm.on(page, { locale: 'de-AT' });
    await form.fill(testCard('3742 450000 00009'));
    await form.pay();
    assert.equal((await form.outcome()).outcome, 'approved');
  });

  test('what the kit can not do it says', async (t) => {
    const { page } = await stage.checkout(t, {}, { path: '/fields' });
    await assert.rejects(CardForm.on(page), /The form shows no pay button/);
    await assert.rejects(CardForm.on(page, { locale: 'tlh' }), /no texts in the language "tlh"/);
    const form = await CardForm.on(page, { payButton: page.getByRole('button', { name: 'Pay €35.45' }) });
    await assert.rejects(form.outcome(), /call `pay` first/);
    assert.throws(() => testCard('broke'), /There is no test card "broke"; there are approved, /);
  });
});
