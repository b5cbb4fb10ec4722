/** Browsers without WebAssembly, as in a lockdown mode: the same form as a script, in every engine, for whole payments. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { APPROVED, CHALLENGED, NO_FUNDS } from '../e2e/cards.mjs';
import { OneFrame } from './one-frame.mjs';
import { inEveryEngine } from './stage.mjs';

inEveryEngine(
  'without WebAssembly',
  (stage) => {
    /** @param {import('node:test').TestContext} t */
    const open = async (t) => {
      const payment = await OneFrame.open(stage(), t);
      assert.equal(await payment.form.run('return typeof WebAssembly'), 'undefined', 'the browser has none');
      return payment;
    };

    test('M16 a card is charged once', async (t) => {
      const payment = await open(t);
      await payment.payWith(APPROVED);
      await payment.ends('Payment complete', /^Paid\. /);
      await stage().recorded(await payment.orderId(), 'AUTHORIZATION EXECUTED');
    });

    test('M16 a challenge is passed inside the form', async (t) => {
      const payment = await open(t);
      await payment.payWith(CHALLENGED);
      await payment.answerChallenge('123456');
      await payment.ends('Payment complete', /^Paid\. /);
      await stage().recorded(await payment.orderId(), 'AUTHORIZATION EXECUTED');
    });

    test('M16 a refused card leaves another try', async (t) => {
      const payment = await open(t);
      await payment.payWith(NO_FUNDS);
      await payment.form.says('#message', /lack of funds/);
      await payment.payWith(APPROVED);
      await payment.ends('Payment complete', /^Paid\. /);
      await stage().recorded(await payment.orderId(), 'AUTHORIZATION DECLINED', 'AUTHORIZATION EXECUTED');
    });
  },
  { wasm: 'off' },
);
