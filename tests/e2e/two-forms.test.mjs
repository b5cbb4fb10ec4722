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

    await second.pay.click();
    await says(second.status, 'Not paid yet.');
    await second.recorded('AUTHORIZATION DECLINED');
    await first.recorded('AUTHORIZATION EXECUTED');
    await says(first.status, 'Paid. ');
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
