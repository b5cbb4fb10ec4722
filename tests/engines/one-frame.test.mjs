/** The form in one frame, in every engine: a whole payment, one with a challenge, and a refusal that leaves another try. */

import { test } from 'node:test';
import { APPROVED, CHALLENGED, NO_FUNDS } from '../e2e/cards.mjs';
import { OneFrame } from './one-frame.mjs';
import { inEveryEngine } from './stage.mjs';

inEveryEngine('one frame', (stage) => {
  test('a card is charged once', async (t) => {
    const payment = await OneFrame.open(stage(), t);
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete', /^Paid\. /);
    await stage().recorded(await payment.orderId(), 'AUTHORIZATION EXECUTED');
  });

  test('a challenge is passed inside the form', async (t) => {
    const payment = await OneFrame.open(stage(), t);
    await payment.payWith(CHALLENGED);
    await payment.answerChallenge('123456');
    await payment.ends('Payment complete', /^Paid\. /);
    await stage().recorded(await payment.orderId(), 'AUTHORIZATION EXECUTED');
  });

  test('a refused card leaves another try', async (t) => {
    const payment = await OneFrame.open(stage(), t);
    await payment.payWith(NO_FUNDS);
    await payment.form.says('#message', /lack of funds/);
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete', /^Paid\. /);
    await stage().recorded(await payment.orderId(), 'AUTHORIZATION DECLINED', 'AUTHORIZATION EXECUTED');
  });
});
