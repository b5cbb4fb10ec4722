/** The gateway's own payment page, for a buyer who was sent there by a shop or who opened a payment link. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { APPROVED, CHALLENGED, NO_FUNDS } from './cards.mjs';
import { hasFocus, holds, says } from './checkout.mjs';
import { HostedPage } from './hosted.mjs';
import { Stage } from './stage.mjs';
import { violations } from './wcag.mjs';

suite('hosted page', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('hosted-page');
  });
  after(() => stage.close());

  test('a card is paid there, and the browser comes back exactly as the shop said', async (t) => {
    const hosted = await HostedPage.open(stage, t, { resultUrl: `${stage.shopOrigin}/orders/none?a=1&b=%20` }, { noise: /status of 404/ });
    await says(hosted.page.getByRole('heading', { level: 1 }), 'Payment to Demo shop');
    await says(hosted.page.locator('.sum'), '€35.45');
    await says(hosted.page.getByRole('definition').first(), hosted.orderId);
    const back = hosted.page.waitForRequest((request) => request.url().startsWith(stage.shopOrigin));
    await hosted.payment.payWith(APPROVED);
    await hosted.payment.ends('Payment complete');
    await says(hosted.payment.status, 'You are being taken back to Demo shop');
    await hosted.page.waitForURL((url) => url.origin === stage.shopOrigin);
    assert.equal(hosted.page.url(), `${stage.shopOrigin}/orders/none?a=1&b=%20`);
    const headers = await (await back).allHeaders();
    assert.equal(headers.referer, undefined, 'the shop does not learn the address of the page');
    await hosted.recorded('AUTHORIZATION EXECUTED');
  });

  test('a refused card is told in the form, and another one pays', async (t) => {
    const hosted = await HostedPage.open(stage, t);
    await hosted.payment.payWith(NO_FUNDS);
    await says(hosted.payment.alert, 'lack of funds');
    await hosted.payment.payWith(APPROVED);
    await hosted.page.waitForURL((url) => url.origin === stage.shopOrigin);
    await hosted.recorded('AUTHORIZATION DECLINED', 'AUTHORIZATION EXECUTED');
  });

  test('a challenge is answered in the form, also after the page was loaded again', async (t) => {
    const hosted = await HostedPage.open(stage, t);
    await hosted.payment.payWith(CHALLENGED);
    await hosted.payment.issuer.code.waitFor();
    await hosted.page.reload();
    await hosted.payment.issuer.code.waitFor();
    await hosted.payment.issuer.answer('123456');
    await hosted.page.waitForURL((url) => url.origin === stage.shopOrigin);
    await hosted.recorded('AUTHORIZATION EXECUTED');
  });

  test('the buyer goes back to the shop without paying: by the page and by the form', async (t) => {
    for (const way of /** @type {const} */ (['page', 'form'])) {
      const hosted = await HostedPage.open(stage, t, { cancelUrl: `${stage.shopOrigin}/notifications` });
      await hosted.payment.live();
      await (way === 'page' ? hosted.back : hosted.payment.cancel).click();
      await hosted.page.waitForURL(`${stage.shopOrigin}/notifications`);
      await hosted.recorded('AUTHORIZATION CANCELED');
      await hosted.page.goto(hosted.address);
      await hosted.page.getByRole('heading', { name: 'Payment cancelled' }).waitFor();
      assert.equal(await hosted.page.locator('payment-form').count(), 0);
    }
  });

  test('another method is chosen on the page and comes back to the shop', async (t) => {
    const hosted = await HostedPage.open(stage, t, { paymentService: '' });
    await hosted.payment.live();
    await hosted.page.getByText('Other ways to pay').click();
    await hosted.page.getByRole('button', { name: 'Pay with PayPal', exact: true }).click();
    await hosted.page.waitForURL(`${stage.gatewayOrigin}/methods/pay/**`);
    await hosted.page.goBack();
    await hosted.page.getByRole('button', { name: 'Pay with PayPal', exact: true }).click();
    await hosted.page.getByTestId('apm-refuse').click();
    await says(hosted.page.getByText('The payment was refused'), '');
    await hosted.payment.payWith(APPROVED);
    await hosted.page.waitForURL((url) => url.origin === stage.shopOrigin);
    await hosted.recorded('AUTHORIZATION DECLINED', 'AUTHORIZATION EXECUTED');
  });

  test('two windows pay once, and the other one hears of it', async (t) => {
    const hosted = await HostedPage.open(stage, t);
    const other = await hosted.page.context().newPage();
    await other.goto(hosted.address);
    await other.locator('payment-form:state(ready)').waitFor();
    await hosted.payment.payWith(APPROVED);
    await hosted.page.waitForURL((url) => url.origin === stage.shopOrigin);
    await other.reload();
    await other.getByRole('heading', { name: 'Payment complete' }).waitFor();
    await hosted.recorded('AUTHORIZATION EXECUTED');
  });

  test('a fault of the gateway and a lost connection leave the page and what was typed as they are', async (t) => {
    const hosted = await HostedPage.open(stage, t, {}, { noise: /status of 50[03]|net::ERR_FAILED/ });
    const { page, payment } = hosted;
    await payment.fill(APPROVED);
    let loads = 0;
    page.on('domcontentloaded', () => loads++);
    const session = await payment.session();
    const asksAgain = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    for (const status of [503, 500]) {
      await page.route('**/session', (route) => route.fulfill({ status }), { times: 1 });
      await Promise.all([page.waitForResponse((answer) => answer.url().endsWith('/session')), asksAgain()]);
    }
    await page.route('**/session', (route) => route.abort(), { times: 1 });
    await Promise.all([page.waitForEvent('requestfailed', (request) => request.url().endsWith('/session')), asksAgain()]);
    // The page has acted on these answers when the gateway itself has given the next one.
    await Promise.all([page.waitForResponse((answer) => answer.url().endsWith('/session') && answer.ok()), asksAgain()]);
    assert.equal(loads, 0, 'the page was loaded again');
    assert.equal(await payment.session(), session);
    await holds(payment.number, APPROVED.shown);
    await payment.press();
    await page.waitForURL((url) => url.origin === stage.shopOrigin);
    await hosted.recorded('AUTHORIZATION EXECUTED');
  });

  test('without scripts the page tells what is to be paid, and the way back works', async (t) => {
    const hosted = await HostedPage.open(stage, t, {}, { context: { javaScriptEnabled: false } });
    await says(hosted.page.locator('.sum'), '€35.45');
    await hosted.back.click();
    await hosted.page.waitForURL((url) => url.origin === stage.shopOrigin);
    await hosted.recorded();
  });

  test('the Tab key goes from the way back into the form, and Enter pays', async (t) => {
    const hosted = await HostedPage.open(stage, t);
    const { payment, page } = hosted;
    await payment.live();
    await hosted.back.focus();
    await page.keyboard.press('Tab');
    await hasFocus(payment.number);
    await page.keyboard.type(APPROVED.number);
    await page.keyboard.press('Tab');
    await page.keyboard.type(APPROVED.expiry.replaceAll(/\D/g, '') + APPROVED.code + APPROVED.name);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.origin === stage.shopOrigin);
    await hosted.recorded('AUTHORIZATION EXECUTED');
  });

  test('a link is paid once, and its page tells what became of it', async (t) => {
    const hosted = await HostedPage.openLink(stage, t);
    assert.equal(await hosted.back.count(), 0, 'there is no shop to go back to');
    await hosted.payment.payWith(APPROVED);
    const paid = hosted.page.locator('main').getByRole('heading', { name: 'Payment complete', level: 2 });
    await paid.waitFor();
    assert.equal(hosted.page.url(), hosted.address);
    await says(hosted.page.getByText('paid to Demo shop'), '€35.45');
    const operations = await hosted.recorded('AUTHORIZATION EXECUTED');
    assert.equal(operations[0].channelDetail, 'PAY_BY_LINK');
    await hosted.page.reload();
    await paid.waitFor();
    assert.equal(await hosted.page.locator('payment-form').count(), 0);
  });

  test('the demo shop sends the buyer there, and customers an address', async (t) => {
    for (const path of ['/hosted', '/link']) {
      const checkout = await stage.checkout(t, {}, { path });
      const way = checkout.page.locator('#address');
      const address = await way.getAttribute('href');
      const order = await checkout.page.locator('a.order').getAttribute('href');
      assert.ok(address && order && address.startsWith(stage.gatewayOrigin));
      await way.click();
      await checkout.page.waitForURL(address);
      const hosted = new HostedPage(checkout, address, order.slice('/orders/'.length));
      await hosted.payment.payWith(APPROVED);
      await hosted.page.waitForURL(`${stage.shopOrigin}/result?order=${hosted.orderId}`);
      await says(hosted.page.getByRole('heading', { level: 2 }).first(), 'Paid');
      await hosted.recorded('AUTHORIZATION EXECUTED');
    }
  });

  test('who leaves a link finds it again', async (t) => {
    const hosted = await HostedPage.openLink(stage, t);
    await hosted.payment.live();
    await hosted.payment.cancel.click();
    await hosted.page.waitForURL(`${hosted.address}?left=1`);
    await hosted.page.getByRole('heading', { name: 'Payment cancelled' }).waitFor();
    await hosted.page.getByRole('link', { name: 'Pay', exact: true }).click();
    await hosted.payment.payWith(APPROVED);
    await hosted.page.getByRole('heading', { name: 'Payment complete', level: 2 }).waitFor();
    await hosted.recorded('AUTHORIZATION CANCELED', 'AUTHORIZATION EXECUTED');
  });

  /** @type {{ name: string, language: string, context?: import('playwright-core').BrowserContextOptions }[]} */
  const dresses = [
    { name: 'light', language: 'eng' },
    { name: 'dark', language: 'eng', context: { colorScheme: 'dark' } },
    { name: 'phone', language: 'ita', context: { viewport: { width: 360, height: 740 } } },
    { name: 'right to left', language: 'ara' },
  ];
  for (const { name, language, context } of dresses) {
    test(`axe finds nothing, and nothing is wider than the screen: ${name}`, async (t) => {
      const hosted = await HostedPage.open(stage, t, { language, paymentService: '' }, { context, noise: /status of 404/ });
      /** @param {string} state */
      const clean = async (state) => {
        assert.deepEqual(await violations(hosted.page, stage.gatewayOrigin), [], state);
        const wide = await hosted.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.equal(wide, 0, state);
      };
      await hosted.page.locator('payment-form:state(ready)').waitFor();
      await clean('open');
      await hosted.page.locator('summary').click();
      await clean('methods');
      await hosted.back.click();
      await hosted.page.goto(hosted.address);
      await clean('cancelled');
      await hosted.page.goto(`${stage.gatewayOrigin}/pay/none`);
      await clean('unknown');
    });
  }
});

suite('hosted page left alone', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('hosted-page-idle', { gateway: { PAYFRAME_IDLE_SECONDS: '6' } });
  });
  after(() => stage.close());

  test('a session that died is replaced without the buyer losing the page', async (t) => {
    const hosted = await HostedPage.open(stage, t, {}, { noise: /400 \(Bad Request\)/ });
    await hosted.payment.fill(APPROVED);
    const first = await hosted.payment.session();
    // The merchant's query does not prolong it.
    while ((await stage.api.standing(first)) !== 'PS0061') await pause(100);
    await hosted.payment.press();
    await says(hosted.payment.status, 'Enter your card again');
    assert.notEqual(await hosted.payment.session(), first);
    await hosted.payment.payWith(APPROVED);
    await hosted.page.waitForURL((url) => url.origin === stage.shopOrigin);
    await hosted.recorded('AUTHORIZATION EXECUTED');
  });

  test('a session that died while the gateway had a fault is replaced soon after', async (t) => {
    const hosted = await HostedPage.open(stage, t, {}, { noise: /400 \(Bad Request\)|status of 503/ });
    await hosted.payment.fill(APPROVED);
    const first = await hosted.payment.session();
    while ((await stage.api.standing(first)) !== 'PS0061') await pause(100);
    await hosted.page.route('**/session', (route) => route.fulfill({ status: 503 }), { times: 1 });
    await hosted.payment.press();
    await says(hosted.payment.status, 'Enter your card again');
    await hosted.payment.payWith(APPROVED);
    await hosted.page.waitForURL((url) => url.origin === stage.shopOrigin);
    await hosted.recorded('AUTHORIZATION EXECUTED');
  });
});
