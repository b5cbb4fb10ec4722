/** Separate fields in a layout of the shop's own, in WebKit, and in Firefox where it is asked for: one payment of each kind. */

import { test } from 'node:test';
import assert from 'node:assert/strict';
import { Key } from 'selenium-webdriver';
import { APPROVED, CHALLENGED, DEVICE_CHECK_FAILS, NO_FUNDS, OUT_OF_DATE, UNKNOWN_NETWORK, WRONG_CHECK_DIGIT } from '../e2e/cards.mjs';
import { FieldsPage } from './separate.mjs';
import { inOneOtherEngine } from './stage.mjs';

/** The security code's place is in a shadow tree of the shop's. */
const NOTES = {
  CARD_NUMBER: "document.querySelector('[name=CARD_NUMBER] ~ .note')",
  EXPIRATION_DATE: "document.querySelector('[name=EXPIRATION_DATE] ~ .note')",
  SECURITY_CODE: "document.querySelector('security-code').shadowRoot.querySelector('.note')",
};

inOneOtherEngine('fields', (stage) => {
  test('a card is charged once', async (t) => {
    const page = await FieldsPage.open(stage(), t);
    await page.payWith(APPROVED);
    await page.says(/^Paid\. /);
    await page.form.says('#title', /^Payment complete$/);
    await stage().recorded(await page.orderId(), 'AUTHORIZATION EXECUTED');
  });

  test('the shop\'s server closes the payment where it wants to', async (t) => {
    const page = await FieldsPage.open(stage(), t, { query: '?mode=merchant' });
    await page.payWith(APPROVED);
    await page.says(/^Paid\. /);
    await stage().recorded(await page.orderId(), 'AUTHORIZATION EXECUTED');
  });

  test('a challenge is passed inside the form\'s frame', async (t) => {
    const page = await FieldsPage.open(stage(), t);
    await page.payWith(CHALLENGED);
    const issuer = page.form.titled('Page of your bank');
    await issuer.testId('acs-otp').fill('123456');
    await issuer.testId('acs-submit').click();
    await page.says(/^Paid\. /);
    await stage().recorded(await page.orderId(), 'AUTHORIZATION EXECUTED');
  });

  test('a refused card leaves another try, with all but the security code kept', async (t) => {
    const page = await FieldsPage.open(stage(), t);
    await page.payWith(NO_FUNDS);
    await page.says(/^Not paid yet\. /);
    await page.form.says('#message', /lack of funds/);
    await page.input('CARD_NUMBER').holds(NO_FUNDS.shown);
    await page.input('SECURITY_CODE').holds('');
    await page.payWith(APPROVED);
    await page.says(/^Paid\. /);
    await stage().recorded(await page.orderId(), 'AUTHORIZATION DECLINED', 'AUTHORIZATION EXECUTED');
  });

  test('mistakes are told beside their fields, and nothing is sent', async (t) => {
    const page = await FieldsPage.open(stage(), t);
    await page.payButton.click();
    await page.noted(NOTES.CARD_NUMBER, 'card_number_empty', /Enter your card number\./);
    await page.noted(NOTES.SECURITY_CODE, 'security_code_empty', /./);
    for (const [card, code] of /** @type {const} */ ([[WRONG_CHECK_DIGIT, 'card_number_check_digit'], [UNKNOWN_NETWORK, 'card_number_unknown_network']])) {
      await page.input('CARD_NUMBER').fill(card.number);
      await page.payButton.click();
      await page.noted(NOTES.CARD_NUMBER, code, /./);
    }
    await page.payWith(OUT_OF_DATE);
    await page.noted(NOTES.EXPIRATION_DATE, 'expiry_past', /./);
    await page.noted(NOTES.CARD_NUMBER, '', /^$/);
    await stage().recorded(await page.orderId());
  });

  test('a device check that stays silent is not waited for', async (t) => {
    const page = await FieldsPage.open(stage(), t);
    await page.payWith(DEVICE_CHECK_FAILS);
    await page.says(/^Paid\. /);
    await stage().recorded(await page.orderId(), 'AUTHORIZATION EXECUTED');
  });

  test('giving up is told and recorded', async (t) => {
    const page = await FieldsPage.open(stage(), t);
    await page.input('CARD_NUMBER').fill(APPROVED.number);
    await page.form.button('Cancel payment').click();
    // A number was typed, so the form asks.
    await page.form.control('#give-up').click();
    await page.says(/^Cancelled\. /);
    await stage().recorded(await page.orderId(), 'CANCEL CANCELED');
  });

  test('Enter in a field pays, and a label leads into its field', async (t) => {
    const page = await FieldsPage.open(stage(), t);
    await page.frame('CARD_NUMBER').until("return Boolean(window.payframe?.drivenBy)");
    await page.page.control('label[for=number]').click();
    await page.page.until("return document.querySelector('[name=CARD_NUMBER]').dataset.state.split(' ').includes('focused')");
    await page.fill(APPROVED);
    await page.input('CARDHOLDER_NAME').press(Key.ENTER);
    await page.says(/^Paid\. /);
  });

  test('paying after the end of the session says so, and charges nothing', async (t) => {
    const impatient = await stage().impatient(t);
    const page = await FieldsPage.open(impatient, t, { noise: /400|410|PayframeError/ });
    await page.fill(APPROVED);
    // The form's clock stands still, so that the press finds the end, and not the form by itself.
    await page.form.run('const now = window.Date.now(); window.Date.now = () => now;');
    await page.over(await page.session());
    await page.payButton.click();
    await page.says(/time for this payment is over/);
    await page.form.says('#title', /^This payment has timed out$/);
    await impatient.recorded(await page.orderId());
    assert.ok(await page.payButton.absent(), 'there is nothing to press any more');
  });
});
