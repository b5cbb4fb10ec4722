/** The form in one frame, in every engine: a whole payment, one with a challenge, and a refusal that leaves another try. */

import { test } from 'node:test';
import { Key } from 'selenium-webdriver';
import { APPROVED, CHALLENGED, HOLDER, NO_FUNDS, OTHER_NETWORK } from '../e2e/cards.mjs';
import { OneFrame } from './one-frame.mjs';
import { inEveryEngine } from './stage.mjs';

inEveryEngine('one frame', (stage) => {
  test('a card is charged once', async (t) => {
    const payment = await OneFrame.open(stage(), t);
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete', /^Paid\. /);
    await stage().recorded(await payment.orderId(), 'AUTHORIZATION EXECUTED');
  });

  test('E15 what is typed at Cancel does not press it, and a blank alone does', async (t) => {
    const { form } = await OneFrame.open(stage(), t);
    await form.field('Card number').fill(OTHER_NETWORK.number);
    await form.field('Name on card').click();
    // From the name over Pay.
    await form.type(Key.TAB, Key.TAB, `${HOLDER} ${HOLDER}`);
    await form.until("return document.activeElement.id === 'cancel' && document.getElementById('question').hidden");
    await form.field('Name on card').click();
    await form.type(Key.TAB, Key.TAB, ' ');
    await form.until("return !document.getElementById('question').hidden && document.activeElement.id === 'keep'");
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
