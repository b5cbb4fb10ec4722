/** The time limit of the issuer's page: the warning near its end, and the payment after it. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { CHALLENGED } from './cards.mjs';
import { hasFocus, result, says } from './checkout.mjs';
import { Stage } from './stage.mjs';

const AWAY = /Failed to load resource: net::ERR_|the server responded with a status of/;
const ENDLESS = { ...CHALLENGED, number: '4761730000003023', shown: '4761 7300 0000 3023' };
/** A challenge whose time limit is little longer than the warning. */
const SHORT = { gateway: { PAYFRAME_CHALLENGE_SECONDS: '24' } };

// Most of the time is spent waiting for challenges to end.
suite('time of a challenge', { concurrency: 2 }, () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('challenge-time', SHORT);
  });
  after(() => stage.close());

  test('L5 challenge is open → a titled dialog that holds the focus, with a visible Cancel and the time left when it matters', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.payWith(ENDLESS);
    const dialog = payment.frame.getByRole('dialog', { name: 'Your bank wants to confirm that it is you' });
    await dialog.waitFor();
    await payment.issuer.code.waitFor();
    const leave = payment.frame.getByRole('button', { name: 'Back to the card', exact: true });
    await payment.frame.getByRole('timer').waitFor();
    await says(payment.frame.getByRole('timer'), /Time left: 0:\d\d/);
    await leave.focus();
    await checkout.page.keyboard.press('Tab');
    await hasFocus(payment.frame.getByRole('heading', { name: 'Your bank wants to confirm that it is you' }));
    await leave.click();
    await payment.keeps(ENDLESS);
    await payment.recorded('AUTHORIZATION THREEDS_FAILED');
  });

  test('L7 challenge does not load or end in time → outcome names the cause: no answer', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.live();
    const { told } = await result(payment);
    await payment.payWith(ENDLESS);
    await payment.issuer.code.waitFor();
    const detail = await told;
    assert.equal(detail.cause, 'challenge_timeout');
    assert.equal(detail.outcome, 'declined');
    await payment.keeps(ENDLESS);
  });

  test('L7 challenge does not load or end in time → outcome names the cause: unreachable', async (t) => {
    const checkout = await stage.checkout(t, {}, { noise: AWAY });
    const payment = checkout.payment();
    await payment.live();
    await checkout.page.route('**/threeds/challenge/**', (route) => route.abort('connectionrefused'));
    const { told } = await result(payment);
    await payment.payWith(CHALLENGED);
    await payment.frame.getByRole('button', { name: 'Open in the whole window' }).waitFor();
    assert.equal((await told).cause, 'acs_unreachable');
  });
});
