/** The browser's part of a 3-step payment: from the merchant's page to the challenge, and back with the result. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { APPROVED, CHALLENGED } from './cards.mjs';
import { IssuerPage, says } from './checkout.mjs';
import { IssuerPrograms } from './issuer-programs.mjs';
import { Stage } from './stage.mjs';
import { violations } from './wcag.mjs';

suite('3-step payment', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('three-steps');
  });
  after(() => stage.close());

  test('the buyer approves at the bank, and the browser brings the result to the shop', async (t) => {
    const begun = await begin(stage);
    const { page, brought } = await opened(stage, t, begun);
    await page.getByTestId('acs-otp').waitFor();
    assert.deepEqual(await violations(page, stage.gatewayOrigin), []);
    await page.getByTestId('acs-otp').fill('000000');
    await page.getByTestId('acs-submit').click();
    await says(page.getByRole('alert'), '2');
    await page.getByTestId('acs-otp').fill('123456');
    await page.getByTestId('acs-submit').click();
    await page.getByRole('heading', { name: 'Back' }).waitFor();
    assert.equal(await validated(stage, begun, await brought), 'THREEDS_VALIDATED');
  });

  test('without scripts the buyer presses a button to go back', async (t) => {
    const begun = await begin(stage);
    const { page, brought } = await opened(stage, t, begun, { javaScriptEnabled: false });
    await page.getByTestId('acs-reject').click();
    await page.locator('#back').getByRole('button').click();
    await page.getByRole('heading', { name: 'Back' }).waitFor();
    assert.equal(await validated(stage, begun, await brought), 'THREEDS_FAILED');
  });
});

suite('3-step payment with an issuer at an origin of its own', () => {
  /** @type {Stage} */
  let stage;
  /** @type {IssuerPrograms} */
  let programs;
  before(async () => {
    programs = await IssuerPrograms.start();
    stage = await Stage.open('three-steps-issuers', { gateway: programs.environment });
  });
  after(async () => {
    await stage.close();
    await programs.stop();
  });

  test('the issuer is content with the browser → it comes back by itself', async (t) => {
    const begun = await begin(stage, APPROVED);
    assert.equal(begun.threeDSEnrollmentStatus, 'ENROLLED');
    const { page, brought } = await opened(stage, t, begun);
    await page.getByRole('heading', { name: 'Back' }).waitFor();
    assert.equal(await validated(stage, begun, await brought), 'THREEDS_VALIDATED');
  });

  test('the buyer answers the issuer, whose result decides', async (t) => {
    const begun = await begin(stage);
    const { page, brought } = await opened(stage, t, begun);
    await new IssuerPage(page.getByTitle('Confirm your payment')).answer('123456');
    await page.getByRole('heading', { name: 'Back' }).waitFor();
    assert.equal(await validated(stage, begun, await brought), 'THREEDS_VALIDATED');
  });

  test('without scripts the buyer presses a button for each step', async (t) => {
    const begun = await begin(stage, APPROVED);
    const { page, brought } = await opened(stage, t, begun, { javaScriptEnabled: false });
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.locator('#back').getByRole('button').click();
    await page.getByRole('heading', { name: 'Back' }).waitFor();
    assert.equal(await validated(stage, begun, await brought), 'THREEDS_VALIDATED');
  });
});

/** Begins a payment. @param {Stage} stage @param {import('./cards.mjs').Card} card */
async function begin(stage, card = CHALLENGED) {
  const request = {
    order: { orderId: randomUUID().replaceAll('-', '').slice(0, 18), amount: '3545', currency: 'EUR' },
    card: { pan: card.number.replaceAll(' ', ''), expiryDate: '1230', cvv: '123' },
  };
  const { status, body } = await stage.api.call('orders/3steps/init', request);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/**
 * Opens the merchant's page with the form for the gateway, and gives what comes back to it.
 * @param {Stage} stage
 * @param {import('node:test').TestContext} t
 * @param {any} begun
 * @param {import('./stage.mjs').Opening['context']} [context]
 */
async function opened(stage, t, begun, context) {
  /** @type {(fields: URLSearchParams) => void} */
  let heard = () => {};
  /** @type {Promise<URLSearchParams>} */
  const brought = new Promise((resolve) => {
    heard = resolve;
  });
  const back = `${stage.shopOrigin}/back-from-the-bank`;
  const fields = { ThreeDsRequest: begun.threeDSAuthRequest, ReturnUrl: back, transactionId: begun.operation.operationId };
  const inputs = Object.entries(fields).map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`);
  const form = `<form method="post" action="${begun.threeDSAuthUrl}">${inputs.join('')}<button>To the bank</button></form>`;
  const page = (/** @type {string} */ body) => ({ contentType: 'text/html', body: `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">${body}` });
  const checkout = await stage.checkout(t, {}, {
    path: '/to-the-bank',
    context,
    prepare: async (browser) => {
      await browser.route('**/to-the-bank', (route) => route.fulfill(page(form)));
      await browser.route('**/back-from-the-bank', async (route) => {
        heard(new URLSearchParams(route.request().postData() ?? ''));
        await route.fulfill(page('<h1>Back</h1>'));
      });
    },
  });
  await checkout.page.getByRole('button', { name: 'To the bank' }).click();
  return { page: checkout.page, brought };
}

/** @param {Stage} stage @param {any} begun @param {URLSearchParams} fields */
async function validated(stage, begun, fields) {
  assert.equal(fields.get('paymentId'), begun.operation.operationId);
  const request = { operationId: begun.operation.operationId, threeDSAuthResponse: fields.get('PaRes') };
  const { status, body } = await stage.api.call('orders/3steps/validation', request);
  assert.equal(status, 200, JSON.stringify(body));
  return body.operation.operationResult;
}
