/** Networks of a card: which are possible, which is shown, and who chooses if a card has two. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { AMEX, APPROVED } from './cards.mjs';
import { hold, holds, says } from './checkout.mjs';
import { Stage } from './stage.mjs';

/** @typedef {import('./checkout.mjs').Payment} Payment */

/** Of the sandbox's ranges with two networks. */
const VISA_AND_CB = { ...APPROVED, number: '4761732500000004', shown: '4761 7325 0000 0004' };
const MC_AND_CB = { ...APPROVED, number: '5413332500000002', shown: '5413 3325 0000 0002' };
const MAESTRO_AND_BANCONTACT = { ...APPROVED, number: '6703000000000007', shown: '6703 0000 0000 0007' };
const LOOK_UP = '**/api/fe/build/bin';
const OFFERED = 'This card works with two networks. Choose one next to the number.';

/** @param {Payment} payment */
const networks = (payment) => payment.frame.getByRole('group', { name: "Choose the card's network" });
/** @param {Payment} payment @param {string} name */
const network = (payment, name) => networks(payment).getByRole('radio', { name, exact: true });
/** @param {Payment} payment */
const polite = (payment) => payment.frame.getByRole('status');

/** What the form sent as card data, by id. @param {Payment} payment @returns {any} */
function sent(payment) {
  const bodies = payment.checkout.requestsTo('fe/build/text').map((request) => request.postDataJSON());
  return Object.fromEntries(bodies.at(-1).map((/** @type {{ id: string }} */ item) => [item.id, item]));
}

suite('networks', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('networks');
  });
  after(() => stage.close());

  /** @param {import('node:test').TestContext} t @param {import('./stage.mjs').Opening} [opening] */
  async function open(t, opening) {
    const payment = (await stage.checkout(t, {}, opening)).payment();
    await payment.live();
    return payment;
  }

  /** A form of a terminal that takes Visa and Mastercard only. @param {import('node:test').TestContext} t */
  async function ofTwo(t) {
    const payment = await open(t);
    const { sessionId } = await stage.api.open({ shop: stage.shopOrigin, key: 'sandbox-cards-only', form: { closing: 'FRAME' } });
    const loaded = payment.checkout.page.waitForResponse((answer) => answer.url().includes(sessionId));
    await payment.region.locator('payment-form').evaluate((form, session) => form.setAttribute('session', session), sessionId);
    await loaded;
    await payment.live();
    return { payment, sessionId };
  }

  test('K14 another session takes over while the card\'s range is being looked up → it is looked up in that session', async (t) => {
    const payment = await open(t, { noise: /400 \(Bad Request\)/ });
    const { page } = payment.checkout;
    const orderId = await payment.orderId();
    const { sessionId } = await stage.api.open({ shop: stage.shopOrigin, orderId, amount: '3545', form: { closing: 'FRAME' } });
    const { arrived } = await hold(page, LOOK_UP);
    await payment.fill(VISA_AND_CB);
    const former = await arrived;
    await payment.region.locator('payment-form').evaluate((form, session) => /** @type {any} */ (form).update({ session }), sessionId);
    await former.continue();
    await network(payment, 'Cartes Bancaires').waitFor();
    assert.equal(await payment.session(), sessionId);
  });

  test('B1 first digits fit several brands → no brand is claimed yet and the candidates are reported', async (t) => {
    const payment = await open(t);
    const changes = await payment.region.locator('payment-form').evaluateHandle((form) => {
      const heard = /** @type {{ brand: unknown, candidates: string[] }[]} */ ([]);
      form.addEventListener('change', (event) => {
        const { brand, candidates } = /** @type {CustomEvent} */ (event).detail;
        heard.push({ brand, candidates });
      });
      return heard;
    });
    const heard = async (/** @type {number} */ count) => {
      await payment.checkout.page.waitForFunction(([changes, count]) => changes.length === count, /** @type {const} */ ([changes, count]));
      return (await changes.jsonValue()).at(-1);
    };
    await payment.number.pressSequentially('5');
    await payment.caughtUp();
    assert.equal(await payment.frame.getByRole('img').count(), 0);
    // For all networks of a session the network is reported at the same number of digits, so that the page learns no digit.
    const first = await heard(1);
    assert.equal(first?.brand, null);
    assert.ok(first?.candidates.includes('MC') && first?.candidates.includes('MAESTRO') && first?.candidates.includes('VISA'));
    await payment.number.pressSequentially('4');
    await payment.frame.getByRole('img', { name: 'Mastercard' }).waitFor();
    assert.deepEqual(await heard(2), { brand: 'MC', candidates: ['MC'] });
  });

  test('B2 digits leave one brand → its mark shows at once and has a text name', async (t) => {
    const payment = await open(t);
    for (const [digits, brand] of [['4', 'Visa'], ['37', 'American Express'], ['2221', 'Mastercard'], ['62', 'UnionPay']]) {
      await payment.number.fill(String(digits));
      await payment.frame.getByRole('img', { name: brand }).waitFor();
      await says(polite(payment), `${brand} card`);
    }
  });

  test('B3 buyer deletes the leading digits → mark, code rule and network choice return to neutral', async (t) => {
    const payment = await open(t);
    await payment.number.fill(AMEX.number);
    await payment.frame.getByRole('img', { name: 'American Express' }).waitFor();
    await payment.number.fill(VISA_AND_CB.number);
    await networks(payment).waitFor();
    await payment.number.fill('');
    await networks(payment).waitFor({ state: 'hidden' });
    assert.equal(await payment.frame.getByRole('img').count(), 0);
    assert.equal(await payment.code.getAttribute('placeholder'), '123');
  });

  test('B7 card of a brand the merchant does not take → message names that brand and the ones taken', async (t) => {
    const { payment } = await ofTwo(t);
    await payment.number.pressSequentially('37');
    await payment.number.blur();
    await says(payment.alert, 'This shop does not take American Express. It takes Visa, Mastercard.');
  });

  test('B8 session lists the accepted brands → only their marks show, and the page cannot widen the list', async (t) => {
    const { payment } = await ofTwo(t);
    await payment.region.locator('payment-form').evaluate((form) => form.setAttribute('networks', 'AMEX'));
    await payment.number.fill(AMEX.number);
    await payment.number.blur();
    await says(payment.alert, 'This shop does not take American Express. It takes Visa, Mastercard.');
    assert.equal(await payment.frame.getByRole('img', { name: 'American Express' }).count(), 0);
    await payment.number.fill('4');
    await payment.frame.getByRole('img', { name: 'Visa' }).waitFor();
  });

  test('B8 nothing is typed yet → the marks of what the shop takes are there, and one sentence names them to a reader', async (t) => {
    const { payment } = await ofTwo(t);
    const accepted = payment.frame.locator('#accepted');
    await says(accepted, 'Accepted cards:Visa, Mastercard');
    const marks = accepted.locator('img');
    assert.equal(await marks.count(), 2);
    assert.equal(await payment.frame.getByRole('img').count(), 0, 'the marks say nothing once more');
    for (const mark of await marks.all()) await mark.evaluate((mark) => /** @type {HTMLImageElement} */ (mark).decode());
  });

  test('B9 brand with a longer security code → hint, length and help picture change while typed digits stay', async (t) => {
    const payment = await open(t);
    await payment.code.fill('123');
    await payment.number.fill('4761');
    await payment.caughtUp();
    assert.equal(await payment.code.getAttribute('placeholder'), '123');
    const picture = payment.code.locator('xpath=following-sibling::*[name()="svg"]/*[name()="circle"]');
    const place = async () => (await picture.boundingBox())?.y;
    const below = await place();
    await payment.number.fill('3742');
    await payment.frame.locator('#SECURITY_CODE[placeholder="1234"]').waitFor();
    assert.ok(Number(await place()) < Number(below), 'the code is on the front, above the middle');
    await holds(payment.code, '123');
    await payment.code.press('End');
    await payment.code.pressSequentially('45');
    await holds(payment.code, '1234');
  });

  test('B10 card range without a security code → the field goes, its value is dropped, and it returns with another number', async (t) => {
    const payment = await open(t);
    await payment.fill(MAESTRO_AND_BANCONTACT);
    await payment.caughtUp();
    assert.equal(await payment.code.getAttribute('required'), null, 'optional for Maestro');
    await network(payment, 'Bancontact').check();
    await payment.code.waitFor({ state: 'hidden' });
    await network(payment, 'Maestro').check();
    await payment.code.waitFor();
    await holds(payment.code, '');
    await network(payment, 'Bancontact').check();
    await payment.press();
    await payment.ends('Payment complete');
    assert.equal('SECURITY_CODE' in sent(payment), false);
    const [operation] = await payment.recorded('AUTHORIZATION EXECUTED');
    assert.equal(operation.paymentCircuit, 'BANCONTACT');
  });

  test('B12 co-badged number → networks are offered next to the number, in equal size, with names in words', async (t) => {
    const payment = await open(t);
    await payment.number.pressSequentially(VISA_AND_CB.number);
    await networks(payment).waitFor();
    await says(polite(payment), OFFERED);
    const boxes = [];
    for (const name of ['Visa', 'Cartes Bancaires']) {
      const label = networks(payment).locator('label').filter({ hasText: name });
      boxes.push(await label.boundingBox());
      const picture = label.locator('img');
      assert.ok(await picture.evaluate((image) => /** @type {HTMLImageElement} */ (image).complete && /** @type {HTMLImageElement} */ (image).naturalWidth > 0), `${name} has its mark`);
    }
    assert.equal(boxes[0]?.width, boxes[1]?.width);
    assert.equal(boxes[0]?.height, boxes[1]?.height);
    assert.equal(await payment.frame.getByRole('img', { name: 'Visa' }).count(), 0, 'neither stands out');
    assert.equal(payment.checkout.requestsTo('fe/build/bin').length, 1, 'asked once, whatever was typed behind the range');
    assert.deepEqual(payment.checkout.requestsTo('fe/build/bin')[0]?.postDataJSON(), { bin: '47617325' });
    await payment.number.press('Tab');
    await payment.frame.locator('#network-0:focus').waitFor();
    await payment.checkout.page.keyboard.press('ArrowDown');
    assert.equal(await network(payment, 'Cartes Bancaires').isChecked(), true, 'worked with arrows');
  });

  test('B2 buyer chooses one of two networks → the field has its mark, and the choice has room', async (t) => {
    const payment = await open(t);
    await payment.number.fill(VISA_AND_CB.number);
    await networks(payment).waitFor();
    for (const name of ['Cartes Bancaires', 'Visa']) {
      await network(payment, name).check();
      await payment.frame.locator('.box').getByRole('img', { name }).waitFor();
    }
    const [number, choice] = await Promise.all([payment.number.boundingBox(), networks(payment).boundingBox()]);
    assert.ok(Number(choice?.y) >= Number(number?.y) + Number(number?.height) + 12);
  });

  test('B14 payment with a co-badged card → the network used is sent together with whether the buyer or a default chose it', async (t) => {
    for (const choose of [true, false]) {
      const payment = await open(t);
      await payment.fill(MC_AND_CB);
      await networks(payment).waitFor();
      if (choose) await network(payment, 'Cartes Bancaires').check();
      await payment.press();
      await payment.ends('Payment complete');
      const [circuit, chooser] = choose ? ['CARTES_BANCAIRES', 'BUYER'] : ['MC', 'DEFAULT'];
      assert.deepEqual(sent(payment).PREFERRED_NETWORK, { id: 'PREFERRED_NETWORK', value: circuit, chosenBy: chooser });
      const [operation] = await payment.recorded('AUTHORIZATION EXECUTED');
      assert.equal(operation.paymentCircuit, circuit);
      assert.equal(operation.additionalData.networkChosenBy, chooser);
    }
  });

  test('B15 buyer edits a co-badged number → choice stays within the same range, and is cleared and announced when the range changes', async (t) => {
    const payment = await open(t);
    await payment.number.fill(VISA_AND_CB.number);
    await networks(payment).waitFor();
    await network(payment, 'Cartes Bancaires').check();
    await payment.number.press('End');
    await payment.number.press('Backspace');
    await payment.number.pressSequentially('4');
    assert.equal(await network(payment, 'Cartes Bancaires').isChecked(), true);
    for (let digit = 0; digit < 9; digit++) await payment.number.press('Backspace');
    await networks(payment).waitFor({ state: 'hidden' });
    await says(polite(payment), 'The choice of network was cleared.');
    await payment.number.fill(MC_AND_CB.number);
    await networks(payment).waitFor();
    assert.equal(await network(payment, 'Mastercard').isChecked(), true, 'asked anew');
  });

  test('the gateway is asked about a card once its buyer pauses, so that no key has to wait for it', async (t) => {
    const payment = await open(t);
    const { page } = payment.checkout;
    const asked = page.waitForRequest(LOOK_UP);
    await payment.number.focus();
    const done = await payment.checkout.document('/form/').evaluate(async (digits) => {
      let done = 0;
      for (const digit of digits) {
        document.execCommand('insertText', false, digit);
        done = Date.now();
        await new Promise((resume) => setTimeout(resume, 50));
      }
      return done;
    }, VISA_AND_CB.number);
    await holds(payment.number, VISA_AND_CB.shown);
    await networks(payment).waitFor();
    assert.ok((await asked).timing().startTime > done, 'nothing was asked between two keys');
    assert.equal(payment.checkout.requestsTo('fe/build/bin').length, 1);
  });

  test('B17 card range look-up is slow, fails, or answers for an older number → typing goes on under built-in rules and the stale answer is ignored', async (t) => {
    const payment = await open(t, { noise: /status of 500|ERR_FAILED/ });
    const { page } = payment.checkout;
    const { arrived } = await hold(page, LOOK_UP);
    await payment.number.fill(VISA_AND_CB.number);
    const slow = await arrived;
    await payment.number.press('End');
    await payment.number.press('Backspace');
    await payment.number.pressSequentially('4');
    await holds(payment.number, VISA_AND_CB.shown);
    await payment.frame.getByRole('img', { name: 'Visa' }).waitFor();
    await payment.number.fill(MC_AND_CB.number);
    await networks(payment).waitFor();
    const stale = page.waitForResponse(LOOK_UP);
    await slow.continue();
    await stale;
    await payment.checkout.document('/form/').evaluate(() => new Promise((resume) => setTimeout(resume, 0)));
    assert.equal(await network(payment, 'Mastercard').count(), 1, 'what was asked for the older number is not shown');

    await page.route(LOOK_UP, (route) => route.fulfill({ status: 500, body: '{}' }), { times: 1 });
    const failed = page.waitForResponse(LOOK_UP);
    await payment.fill(VISA_AND_CB);
    await failed;
    await payment.frame.getByRole('img', { name: 'Visa' }).waitFor();
    assert.equal(await networks(payment).isVisible(), false);
    await payment.press();
    await payment.ends('Payment complete');
    assert.equal('PREFERRED_NETWORK' in sent(payment), false);
    const [operation] = await payment.recorded('AUTHORIZATION EXECUTED');
    assert.deepEqual([operation.paymentCircuit, operation.additionalData.networkChosenBy], ['VISA', 'DEFAULT']);
  });

  test('B16 merchant takes only one of a card\'s networks → no choice is shown and that network is used', async (t) => {
    const { payment, sessionId } = await ofTwo(t);
    await payment.fill(VISA_AND_CB);
    await payment.press();
    await payment.ends('Payment complete');
    assert.equal(payment.checkout.requestsTo('fe/build/bin').length, 0, 'there is nothing to ask');
    assert.equal('PREFERRED_NETWORK' in sent(payment), false);
    const { body } = await stage.api.call(`build/state?sessionId=${sessionId}`);
    const [operation] = await stage.api.operations(body.operation.orderId);
    assert.equal(operation.paymentCircuit, 'VISA');
    assert.equal('networkChosenBy' in operation.additionalData, false);
  });
});

suite('networks with a preference', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('networks-preferred', { shop: { SHOP_API_KEY: 'sandbox-local-first' } });
  });
  after(() => stage.close());

  test('B13 merchant preselects a network → it is shown as selected and one action of the buyer overrides it', async (t) => {
    const payment = (await stage.checkout(t)).payment();
    await payment.fill(VISA_AND_CB);
    await networks(payment).waitFor();
    assert.equal(await network(payment, 'Cartes Bancaires').isChecked(), true);
    await network(payment, 'Visa').check();
    await payment.press();
    await payment.ends('Payment complete');
    const [operation] = await payment.recorded('AUTHORIZATION EXECUTED');
    assert.deepEqual([operation.paymentCircuit, operation.additionalData.networkChosenBy], ['VISA', 'BUYER']);
  });
});
