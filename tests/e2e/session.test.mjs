/** The time of a session: the warning, the extension, and another session that takes over in place. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { APPROVED, NO_FUNDS } from './cards.mjs';
import { recordEvents, hold, holds, result, says } from './checkout.mjs';
import { Stage } from './stage.mjs';

/** The browser's message about a request for a session that is over. */
const OVER = /400 \(Bad Request\)|410 \(Gone\)/;
/** A form that can not be loaded is noticed by trying. */
const NOT_LOADED = /410 \(Gone\)|404 \(Not Found\) \(\S+\/form\/\)/;
const FUNDS = 'lack of funds';
/** A card of another currency than the shop's. */
const DOLLARS = { ...APPROVED, number: '4761738400000002', shown: '4761 7384 0000 0002' };

// Most of the time is spent waiting for sessions to end.
suite('session', { concurrency: 3 }, () => {
  /** Sessions that end after a short time without activity. @type {Stage} */
  let short;
  /** Sessions whose time is little longer than the warning. @type {Stage} */
  let warned;
  before(async () => {
    [short, warned] = await Promise.all([
      Stage.open('session', { gateway: { PAYFRAME_IDLE_SECONDS: '6' } }),
      Stage.open('session-warned', { gateway: { PAYFRAME_IDLE_SECONDS: '23' } }),
    ]);
  });
  after(() => Promise.all([short?.close(), warned?.close()]));

  /**
   * A page whose merchant brings another session when one is over; it counts how often it was asked to.
   * @param {import('node:test').TestContext} t @param {Stage} stage
   * @param {{ query?: Record<string, string | number>, amount?: string, customerId?: string, none?: boolean, noise?: RegExp, foreign?: { key?: string, other?: boolean } }} [wanted] `foreign`: it is no session of this order, or of this merchant
   */
  const renewing = async (t, stage, { query = {}, amount, customerId, none = false, noise = OVER, foreign } = {}) => {
    /** @type {{ sessionId: string, order: string }[]} */
    const made = [];
    const checkout = await stage.checkout(t, query, {
      noise,
      prepare: async (page) => {
        await page.exposeFunction('anotherSession', async () => {
          if (none) return '';
          const form = { closing: 'FRAME', ...(customerId && { savedCards: 'USE' }) };
          const body = await stage.api.open({ shop: stage.shopOrigin, key: foreign?.key, ...(!foreign?.other && { orderId: await checkout.payment().orderId() }), form, customerId, ...(amount && { amount }) });
          made.push(body);
          return body.sessionId;
        });
        // A property that is set before the upgrade, as by a page's script.
        await page.addInitScript(() => {
          new MutationObserver(() => {
            const form = /** @type {any} */ (document.querySelector('payment-form'));
            if (form && !form.renewSession) form.renewSession = () => /** @type {any} */ (window).anotherSession();
          }).observe(document, { childList: true, subtree: true });
        });
      },
    });
    return { checkout, made };
  };

  /** Asks the gateway until a session is over, which does not prolong it. @param {Stage} stage @param {string} session */
  const over = async (stage, session) => {
    while ((await stage.api.standing(session)) !== 'PS0061') await pause(100);
  };

  /**
   * A page that pays by `confirm()`, and what it hears: each call's outcome, or the code of the error that it got instead.
   * @param {import('./checkout.mjs').Payment} payment
   */
  const confirming = async (payment) => {
    const form = payment.region.locator('payment-form');
    const states = await recordEvents(payment, 'statechange', 'state');
    const ended = () => form.evaluate((form) => /** @type {any} */ (form).confirm().then((/** @type {{ outcome: string }} */ { outcome }) => outcome, (/** @type {{ code: string }} */ { code }) => code));
    /** Of a call that comes while the other session is on its way. */
    const endedMeanwhile = async () => {
      const { arrived } = await hold(payment.checkout.page, '**/form/?*');
      const other = await arrived;
      const waits = form.evaluate((form) => new Promise((resolve) => form.addEventListener('statechange', resolve, { once: true })));
      const outcome = ended();
      await waits;
      await other.continue();
      return outcome;
    };
    return { states, ended, endedMeanwhile };
  };

  test('G15 session is about to end → warned at least 20 seconds ahead; one simple action extends it, ten times or more', async (t) => {
    const checkout = await warned.checkout(t);
    const payment = checkout.payment();
    await payment.live();
    const told = await recordEvents(payment, 'expiring', 'secondsLeft');
    const stay = payment.frame.getByRole('button', { name: 'I need more time', exact: true });
    for (let round = 0; round < 11; round += 1) {
      await stay.waitFor();
      await says(payment.frame.getByRole('timer'), /Time left: 0:\d\d/);
      await stay.click();
      await stay.waitFor({ state: 'detached' });
    }
    const heard = await told();
    assert.ok(heard.length >= 11, `the page heard of each: ${heard}`);
    // A machine that is busy may be late now and then.
    assert.ok(Math.max(...heard) >= 20, `in time: ${heard}`);
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION EXECUTED');
  });

  test("K14 session nears its end → event with time left; the merchant's new session takes over with typed data kept and changed terms shown", async (t) => {
    const { checkout, made } = await renewing(t, warned, { amount: '4000' });
    const payment = checkout.payment();
    await payment.live();
    const expiring = payment.region.locator('payment-form').evaluate((form) => new Promise((resolve) => form.addEventListener('expiring', (event) => resolve(/** @type {CustomEvent} */ (event).detail.secondsLeft), { once: true })));
    await payment.fill(APPROVED);
    assert.ok(Number.isInteger(await expiring));
    const pay = payment.frame.getByRole('button', { name: 'Pay €40.00', exact: true });
    await pay.waitFor({ timeout: 60_000 });
    await says(payment.frame.locator('#message'), 'The amount is now €40.00.');
    await holds(payment.number, APPROVED.shown);
    await holds(payment.expiry, APPROVED.expiry);
    await holds(payment.code, APPROVED.code);
    await holds(payment.name, APPROVED.name);
    const [former, now] = [await payment.orderId(), made.at(-1)];
    assert.equal(await payment.session(), now?.sessionId);
    await payment.press(pay);
    await payment.ends('Payment complete');
    assert.deepEqual((await warned.api.operations(former)).map(({ operationResult }) => operationResult), ['EXECUTED'], 'nothing was charged in the session that ended');
  });

  test("K14 session nears its end → event with time left; the merchant's new session takes over with typed data kept and changed terms shown: with a currency offer", async (t) => {
    const { checkout } = await renewing(t, short, { amount: '4000' });
    const payment = checkout.payment();
    await payment.fill(DOLLARS);
    const offer = payment.frame.getByRole('group', { name: 'Choose the currency' });
    await offer.getByRole('radio', { name: '$39.52', exact: true }).check();
    await offer.getByRole('radio', { name: '€40.00', exact: true }).waitFor();
    const other = offer.getByRole('radio', { name: '$44.59', exact: true });
    assert.equal(await other.isChecked(), false, 'the choice is asked again');
    await other.check();
    await payment.frame.getByRole('button', { name: 'Pay $44.59', exact: true }).click();
    await payment.ends('Payment complete');
  });

  test('K15 session is dead at load or at submit → one silent renewal if the merchant offers it, otherwise a readable end with a way on: at submit', async (t) => {
    const { checkout, made } = await renewing(t, short);
    const payment = checkout.payment();
    await payment.live();
    const { told } = await result(payment);
    const first = await payment.session();
    await payment.fill(APPROVED);
    await over(short, first);
    const warnings = await recordEvents(payment, 'expiring', 'secondsLeft');
    // The press or the form may find the end first: there is one payment, in the session that took over.
    await payment.press();
    await payment.ends('Payment complete');
    assert.equal((await told).outcome, 'approved', 'no word of the session that ended');
    assert.ok((await warnings()).every((seconds) => seconds >= 5), `nor of its time: ${await warnings()}`);
    assert.notEqual(await payment.session(), first);
    assert.ok(made.length >= 1);
    await payment.recorded('AUTHORIZATION EXECUTED');
  });

  test('K15 session is dead at load or at submit → one silent renewal if the merchant offers it, otherwise a readable end with a way on: while the other session is on its way', async (t) => {
    const { checkout, made } = await renewing(t, short);
    const payment = checkout.payment();
    await payment.fill(APPROVED);
    const { arrived } = await hold(checkout.page, '**/form/?*');
    const other = await arrived;
    // By key, as a buyer who does not see that the button is disabled for a moment.
    await payment.frame.locator('#pay').press('Enter');
    await other.continue();
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION EXECUTED');
    const { body } = await short.api.call(`build/state?sessionId=${made.at(-1)?.sessionId}`);
    const operations = await short.api.operations(body.operation.orderId);
    assert.deepEqual(operations.map(({ operationType, operationResult }) => `${operationType} ${operationResult}`), ['AUTHORIZATION EXECUTED'], 'the press counted, and once');
  });

  test('K15 session is dead at load or at submit → one silent renewal if the merchant offers it, otherwise a readable end with a way on: at confirm()', async (t) => {
    const { checkout } = await renewing(t, short);
    const payment = checkout.payment();
    await payment.fill(APPROVED);
    const { states, ended } = await confirming(payment);
    await over(short, await payment.session());
    assert.equal(await ended(), 'approved');
    assert.deepEqual((await states()).filter((state) => state === 'EXPIRED'), [], 'the page hears of no end');
    await payment.recorded('AUTHORIZATION EXECUTED');
  });

  test('K15 session is dead at load or at submit → one silent renewal if the merchant offers it, otherwise a readable end with a way on: at confirm(), and the other session asks for another sum', async (t) => {
    const { checkout, made } = await renewing(t, short, { amount: '4000' });
    const payment = checkout.payment();
    await payment.fill(APPROVED);
    const { states, ended, endedMeanwhile } = await confirming(payment);
    assert.equal(await endedMeanwhile(), 'not_completed', 'the buyer has not seen the sum that confirm() was for');
    await says(payment.frame.locator('#message'), 'The amount is now €40.00. Check it and pay again.');
    assert.deepEqual((await states()).slice(-2), ['PROCESSING', 'CARD_DATA_COLLECTION']);
    assert.equal(await ended(), 'approved', 'the next confirm() pays');
    const { body } = await short.api.call(`build/state?sessionId=${made.at(-1)?.sessionId}`);
    const operations = await short.api.operations(body.operation.orderId);
    assert.deepEqual(operations.map(({ operationAmount }) => operationAmount), ['4000']);
  });

  test('K15 session is dead at load or at submit → one silent renewal if the merchant offers it, otherwise a readable end with a way on: at confirm(), with an offer of the former session', async (t) => {
    const { checkout } = await renewing(t, short);
    const payment = checkout.payment();
    await payment.fill(DOLLARS);
    const other = payment.frame.getByRole('radio', { name: '$39.52', exact: true });
    await other.check();
    const { ended, endedMeanwhile } = await confirming(payment);
    assert.equal(await endedMeanwhile(), 'not_completed', 'the choice went with the offer');
    await payment.frame.getByRole('group', { name: 'Choose the currency' }).getByText('The currency offer has run out.').waitFor();
    await other.check();
    assert.equal(await ended(), 'approved');
  });

  test('K15 session is dead at load or at submit → one silent renewal if the merchant offers it, otherwise a readable end with a way on: at confirm(), with a saved card after an offer for another', async (t) => {
    const customerId = randomUUID().slice(0, 18);
    await short.api.keep({ shop: short.shopOrigin, customerId, contractId: customerId, card: APPROVED });
    const { checkout } = await renewing(t, short, { query: { customer: customerId }, customerId });
    const payment = checkout.payment();
    const saved = payment.frame.getByRole('group', { name: 'Saved cards' });
    await saved.getByRole('radio', { name: 'Another card', exact: true }).check();
    await payment.fill(DOLLARS);
    await payment.frame.getByRole('group', { name: 'Choose the currency' }).waitFor();
    await saved.getByRole('radio', { name: 'Visa •••• 0003', exact: true }).check();
    await payment.code.fill(APPROVED.code);
    const { endedMeanwhile } = await confirming(payment);
    assert.equal(await endedMeanwhile(), 'approved', 'no offer was there to be chosen from');
    await payment.ends('Payment complete');
  });

  for (const [what, answer] of /** @type {const} */ ([['there is no other session', undefined], ['what comes is none', '<script id=boot type=application/json>{</script>']])) {
    test(`K15 session is dead at load or at submit → one silent renewal if the merchant offers it, otherwise a readable end with a way on: at confirm(), and ${what}`, async (t) => {
      const { checkout } = await renewing(t, short, { none: !answer });
      const payment = checkout.payment();
      await payment.fill(APPROVED);
      if (answer) await checkout.page.route('**/form/?*', (route) => route.fulfill({ contentType: 'text/html', body: answer }));
      const session = await payment.session();
      const { states, ended } = await confirming(payment);
      // The session ends while the card is on its way.
      const { arrived } = await hold(checkout.page, '**/fe/build/text*');
      const outcome = ended();
      const sent = await arrived;
      await over(short, session);
      await sent.continue();
      assert.equal(await outcome, 'failed');
      await payment.ends('This payment has timed out');
      assert.deepEqual(await states(), ['PROCESSING', 'EXPIRED']);
    });
  }

  test('K15 session is dead at load or at submit → one silent renewal if the merchant offers it, otherwise a readable end with a way on: at load', async (t) => {
    const { checkout } = await renewing(t, short, { noise: new RegExp(`${OVER.source}|${NOT_LOADED.source}`) });
    const payment = checkout.payment();
    await payment.live();
    const form = payment.region.locator('payment-form');
    const first = await payment.session();
    // While no form is there, nobody prolongs the session.
    await form.evaluate((form) => {
      /** @type {any} */ (window).place = form.parentElement;
      /** @type {any} */ (window).taken = form;
      form.remove();
    });
    await over(short, first);
    const reported = await checkout.page.evaluate(async () => {
      const { place, taken } = /** @type {any} */ (window);
      const heard = /** @type {string[]} */ ([]);
      taken.addEventListener('error', (/** @type {CustomEvent} */ event) => heard.push(event.detail.code));
      const ready = new Promise((resolve) => taken.addEventListener('ready', resolve, { once: true }));
      place.prepend(taken);
      await ready;
      return heard;
    });
    assert.deepEqual(reported.filter((code) => code !== 'data_lost'), [], 'the page hears of no failure');
    assert.notEqual(await payment.session(), first);
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete');
  });

  for (const [what, foreign] of /** @type {const} */ ([["another merchant's", { key: 'sandbox-other-merchant' }], ["another terminal's", { key: 'sandbox-explicit' }], ["another order's", { other: true }]])) {
    test(`a page that brings ${what} session does not get the card that was typed`, async (t) => {
      const { checkout, made } = await renewing(t, short, { foreign, noise: new RegExp(`${OVER.source}|${NOT_LOADED.source}|404`) });
      const payment = checkout.payment();
      const refused = checkout.page.waitForResponse((answer) => answer.url().includes('follows='));
      await payment.fill(APPROVED);
      assert.equal((await refused).status(), 404);
      await payment.ends('This payment has timed out');
      assert.equal(made.length, 1);
      assert.equal(await short.api.standing(made[0]?.sessionId ?? '', foreign.key), 'CARD_DATA_COLLECTION');
      assert.deepEqual(checkout.requestsTo('fe/build/text'), [], 'nothing was sent');
    });
  }

  test('K16 decline ended the session → a new one is fetched for the retry, and number, expiry and name are still there', async (t) => {
    const { checkout, made } = await renewing(t, warned, { query: { attempts: 1 } });
    const payment = checkout.payment();
    await payment.payWith(NO_FUNDS);
    await payment.ends('Payment declined');
    await says(payment.frame.getByText(FUNDS), '');
    const orderId = await payment.orderId();
    assert.equal(made.length, 0, 'not before the buyer wants to try again');
    await payment.frame.getByRole('button', { name: 'Try again', exact: true }).click();
    await payment.keeps(NO_FUNDS);
    assert.equal(made.length, 1);
    assert.equal(await payment.code.evaluate((input) => input.matches(':focus')), true, 'the code alone is asked again');
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete');
    const operations = await warned.api.operations(orderId);
    assert.deepEqual(operations.map(({ operationResult }) => operationResult), ['DECLINED', 'EXECUTED']);
  });
});
