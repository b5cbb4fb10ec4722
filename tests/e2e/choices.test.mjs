/** What some payments ask beside the card: a method, the currency, instalments, a consent; and what is said of the sum before Pay. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { APPROVED, HOLDER, NO_FUNDS } from './cards.mjs';
import { hasFocus, hold, holds, says } from './checkout.mjs';
import { Stage } from './stage.mjs';
import { violations } from './wcag.mjs';

const dollars = { ...APPROVED, number: '4761738400000002', shown: '4761 7384 0000 0002' };
const pounds = { ...APPROVED, number: '4761738260000001', shown: '4761 7382 6000 0001' };
/** Shorter than a session, and longer than any test takes. */
const OFFER_SECONDS = 120;

suite('choices', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('choices', { gateway: { PAYFRAME_OFFER_SECONDS: '300', PAYFRAME_PENDING_SECONDS: '600' } });
  });
  after(() => stage.close());

  /**
   * The checkout with a session of its own in place of the shop's.
   * @param {import('node:test').TestContext} t
   * @param {Partial<Parameters<import('./gateway-api.mjs').GatewayApi['open']>[0]>} wanted
   * @param {{ pay?: string, query?: Record<string, string>, opening?: import('./stage.mjs').Opening, on?: Stage }} [how]
   */
  async function open(t, wanted, { pay, query, opening, on = stage } = {}) {
    const { form: members, ...rest } = wanted;
    const { sessionId } = await on.api.open({ shop: on.shopOrigin, form: { closing: 'FRAME', ...members }, ...rest });
    // Before the element comes to life, so that it never shows the shop's own session.
    /** @param {import('playwright-core').Page} page */
    const prepare = async (page) => {
      if (on !== stage) await page.clock.install();
      await page.addInitScript((session) => {
        new MutationObserver(() => {
          const form = document.querySelector('payment-form');
          if (form?.getAttribute('session') !== session) form?.setAttribute('session', session);
        }).observe(document, { childList: true, subtree: true });
      }, sessionId);
    };
    const checkout = await on.checkout(t, { theme: 'light', ...query }, { ...opening, prepare });
    const payment = checkout.payment({ pay });
    await payment.live();
    return { checkout, payment, sessionId, frame: payment.frame };
  }

  /** @param {import('./checkout.mjs').Payment['frame']} frame */
  const currency = (frame) => {
    const group = frame.getByRole('group', { name: 'Choose the currency' });
    return { group, own: group.getByRole('radio', { name: '€35.45', exact: true }), other: group.getByRole('radio', { name: /^\$|^£/ }) };
  };

  test('K1 session in card data collection → card inputs at once, no method step', async (t) => {
    const { checkout, payment, frame } = await open(t, {});
    for (const input of [payment.number, payment.expiry, payment.code, payment.name]) assert.ok(await input.isVisible());
    assert.ok(await frame.getByRole('button', { name: 'Pay by card' }).isHidden());
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete');
    assert.deepEqual(checkout.requests.filter((request) => request.url().includes('/fe/build/action/')), []);
  });

  test('K2 session in method selection → the card opens in place, and a second press does nothing', async (t) => {
    const { checkout, payment, frame } = await open(t, { paymentService: '' });
    const others = frame.getByRole('group', { name: 'Other ways to pay' });
    await others.getByRole('button', { name: 'Pay with iDEAL' }).waitFor();
    assert.equal(await others.getByRole('button').count(), 25);
    const picture = others.getByRole('button', { name: 'Pay with PayPal', exact: true }).locator('img');
    await picture.evaluate((image) => /** @type {HTMLImageElement} */ (image).decode());
    assert.deepEqual(await violations(checkout.page, stage.gatewayOrigin), []);
    const answer = await hold(checkout.page, '**/api/fe/build/action/PAY_WITH_CARD');
    const card = frame.getByRole('button', { name: 'Pay by card' });
    await card.click();
    const chosen = await answer.arrived;
    await card.click();
    await chosen.continue();
    await payment.number.waitFor();
    assert.equal(checkout.requestsTo('fe/build/action/PAY_WITH_CARD').length, 1);
    await others.waitFor({ state: 'hidden' });
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete');
  });

  test('K3 buyer picks a method paid elsewhere → the browser goes there, and comes back to the shop', async (t) => {
    // Back in the shop the form shows the session again, and asks for a card that there is none of.
    const { checkout, payment, frame } = await open(t, { paymentService: '' }, { opening: { noise: /status of 400 .*\/build\/cardData\?/ } });
    await frame.getByRole('button', { name: 'Pay with iDEAL' }).click();
    await checkout.page.waitForURL(`${stage.gatewayOrigin}/methods/pay/**`);
    await checkout.page.getByTestId('apm-approve').click();
    await checkout.page.waitForURL((url) => url.origin === stage.shopOrigin);
    await payment.ends('Payment complete');
  });

  test('K3 session whose page leads → the page is told and the browser stays, and no bank is spoken of', async (t) => {
    const { checkout, payment, frame, sessionId } = await open(t, { paymentService: '', form: { redirect: 'PAGE' } });
    const form = checkout.page.locator('payment-form');
    await form.evaluate((form) => form.addEventListener('statechange', (event) => form.setAttribute('data-told', /** @type {any} */ (event).detail.state)));
    await frame.getByRole('button', { name: 'Pay with iDEAL' }).click();
    await checkout.page.locator('payment-form[data-told="REDIRECTED_TO_EXTERNAL_DOMAIN"]').waitFor();
    await frame.getByRole('heading', { name: 'Continue on another page' }).waitFor();
    await frame.getByText('then come back to Demo shop').waitFor();
    assert.equal(await frame.getByText('Your bank').filter({ visible: true }).count(), 0);
    assert.equal(new URL(checkout.page.url()).origin, stage.shopOrigin);
    const { body } = await stage.api.call(`build/state?sessionId=${sessionId}`);
    const method = await checkout.page.context().newPage();
    await method.goto(body.url);
    await method.getByTestId('apm-refuse').click();
    await method.waitForURL((url) => url.origin === stage.shopOrigin);
    await payment.ends('Payment declined');
  });

  test('K23 foreign-currency card with an offer → both totals, rate and mark-up inside the frame, evenly shown, none preselected', async (t) => {
    const { checkout, payment, frame } = await open(t, {});
    const { group, own, other } = currency(frame);
    await payment.fill(dollars);
    await group.waitFor();
    assert.deepEqual([await own.isChecked(), await other.isChecked()], [false, false]);
    await group.getByRole('radio', { name: '$39.52', exact: true }).waitFor();
    await group.getByText('You pay $39.52 at the exchange rate USD 1 = EUR 0.89708502.').waitFor();
    await group.getByText('a mark-up of 3.00% over the reference rate. Valid until').waitFor();
    const boxes = await group.locator('.option').evaluateAll((options) => options.map((option) => [option.getBoundingClientRect().width, getComputedStyle(option.querySelector('label') ?? option).font]));
    assert.deepEqual(boxes[0], boxes[1], 'evenly shown');
    assert.deepEqual(await violations(checkout.page, stage.gatewayOrigin), []);

    const either = frame.getByRole('button', { name: 'Pay €35.45 or $39.52', exact: true });
    await frame.getByText('You pay €35.45 or $39.52 to Demo shop.').waitFor();
    await either.click();
    await says(payment.alert, 'Choose the currency in which you want to pay.');
    await hasFocus(own);
    assert.equal(checkout.requestsTo('fe/build/text').length, 0, 'nothing is sent before the choice');

    await other.check();
    const dollarsButton = frame.getByRole('button', { name: 'Pay $39.52', exact: true });
    await frame.getByText('You pay $39.52 to Demo shop.').waitFor();
    await dollarsButton.click();
    await payment.ends('Payment complete');
    await says(frame.getByText('$39.52 paid to Demo shop.'), '');
    const [operation] = await stage.api.operations(await orderOf(checkout));
    assert.deepEqual(operation.additionalData.multiCurrencyConversion, { amount: '3952', currency: 'USD', exchangeRate: '0.897085020' });
    assert.deepEqual([operation.operationAmount, operation.operationCurrency], ['3545', 'EUR']);
  });

  test('K23 buyer keeps the shop\'s currency → that is charged, and the choice stays after a refusal', async (t) => {
    const { payment, frame, checkout } = await open(t, { form: { attempts: 2 } });
    const { own } = currency(frame);
    await payment.fill({ ...dollars, number: '4761738400001166' });
    await own.check();
    await payment.press();
    await says(payment.alert, 'lack of funds');
    assert.equal(await own.isChecked(), true);
    await payment.code.fill('123');
    await payment.number.fill(dollars.number);
    await payment.press();
    await payment.ends('Payment complete');
    const operations = await stage.api.operations(await orderOf(checkout));
    assert.ok(operations.every((operation) => operation.additionalData.multiCurrencyConversion === undefined));
  });

  test('K24 card changes → the offer is withdrawn, asked anew for the other card, and gone for one without', async (t) => {
    const { payment, frame } = await open(t, {});
    const { group, other } = currency(frame);
    await payment.fill(dollars);
    await other.check();
    await frame.getByRole('button', { name: 'Pay $39.52', exact: true }).waitFor();
    await payment.number.fill(pounds.number);
    await group.getByRole('radio', { name: '£30.35', exact: true }).waitFor();
    assert.equal(await other.isChecked(), false, 'the choice is asked again');
    await frame.getByRole('button', { name: 'Pay €35.45 or £30.35', exact: true }).waitFor();
    await payment.number.fill(APPROVED.number);
    await group.waitFor({ state: 'detached' });
    await says(frame.getByRole('status'), 'The currency offer no longer applies.');
    await payment.press();
    await payment.ends('Payment complete');
  });

  test('K24 answer for an older number comes late → it is not shown', async (t) => {
    const { payment, frame, checkout } = await open(t, {});
    const late = await hold(checkout.page, '**/api/fe/build/bin');
    await payment.fill(dollars);
    const answer = await late.arrived;
    const other = checkout.page.waitForResponse('**/api/fe/build/bin');
    await payment.number.fill(APPROVED.number);
    await other;
    await answer.continue();
    await payment.press();
    await payment.ends('Payment complete');
    assert.equal(await currency(frame).group.count(), 0);
  });

  test('K23 fields in frames of their own → the offer is drawn in the form\'s frame', async (t) => {
    const checkout = await stage.checkout(t, {}, { path: '/fields' });
    const { page } = checkout;
    await page.locator('payment-form:state(ready)').waitFor();
    /** @param {string} name @param {string} text */
    const type = (name, text) => page.locator(`iframe[src*="id=${name}&"]`).contentFrame().locator(`#${name}`).fill(text);
    await type('CARD_NUMBER', dollars.number);
    await type('EXPIRATION_DATE', dollars.expiry);
    await type('SECURITY_CODE', dollars.code);
    await type('CARDHOLDER_NAME', HOLDER);
    const form = page.frameLocator('payment-form iframe');
    await form.getByRole('group', { name: 'Choose the currency' }).getByRole('radio', { name: '$39.52', exact: true }).check();
    await page.getByRole('button', { name: /^Pay/ }).click();
    await form.getByText('$39.52 paid to Demo shop.').waitFor();
  });

  test('K22 session offers instalments → count, each amount and total are shown, and the choice is sent', async (t) => {
    const { checkout, payment, frame } = await open(t, { form: { installments: [2, 3] } });
    const group = frame.getByRole('group', { name: 'Pay at once or in instalments' });
    assert.equal(await group.getByRole('radio', { name: 'At once' }).isChecked(), true);
    await group.getByRole('radio', { name: '€17.73 + 1 × €17.72', exact: true }).waitFor();
    const three = group.getByRole('radio', { name: '€11.83 + 2 × €11.81', exact: true });
    assert.equal(await group.getByText('Total: €35.45').count(), 3);
    await group.getByText('Instalments: 3 · Total: €35.45').waitFor();
    await three.check();
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete');
    const [operation] = await stage.api.operations(await orderOf(checkout));
    assert.equal(operation.additionalData.installmentQty, 3);
  });

  for (const closing of /** @type {const} */ (['SERVER', 'FRAME'])) {
    test(`K7 version 2, server fixes another amount → it is shown and accepted before the charge: closed by ${closing}`, async (t) => {
      const { checkout, payment, frame, sessionId } = await open(
        t,
        { version: '2', form: { closing } },
        // The form names the sum that the buyer saw, is refused, and so learns of the other.
        { opening: { noise: closing === 'FRAME' ? /status of 400 .*\/fe\/build\/text\)/ : /status of 400 .*\/build\/confirm_payment\)/ } },
      );
      /** @param {boolean} confirm */
      const fix = (confirm) => stage.api.call('build/confirm_payment', { sessionId, amount: '4000', confirm });
      await payment.fill(APPROVED);
      // The form does not know of it yet: it still shows the first amount.
      if (closing === 'FRAME') await fix(false);
      const sent = checkout.page.waitForResponse('**/api/fe/build/text');
      await payment.press();
      await sent;
      if (closing === 'SERVER') await fix(true);
      if (closing === 'FRAME') {
        await says(frame.locator('#message'), 'The amount is now €40.00. Check it and pay again.');
      } else {
        await frame.getByRole('heading', { name: 'The amount has changed' }).waitFor();
        await frame.getByText('Demo shop now asks for €40.00.').waitFor();
      }
      assert.deepEqual(await stage.api.operations(await orderOf(checkout)), [], 'nothing is charged before the buyer agrees');
      await frame.getByRole('button', { name: 'Pay €40.00', exact: true }).click();
      await payment.ends('Payment complete');
      await frame.getByText('€40.00 paid to Demo shop.').waitFor();
      const operations = await stage.api.operations(await orderOf(checkout));
      assert.deepEqual(operations.map(({ operationAmount, operationResult }) => [operationAmount, operationResult]), [['4000', 'EXECUTED']]);
    });
  }

  test('K21 session requires consent → link and unticked box; unticked on submit is an error; the link loses no data', async (t) => {
    const { checkout, payment, frame } = await open(t, { key: 'sandbox-privacy' });
    const box = frame.getByRole('checkbox', { name: 'I have read the privacy notice' });
    await payment.fill(APPROVED);
    assert.equal(await box.isChecked(), false);
    await payment.press();
    await says(payment.alert, 'Read the privacy notice and tick this box.');
    assert.equal(await box.getAttribute('aria-invalid'), 'true');
    const [notice] = await Promise.all([checkout.page.context().waitForEvent('page'), frame.getByRole('link', { name: 'Read the privacy notice' }).click()]);
    await notice.getByRole('heading', { name: 'Privacy notice' }).waitFor();
    await notice.close();
    await holds(payment.number, APPROVED.shown);
    await box.check();
    await payment.caughtUp();
    assert.equal(await box.getAttribute('aria-invalid'), null);
    await payment.press();
    await payment.ends('Payment complete');
  });

  test('K25 verify-only session of zero amount → button says the card is saved, nothing is charged, and no amount shows', async (t) => {
    const { payment, frame } = await open(t, { actionType: 'VERIFY', amount: '0' }, { pay: 'Save card' });
    await frame.getByText('Demo shop saves your card. Nothing is charged.').waitFor();
    assert.doesNotMatch((await frame.locator('#main').innerText()) ?? '', /€|0\.00/);
    await payment.payWith(APPROVED);
    await payment.ends('Card saved');
    assert.doesNotMatch((await frame.locator('#main').innerText()) ?? '', /€|0\.00/);
  });

  test('K26 pre-authorization → wording gives the exact sum held and says it is not charged yet', async (t) => {
    const { checkout, payment, frame } = await open(t, { actionType: 'PREAUTH', amount: '100005' }, { pay: 'Hold €1,000.05' });
    await frame.getByText('Demo shop holds €1,000.05 on your card. It is not charged yet.').waitFor();
    await payment.payWith(APPROVED);
    await payment.ends('Amount held');
    await frame.getByText('€1,000.05 is held for Demo shop and not charged yet.').waitFor();
    const [operation] = await stage.api.operations(await orderOf(checkout));
    assert.equal(operation.operationResult, 'AUTHORIZED');
  });

  test('K27 amount, merchant and session id → come from the session unaltered, reserved characters included, and the page cannot change them', async (t) => {
    const { checkout, payment, frame } = await open(t, { key: 'sandbox-odd-name', amount: '123456789012' }, { pay: 'Pay €1,234,567,890.12', query: { locale: 'en' } });
    const name = 'Käse & <b>Co.</b> {amount} $& "100 %"';
    await frame.getByText(`You pay €1,234,567,890.12 to ${name}.`, { exact: true }).waitFor();
    await checkout.page.locator('payment-form').evaluate((form) => {
      form.setAttribute('amount', '1');
      form.setAttribute('merchant', 'Nobody');
    });
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete');
    await frame.getByText(`€1,234,567,890.12 paid to ${name}.`, { exact: true }).waitFor();
  });

  test('K12 result is pending → buyer is told it is in progress and is offered no second payment', async (t) => {
    const { payment, frame, checkout } = await open(t, { form: { attempts: 5 } });
    await payment.payWith({ ...APPROVED, number: '4761730000008881' });
    await payment.ends('Payment in progress');
    await frame.getByText('Do not pay again: Demo shop will let you know.').waitFor();
    assert.deepEqual(await frame.getByRole('button').all(), []);
    assert.deepEqual(await frame.getByRole('textbox').all(), []);
    const operations = await stage.api.operations(await orderOf(checkout));
    assert.deepEqual(operations.map(({ operationResult }) => operationResult), ['PENDING']);
  });

  test('G17 buyer is about to pay → amount, merchant and card can be checked and corrected first', async (t) => {
    const { payment, frame } = await open(t, {});
    await payment.fill(NO_FUNDS);
    await frame.getByText('You pay €35.45 to Demo shop.').waitFor();
    await payment.pay.waitFor();
    await payment.number.fill(APPROVED.number);
    await holds(payment.number, APPROVED.shown);
    await payment.press();
    await payment.ends('Payment complete');
  });

  suite('an offer that runs out', () => {
    /** @type {Stage} */
    let short;
    before(async () => {
      short = await Stage.open('choices-short', { gateway: { PAYFRAME_OFFER_SECONDS: String(OFFER_SECONDS) } });
    });
    after(() => short.close());

    /** The buyer waits until the offer is over. @param {import('./checkout.mjs').Checkout} checkout */
    const wait = ({ page }) => page.clock.fastForward(OFFER_SECONDS * 1000);

    test('K24 offer runs out → it is withdrawn and the choice is asked again', async (t) => {
      const { payment, frame, checkout } = await open(t, {}, { on: short });
      const { group, other } = currency(frame);
      await payment.fill(dollars);
      await other.check();
      await frame.getByRole('button', { name: 'Pay $39.52', exact: true }).waitFor();
      await wait(checkout);
      await says(payment.alert, 'The currency offer has run out.');
      await payment.pay.waitFor();
      await group.getByText('The currency offer has run out.').waitFor();
      assert.equal(await other.isChecked(), false);
      await other.check();
      await frame.getByRole('button', { name: 'Pay $39.52', exact: true }).click();
      await payment.ends('Payment complete');
    });

    test('K24 offer runs out and there is no other → own currency', async (t) => {
      const { payment, frame, checkout } = await open(t, {}, { on: short, opening: { noise: /fe\/build\/bin/ } });
      const { group, other } = currency(frame);
      await payment.fill(dollars);
      await other.check();
      await frame.getByRole('button', { name: 'Pay $39.52', exact: true }).waitFor();
      await checkout.page.route('**/api/fe/build/bin', (route) => route.abort());
      await wait(checkout);
      await group.waitFor({ state: 'detached' });
      await payment.press();
      await payment.ends('Payment complete');
      await frame.getByText('€35.45 paid to Demo shop.').waitFor();
    });
  });

  /** The order of the session that the form shows. @param {import('./checkout.mjs').Checkout} checkout @returns {Promise<string>} */
  const orderOf = (checkout) => checkout.document('/form/').evaluate(() => JSON.parse(document.getElementById('boot')?.textContent ?? '{}').orderId);
});
