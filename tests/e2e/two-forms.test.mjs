/** Two forms on one page: each answers for its own payment only. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { APPROVED, CHALLENGED, NO_FUNDS } from './cards.mjs';
import { holds, says } from './checkout.mjs';
import { Stage } from './stage.mjs';

suite('two forms', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('two-forms');
  });
  after(() => stage.close());

  test('J6 paying one leaves the other as it is', async (t) => {
    const checkout = await stage.checkout(t, { forms: 2 });
    const first = checkout.payment({ number: 1 });
    const second = checkout.payment({ number: 2 });
    assert.notEqual(await first.session(), await second.session());
    await second.fill(NO_FUNDS);
    await first.payWith(APPROVED);
    await first.ends('Payment complete');
    await says(first.status, `Paid. Order ${await first.orderId()}`);
    await first.recorded('AUTHORIZATION EXECUTED');

    await second.recorded();
    await holds(second.number, NO_FUNDS.shown);
    await holds(second.code, NO_FUNDS.code);
    assert.equal(await second.status.textContent(), '');

    await second.press();
    await says(second.status, 'Not paid yet.');
    await second.recorded('AUTHORIZATION DECLINED');
    await first.recorded('AUTHORIZATION EXECUTED');
    await says(first.status, 'Paid. ');
  });

  test('G5 reader arrives at the frame → localised title, unique on the page, and frame language and direction match the text', async (t) => {
    const checkout = await stage.checkout(t, { forms: 2, locale: 'it' });
    const [first, second] = [1, 2].map((number) => checkout.payment({ number, locale: 'it' }));
    assert.ok(first && second);
    await Promise.all([first.live(), second.live()]);
    /** @param {...string} titles */
    const named = async (...titles) => {
      for (const title of titles) await checkout.page.getByTitle(title, { exact: true }).waitFor();
      const shown = await Promise.all([first, second].map(({ element }) => element.getAttribute('title')));
      assert.deepEqual(shown.sort(), titles);
    };
    await named('Pagamento con carta', 'Pagamento con carta 2');
    for (const payment of [first, second]) {
      const form = await payment.document();
      assert.deepEqual(await form.evaluate(() => [document.title, document.documentElement.lang, document.documentElement.dir]), ['Pagamento con carta', 'it', 'ltr']);
    }
    // In another language the form has another name; a name that the page chose stays.
    await second.region.locator('payment-form').evaluate((form) => /** @type {any} */ (form).update({ locale: 'ar' }));
    await checkout.page.getByTitle('الدفع بالبطاقة', { exact: true }).waitFor();
    const arabic = await second.document();
    assert.deepEqual(await arabic.evaluate(() => [document.title, document.documentElement.lang, document.documentElement.dir]), ['الدفع بالبطاقة', 'ar', 'rtl']);
    await first.region.locator('payment-form').evaluate((form) => {
      form.setAttribute('label', 'Ordine 7');
      /** @type {any} */ (form).reload();
    });
    await checkout.page.getByTitle('Ordine 7', { exact: true }).waitFor();
    await first.live();
    await first.recorded();
  });

  test('a challenge in each is answered for each', async (t) => {
    const checkout = await stage.checkout(t, { forms: 2 });
    const first = checkout.payment({ number: 1 });
    const second = checkout.payment({ number: 2 });
    await first.payWith(CHALLENGED);
    await first.issuer.code.waitFor();
    await second.payWith(CHALLENGED);
    await second.issuer.code.waitFor();
    await second.issuer.answer('123456');
    await second.ends('Payment complete');
    await second.recorded('AUTHORIZATION EXECUTED');
    await first.recorded();
    await first.frame.getByRole('button', { name: 'Back to the card', exact: true }).click();
    await first.keeps(CHALLENGED);
    await first.recorded('AUTHORIZATION THREEDS_FAILED');
    await second.recorded('AUTHORIZATION EXECUTED');
  });
});
