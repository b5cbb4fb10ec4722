/** The class Build in version 3, beginning with the buttons of the methods, in every engine: one payment of each kind. */

import { test } from 'node:test';
import assert from 'node:assert/strict';
import { APPROVED, CHALLENGED, DEVICE_CHECK_FAILS, NO_FUNDS, OUT_OF_DATE, UNKNOWN_NETWORK, WRONG_CHECK_DIGIT } from '../e2e/cards.mjs';
import { BuildPage } from './build-page.mjs';
import { inEveryEngine } from './stage.mjs';

class ButtonsPage extends BuildPage {
  /** @param {import('./stage.mjs').Stage} stage @param {import('node:test').TestContext} t @param {RegExp} [noise] */
  static async open(stage, t, noise) {
    return new ButtonsPage(stage, await stage.page(t, '/build3', { ...(noise && { noise }) }));
  }

  /** Chooses the card, as the buyer does, and waits for its inputs. */
  async chooseCard() {
    await this.frame('PAY_WITH_CARD').control('button').click();
    await this.loaded();
  }

  get payButton() {
    return this.page.button('Pay €35.45');
  }

  /** @param {import('./separate.mjs').Card} card */
  async payWith(card) {
    await this.chooseCard();
    await this.fill(card);
    await this.payButton.click();
  }
}

inEveryEngine('build 3', (stage) => {
  test('K28 a card is charged once', async (t) => {
    const page = await ButtonsPage.open(stage(), t);
    await page.payWith(APPROVED);
    await page.says(/^Paid\. /);
    await stage().recorded(await page.orderId(), 'AUTHORIZATION EXECUTED');
  });

  test('a challenge is passed on the issuer\'s page, which leads back to the shop', async (t) => {
    const page = await ButtonsPage.open(stage(), t);
    const orderId = await page.orderId();
    await page.payWith(CHALLENGED);
    await page.passChallenge('Paid');
    await stage().recorded(orderId, 'AUTHORIZATION EXECUTED');
  });

  test('a refused card ends the payment', async (t) => {
    const page = await ButtonsPage.open(stage(), t);
    await page.payWith(NO_FUNDS);
    await page.says(/^Not paid\. /);
    await stage().recorded(await page.orderId(), 'AUTHORIZATION DECLINED');
  });

  test('mistakes are told beside their fields by their codes, and nothing is sent', async (t) => {
    const page = await ButtonsPage.open(stage(), t);
    await page.chooseCard();
    await page.tells('CARD_NUMBER', WRONG_CHECK_DIGIT.number, 'HF0004');
    await page.tells('CARD_NUMBER', UNKNOWN_NETWORK.number, 'HF0005');
    await page.payButton.click();
    await page.says(/\(HF0007\)$/);
    await page.tells('EXPIRATION_DATE', OUT_OF_DATE.expiry.replaceAll(' ', ''), 'HF0006');
    await page.tells('CARD_NUMBER', APPROVED.number, '');
    await stage().recorded(await page.orderId());
  });

  test('a device check that fails ends the payment', async (t) => {
    const page = await ButtonsPage.open(stage(), t);
    await page.payWith(DEVICE_CHECK_FAILS);
    await page.ended('HF0009');
    await page.says(/^Not paid\. /);
    await stage().recorded(await page.orderId(), 'AUTHORIZATION THREEDS_FAILED');
  });

  test('giving up is told and recorded', async (t) => {
    const page = await ButtonsPage.open(stage(), t);
    await page.chooseCard();
    await page.page.button('Cancel payment').click();
    await page.says(/^Cancelled\. /);
    await stage().recorded(await page.orderId(), 'CANCEL CANCELED');
  });

  test('paying after the end of the session says so, and charges nothing', async (t) => {
    const impatient = await stage().impatient(t);
    const page = await ButtonsPage.open(impatient, t, /400|401|410/);
    await page.chooseCard();
    await page.fill(APPROVED);
    await page.over(await page.session());
    await page.payButton.click();
    await page.says(/time for this payment is over.*\(HF0003\)$/);
    await impatient.recorded(await page.orderId());
    assert.ok(await page.payButton.absent(), 'there is nothing to press any more');
  });
});
