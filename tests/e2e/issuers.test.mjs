/** Payments by directory server and issuer: programs of their own, whose pages have another origin. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { BROWSER, CONFIRMING } from '../chromium.mjs';
import { APPROVED, CHALLENGED, CONFIRMED, IN_APP, OTHER_NETWORK } from './cards.mjs';
import { IssuerPage } from './checkout.mjs';
import { ENROLLING, enrol, pageIn, plugIn } from './device.mjs';
import { IssuerPrograms } from './issuer-programs.mjs';
import { Stage } from './stage.mjs';
import { violations } from './wcag.mjs';

/** The issuer's own page, in the frame of the gateway's page. @param {import('./checkout.mjs').Payment} payment */
const issuerOf = (payment) => new IssuerPage(payment.frame.getByTitle('Page of your bank').contentFrame().getByTitle('Confirm your payment'));

suite('issuers', () => {
  /** @type {Stage} */
  let stage;
  /** @type {IssuerPrograms} */
  let programs;

  before(async () => {
    programs = await IssuerPrograms.start();
    stage = await Stage.open('issuers', { gateway: programs.environment }, CONFIRMING, BROWSER);
  });
  after(async () => {
    await stage.close();
    await programs.stop();
  });

  /** A checkout in a browser whose device is enrolled at the issuer. @param {import('node:test').TestContext} t */
  const enrolled = async (t) => {
    /** @type {Awaited<ReturnType<typeof plugIn>> | undefined} */
    let device;
    const checkout = await stage.checkout(t, {}, {
      noise: ENROLLING,
      prepare: async (page) => {
        device = await plugIn(page);
        await enrol(page, programs.enrolment);
        assert.deepEqual(await violations(page, new URL(programs.enrolment).origin), []);
      },
    });
    assert.ok(device, 'the device is there');
    return { checkout, payment: checkout.payment(), device };
  };

  for (const card of [APPROVED, OTHER_NETWORK]) {
    test(`card that its issuer authenticates by the browser's data → paid without a challenge: ${card.shown}`, async (t) => {
      const payment = (await stage.checkout(t)).payment();
      await payment.payWith(card);
      await payment.ends('Payment complete');
      const [operation] = await stage.api.operations(await payment.orderId());
      assert.equal(operation?.additionalData.threeDS, 'FULL_SECURE');
    });
  }

  test('challenge at the issuer\'s own origin → the form goes on by itself, and the browser has nothing to complain', async (t) => {
    const payment = (await stage.checkout(t)).payment();
    await payment.payWith(CHALLENGED);
    await issuerOf(payment).answer('123456');
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION EXECUTED');
  });

  test('issuer asks in its app → its words are on the page that waits, and the form goes on by itself', async (t) => {
    const payment = (await stage.checkout(t)).payment();
    await payment.payWith(IN_APP);
    await payment.frame.getByTitle('Page of your bank').contentFrame().getByText('Sandbox bank: our app confirms this payment by itself').waitFor();
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION EXECUTED');
    const [operation] = await stage.api.operations(await payment.orderId());
    assert.equal(operation?.additionalData.threeDS, 'FULL_SECURE');
  });

  // Before the tests that enrol one.
  test('no device is enrolled → the issuer shows its page at once', async (t) => {
    const payment = (await stage.checkout(t, {}, { prepare: plugIn })).payment();
    await payment.payWith(CONFIRMED);
    await issuerOf(payment).answer('123456');
    await payment.ends('Payment complete');
    assert.equal(await pageIn(payment).device.count(), 0);
  });

  test('device is enrolled at the issuer\'s own domain → it confirms on the gateway\'s page, and the buyer is charged once', async (t) => {
    const { checkout, payment, device } = await enrolled(t);
    await device.answer('autoAccept');
    await payment.payWith(CONFIRMED);
    await pageIn(payment).device.click();
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION EXECUTED');
    const [operation] = await stage.api.operations(await payment.orderId());
    assert.equal(operation?.additionalData.threeDS, 'FULL_SECURE');
    assert.equal(checkout.requestsTo('build/finalize_payment').length, 1);
  });

  test('buyer wants another way than the device → the issuer\'s page comes in the same attempt', async (t) => {
    const { payment } = await enrolled(t);
    await payment.payWith(CONFIRMED);
    await pageIn(payment).other.click();
    await issuerOf(payment).answer('123456');
    await payment.ends('Payment complete');
  });

  test('buyer cancels at the issuer → nothing is charged, and the card can be changed', async (t) => {
    const payment = (await stage.checkout(t)).payment();
    await payment.payWith(CHALLENGED);
    await issuerOf(payment).cancel.click();
    await payment.frame.getByLabel('Card number').waitFor();
    await payment.recorded('AUTHORIZATION THREEDS_FAILED');
  });
});
