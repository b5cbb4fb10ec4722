/** Browsers whose pages run no script: the printed form leads to plain pages of the gateway, in every engine, for whole payments. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { APPROVED, CHALLENGED, NO_FUNDS, WRONG_CHECK_DIGIT } from '../e2e/cards.mjs';
import { newOrderId } from '../e2e/gateway-api.mjs';
import { servePages } from '../e2e/page-server.mjs';
import { inEveryEngine } from './stage.mjs';

/** @typedef {import('../e2e/cards.mjs').Card} Card */

const FRAME = "document.querySelector('payment-form').shadowRoot.querySelector('iframe')";

inEveryEngine(
  'without scripts',
  (stage) => {
    /** A shop that prints the form. @param {import('node:test').TestContext} t */
    const open = async (t) => {
      let html = '';
      const shop = await servePages(t, () => `${html}<script>document.title = 'scripts run'</script>`);
      const orderId = newOrderId();
      const { form } = await stage().api.open({ shop, orderId, form: { closing: 'FRAME', attempts: 3 } });
      html = form.html;
      const page = await stage().page(t, shop);
      assert.equal(await page.run('return document.title'), 'Page', 'the browser runs no script');
      return { form: page.within(FRAME), orderId };
    };

    /** @param {import('./page.mjs').Place} form @param {Card} card */
    const payWith = async (form, card) => {
      await form.field('Card number').fill(card.number);
      await form.field('Expiry date').fill(card.expiry);
      await form.field('Security code').fill(card.code);
      await form.field('Name on card').fill(card.name);
      await form.button('Pay €35.45').click();
    };

    test('M17 a card is charged once', async (t) => {
      const { form, orderId } = await open(t);
      await payWith(form, APPROVED);
      await form.says('h1', /^Payment complete$/);
      await form.run('location.reload()');
      await form.says('h1', /^Payment complete$/);
      await stage().recorded(orderId, 'AUTHORIZATION EXECUTED');
    });

    test('M17 a challenge is passed inside the form', async (t) => {
      const { form, orderId } = await open(t);
      await payWith(form, CHALLENGED);
      await form.says('h1', /^Your bank wants to confirm/);
      const issuer = form.titled('Page of your bank');
      await issuer.testId('acs-otp').fill('123456');
      await issuer.testId('acs-submit').click();
      await issuer.says('h1', /^Back to the shop$/);
      await form.control('a.main').click();
      await form.says('h1', /^Payment complete$/);
      await stage().recorded(orderId, 'AUTHORIZATION EXECUTED');
    });

    test('M17 mistakes and refusals leave another try', async (t) => {
      const { form, orderId } = await open(t);
      await payWith(form, WRONG_CHECK_DIGIT);
      await form.says('#CARD_NUMBER-note', /typing mistake/);
      await form.field('Card number').holds('');
      await form.field('Name on card').holds(WRONG_CHECK_DIGIT.name);
      await payWith(form, NO_FUNDS);
      await form.says('.note', /lack of funds/);
      await payWith(form, APPROVED);
      await form.says('h1', /^Payment complete$/);
      await stage().recorded(orderId, 'AUTHORIZATION DECLINED', 'AUTHORIZATION EXECUTED');
    });
  },
  { scripts: 'off' },
);
