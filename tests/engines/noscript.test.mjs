/** Browsers that run no script in the form's frame, or in any page: the printed form leads to plain pages of the gateway, for whole payments. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { APPROVED, CHALLENGED, NO_FUNDS, WRONG_CHECK_DIGIT } from '../e2e/cards.mjs';
import { newOrderId } from '../e2e/gateway-api.mjs';
import { servePages } from '../e2e/page-server.mjs';
import { inEveryEngine } from './stage.mjs';

/** @typedef {import('../e2e/cards.mjs').Card} Card */
/** @typedef {import('./page.mjs').Place} Place */
/** @typedef {import('./stage.mjs').Stage} Stage */

const FRAME = "document.querySelector('payment-form').shadowRoot.querySelector('iframe')";
/** A page that says whether it runs scripts. */
const WITNESS = "<script>document.title = 'scripts run'</script>";

/**
 * A shop that prints the form.
 * @param {Stage} stage @param {import('node:test').TestContext} t
 * @param {(form: string, path: string) => string} content of its page at a path
 * @param {{ noise?: RegExp }} [expected]
 */
const openShop = async (stage, t, content, expected) => {
  let html = '';
  const shop = await servePages(t, (path) => content(html, path));
  const orderId = newOrderId();
  const { form } = await stage.api.open({ shop, orderId, form: { closing: 'FRAME', attempts: 3 } });
  html = form.html;
  return { page: await stage.page(t, shop, expected), orderId };
};

/** @param {Place} form @param {Card} card */
const payWith = async (form, card) => {
  await form.field('Card number').fill(card.number);
  await form.field('Expiry date').fill(card.expiry);
  await form.field('Security code').fill(card.code);
  await form.field('Name on card').fill(card.name);
  await form.button('Pay €35.45').click();
};

/** Answers the issuer's question, and goes on to the outcome. @param {Place} form */
const passChallenge = async (form) => {
  await form.says('h1', /^Your bank wants to confirm/);
  const issuer = form.titled('Page of your bank');
  await issuer.testId('acs-otp').fill('123456');
  await issuer.testId('acs-submit').click();
  await issuer.says('h1', /^Back to the shop$/);
  await form.control('a.main').click();
  await form.says('h1', /^Payment complete$/);
};

inEveryEngine(
  'without scripts',
  (stage) => {
    /** @param {import('node:test').TestContext} t */
    const open = async (t) => {
      const { page, orderId } = await openShop(stage(), t, (form) => form + WITNESS);
      assert.equal(await page.run('return document.title'), 'Page', 'the browser runs no script');
      return { form: page.within(FRAME), orderId };
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
      await passChallenge(form);
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

inEveryEngine('without scripts in a sandbox of the page', (stage) => {
  test('M17 a challenge is passed inside the form', async (t) => {
    const around = '<iframe sandbox="allow-forms allow-same-origin" src="/form" width="800" height="800"></iframe>';
    const { page, orderId } = await openShop(stage(), t, (form, path) => WITNESS + (path === '/form' ? form : around), { noise: /Blocked script execution/ });
    assert.equal(await page.run('return document.title'), 'scripts run', 'the page runs its scripts');
    const sandbox = page.within("document.querySelector('iframe')");
    await sandbox.says('title', /^Page$/);
    const form = sandbox.within(FRAME);
    // In a sandbox no page goes on by itself.
    await form.control('noscript a').click();
    await payWith(form, CHALLENGED);
    await passChallenge(form);
    await stage().recorded(orderId, 'AUTHORIZATION EXECUTED');
  });
});
