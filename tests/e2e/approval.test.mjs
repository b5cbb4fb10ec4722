/** Payments that are approved, and what the shop then knows. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { APPROVED, CHALLENGED } from './cards.mjs';
import { says } from './checkout.mjs';
import { Stage } from './stage.mjs';

suite('approval', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('approval');
  });
  after(() => stage.close());

  test('K4 K10 a card is charged once, and the shop hears of it from the gateway', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.live();
    await payment.recorded();

    await payment.payWith(APPROVED);
    await payment.ends('Payment complete');
    await says(payment.frame.getByText('€35.45 paid to Demo shop.'), '');
    await says(payment.frame.getByText('Visa •••• 0003'), '');
    await says(payment.status, 'Paid. ');

    const [operation] = await payment.recorded('AUTHORIZATION EXECUTED');
    assert.equal(operation.operationAmount, '3545');
    assert.equal(operation.operationCurrency, 'EUR');
    assert.equal(checkout.requestsTo('build/finalize_payment').length, 1);

    const orderId = await payment.orderId();
    await stage.notified(orderId);
    const { page } = checkout;
    await page.goto(`${stage.shopOrigin}/orders/${orderId}`);
    await page.getByRole('heading', { name: 'Paid', exact: true }).waitFor();
    assert.equal(await rows(page, 'Operations'), 1);
    assert.equal(await rows(page, 'Notifications'), 1);
    await page.goto(`${stage.shopOrigin}/notifications`);
    await page.getByRole('row').filter({ hasText: orderId }).filter({ hasText: 'EXECUTED' }).waitFor();
  });

  test('C8 session asks for name, surname or e-mail → exactly those inputs appear, in the given order', async (t) => {
    const checkout = await stage.checkout(t);
    const { sessionId } = await stage.api.open({ shop: stage.shopOrigin, key: 'sandbox-six-fields', form: { closing: 'FRAME' } });
    const payment = checkout.payment();
    await payment.live();
    const inputs = () => payment.frame.getByRole('textbox').evaluateAll((inputs) => inputs.map(({ id }) => id));
    const four = ['CARD_NUMBER', 'EXPIRATION_DATE', 'SECURITY_CODE', 'CARDHOLDER_NAME'];
    assert.deepEqual(await inputs(), four);
    await checkout.page.locator('payment-form').evaluate((form, session) => form.setAttribute('session', session), sessionId);
    const surname = payment.frame.getByRole('textbox', { name: 'Surname on card' });
    const email = payment.frame.getByRole('textbox', { name: 'E-mail address' });
    await surname.waitFor();
    assert.deepEqual(await inputs(), [...four, 'CARDHOLDER_SURNAME', 'CARDHOLDER_EMAIL']);
    await payment.payWith(APPROVED);
    await says(payment.alert, 'Enter the surname on the card.');
    await surname.fill('Lovelace');
    await email.fill('ada@example');
    await payment.press();
    await says(payment.alert, 'Check the address');
    await email.fill('ada@example.com');
    await payment.press();
    await payment.ends('Payment complete');
  });

  test('L3 a challenge is passed inside the form, without a word about the issuer in the shop\'s policy', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.payWith(CHALLENGED);
    await payment.issuer.code.waitFor();
    await payment.recorded();

    const challenge = checkout.document('/threeds/challenge/');
    assert.equal(challenge.parentFrame(), checkout.document('/form/'));
    assert.deepEqual(checkout.page.mainFrame().childFrames(), [checkout.document('/form/')]);
    const policy = checkout.answer?.headers()['content-security-policy'] ?? '';
    assert.match(policy, new RegExp(`; frame-src ${stage.gatewayOrigin};`));
    assert.equal(policy.split(stage.gatewayOrigin).length - 1, 3, `the gateway stands in script-src, frame-src and, for reports of watched pages, connect-src only: ${policy}`);
    assert.match(policy, /require-trusted-types-for 'script'/);
    assert.doesNotMatch(policy, /unsafe|\*|https:/);

    await payment.issuer.answer('000000');
    await payment.frame.getByTitle('Page of your bank').contentFrame().getByRole('alert').waitFor();
    await payment.recorded();
    await payment.issuer.answer('123456');
    await payment.ends('Payment complete');
    await says(payment.status, 'Paid. ');
    const [operation] = await payment.recorded('AUTHORIZATION EXECUTED');
    assert.equal(operation.additionalData.threeDS, 'FULL_SECURE');
    assert.equal(checkout.page.url(), `${stage.shopOrigin}/`, 'the shop\'s page stayed');
  });

  test('H14 the shop\'s own button pays, and the form shows none', async (t) => {
    const checkout = await stage.checkout(t, { button: 'hidden' });
    const payment = checkout.payment();
    const button = payment.region.getByRole('button', { name: 'Pay €35.45', exact: true });
    await checkout.page.locator('[data-status=open]').waitFor();
    assert.equal(await payment.pay.count(), 0, 'the form has no button of its own');

    await button.click();
    await says(payment.alert, 'Enter your card number.');
    assert.equal(checkout.requestsTo('fe/build/text').length, 0);

    await payment.number.fill(APPROVED.number);
    await payment.expiry.fill(APPROVED.expiry);
    await payment.code.fill(APPROVED.code);
    await payment.name.fill(APPROVED.name);
    await payment.press(button);
    await payment.ends('Payment complete');
    await says(payment.status, 'Paid. ');
    await payment.recorded('AUTHORIZATION EXECUTED');
  });

  test('a form that is loaded again after the payment shows its end and charges nothing', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete');
    await checkout.page.locator('payment-form').evaluate((form) => /** @type {any} */ (form).reload());
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION EXECUTED');
    assert.equal(checkout.requestsTo('build/finalize_payment').length, 1);
  });
});

/** @param {import('playwright-core').Page} page @param {string} table heading above it */
const rows = (page, table) => page.getByRole('region', { name: table, exact: true }).locator('tbody').getByRole('row').count();
