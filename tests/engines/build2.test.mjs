/** The class Build in version 2, with a fee that depends on the card, in every engine: one payment of each kind. */

import { test } from 'node:test';
import assert from 'node:assert/strict';
import { AMEX, APPROVED, CHALLENGED, DEVICE_CHECK_FAILS, NO_FUNDS, OUT_OF_DATE, UNKNOWN_NETWORK, WRONG_CHECK_DIGIT } from '../e2e/cards.mjs';
import { BuildPage } from './build-page.mjs';
import { inEveryEngine } from './stage.mjs';

class FeesPage extends BuildPage {
  /** @param {import('./stage.mjs').Stage} stage @param {import('node:test').TestContext} t @param {RegExp} [noise] */
  static async open(stage, t, noise) {
    return new FeesPage(stage, await stage.page(t, '/build2', { ...(noise && { noise }) }));
  }

  get proceed() {
    return this.page.button('Continue');
  }

  /** Enters the card, checks the sum and agrees to it. @param {import('./separate.mjs').Card} card @param {string} [total] */
  async payWith(card, total = '€35.80') {
    await this.enter(card);
    await this.page.button(`Pay ${total}`).click();
  }

  /** @param {import('./separate.mjs').Card} card */
  async enter(card) {
    await this.loaded();
    await this.fill(card);
    await this.proceed.click();
  }
}

inEveryEngine('build 2', (stage) => {
  test('K8 K28 a card is charged once, with the fee that the buyer agreed to', async (t) => {
    const page = await FeesPage.open(stage(), t);
    await page.enter(APPROVED);
    await page.page.says('#reason', /1 % for cards/);
    await page.page.says('#fee', /^€0\.35$/);
    await stage().recorded(await page.orderId());
    await page.page.button('Pay €35.80').click();
    await page.says(/^Paid\. /);
    const [operation] = await stage().recorded(await page.orderId(), 'AUTHORIZATION EXECUTED');
    assert.equal(operation.operationAmount, '3580');
  });

  test('another network costs another fee', async (t) => {
    const page = await FeesPage.open(stage(), t);
    await page.payWith(AMEX, '€36.34');
    await page.says(/^Paid\. /);
    const [operation] = await stage().recorded(await page.orderId(), 'AUTHORIZATION EXECUTED');
    assert.equal(operation.operationAmount, '3634');
  });

  test('a challenge is passed on the issuer\'s page, which leads back to the shop', async (t) => {
    const page = await FeesPage.open(stage(), t);
    const orderId = await page.orderId();
    await page.payWith(CHALLENGED);
    await page.passChallenge('Paid');
    await stage().recorded(orderId, 'AUTHORIZATION EXECUTED');
  });

  test('a refused card ends the payment', async (t) => {
    const page = await FeesPage.open(stage(), t);
    await page.payWith(NO_FUNDS);
    await page.says(/^Not paid\. /);
    await stage().recorded(await page.orderId(), 'AUTHORIZATION DECLINED');
  });

  test('mistakes are told beside their fields by their codes, and nothing is sent', async (t) => {
    const page = await FeesPage.open(stage(), t);
    await page.loaded();
    await page.tells('CARD_NUMBER', WRONG_CHECK_DIGIT.number, 'HF0004');
    await page.tells('CARD_NUMBER', UNKNOWN_NETWORK.number, 'HF0005');
    await page.proceed.click();
    await page.says(/\(HF0007\)$/);
    await page.tells('EXPIRATION_DATE', OUT_OF_DATE.expiry.replaceAll(' ', ''), 'HF0006');
    await page.tells('CARD_NUMBER', APPROVED.number, '');
    await stage().recorded(await page.orderId());
  });

  test('a device check that fails ends the payment', async (t) => {
    const page = await FeesPage.open(stage(), t);
    await page.payWith(DEVICE_CHECK_FAILS);
    await page.ended('HF0009');
    await page.says(/^Not paid\. /);
    await stage().recorded(await page.orderId(), 'AUTHORIZATION THREEDS_FAILED');
  });

  test('giving up is told and recorded', async (t) => {
    const page = await FeesPage.open(stage(), t);
    await page.loaded();
    await page.page.button('Cancel payment').click();
    await page.says(/^Cancelled\. /);
    await stage().recorded(await page.orderId(), 'CANCEL CANCELED');
  });

  test('paying after the end of the session says so, and charges nothing', async (t) => {
    const impatient = await stage().impatient(t);
    const page = await FeesPage.open(impatient, t, /400|401|410/);
    await page.loaded();
    await page.fill(APPROVED);
    await page.over(await page.session());
    await page.proceed.click();
    await page.says(/time for this payment is over.*\(HF0003\)$/);
    await impatient.recorded(await page.orderId());
    assert.ok(await page.proceed.absent(), 'there is nothing to press any more');
  });
});
