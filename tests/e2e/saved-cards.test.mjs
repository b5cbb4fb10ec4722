/** Saved cards in the form: chosen, paid with the security code, removed, refused; and the consent to save one. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { AMEX, APPROVED, NO_FUNDS } from './cards.mjs';
import { hasFocus, hold, holds, says } from './checkout.mjs';
import { Stage } from './stage.mjs';
import { violations } from './wcag.mjs';

/** Good now, and without funds in later payments. */
const LATER_NO_FUNDS = { ...APPROVED, number: '4761730000007164', shown: '4761 7300 0000 7164' };
/** The sandbox accepts this date of this card although it is past. */
const OVER = { ...APPROVED, number: '4349940199004549', shown: '4349 9401 9900 4549', expiry: '05 / 26' };

suite('saved cards', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('saved-cards', {});
  });
  after(() => stage.close());

  /** A customer of the shop with cards that were kept, the first one first. @param {import('./cards.mjs').Card[]} cards */
  async function customer(...cards) {
    const customerId = randomUUID().slice(0, 18);
    for (const card of cards) {
      const contractId = `${customerId}-${card.number.slice(-4)}`;
      await stage.api.keep({ shop: stage.shopOrigin, customerId, contractId, card });
    }
    return customerId;
  }

  /**
   * The checkout with a session of its own in place of the shop's.
   * @param {import('node:test').TestContext} t
   * @param {Partial<Parameters<import('./gateway-api.mjs').GatewayApi['open']>[0]>} wanted
   * @param {{ opening?: import('./stage.mjs').Opening, early?: boolean }} [how] `early`: before the cards are drawn
   */
  async function open(t, wanted, { opening, early = false } = {}) {
    const { form: members, ...rest } = wanted;
    const { sessionId } = await stage.api.open({ shop: stage.shopOrigin, form: { closing: 'FRAME', ...members }, ...rest });
    // Before the element is upgraded, so that it never shows the shop's own session, and no event is missed.
    /** @param {import('playwright-core').Page} page */
    const prepare = async (page) => {
      await opening?.prepare?.(page);
      await page.addInitScript((session) => {
        /** @type {any} */ (globalThis).told = [];
        new MutationObserver(() => {
          const form = document.querySelector('payment-form');
          if (!form || form.getAttribute('session') === session) return;
          form.setAttribute('session', session);
          for (const name of ['ready', 'change', 'result']) form.addEventListener(name, (event) => /** @type {any} */ (globalThis).told.push([name, /** @type {CustomEvent} */ (event).detail]));
        }).observe(document, { childList: true, subtree: true });
      }, sessionId);
    };
    const checkout = await stage.checkout(t, { theme: 'light' }, { ...opening, prepare });
    const payment = checkout.payment();
    await payment.live();
    const { frame } = payment;
    const group = frame.getByRole('group', { name: 'Saved cards' });
    if (members && 'savedCards' in members && !early) await group.waitFor();
    /** @param {string} name */
    const card = (name) => group.getByRole('radio', { name, exact: true });
    const told = () => checkout.page.evaluate(() => /** @type {any} */ (globalThis).told);
    return { checkout, payment, sessionId, frame, group, card, told };
  }

  /** @param {import('./checkout.mjs').Checkout} checkout */
  async function operationsOf(checkout) {
    const result = await checkout.page.waitForFunction(() => /** @type {any} */ (globalThis).told.find((/** @type {[string]} */ [name]) => name === 'result'));
    return stage.api.operations((await result.jsonValue())[1].orderId);
  }

  const shows = { savedCards: 'USE' };
  const removes = { savedCards: 'USE_AND_REMOVE' };

  test('K17 customer has saved cards → masked card and the security code alone; no empty card inputs', async (t) => {
    const customerId = await customer(APPROVED, AMEX);
    const { checkout, payment, group, card, told } = await open(t, { customerId, form: shows });
    const [amex, visa] = [card('American Express •••• 0009'), card('Visa •••• 0003')];
    assert.deepEqual([await amex.isChecked(), await visa.isChecked(), await card('Another card').isChecked()], [true, false, false], 'the newest first');
    await group.getByText('Valid until 12/').first().waitFor();
    for (const input of [payment.number, payment.expiry, payment.name]) await input.waitFor({ state: 'hidden' });
    assert.deepEqual(await violations(checkout.page, stage.gatewayOrigin), []);

    await payment.press();
    await says(payment.alert, 'Enter the security code.');
    await hasFocus(payment.code);
    await payment.code.fill('123');
    await payment.press();
    await says(payment.alert, 'The security code has 4 digits.');
    assert.equal(checkout.requestsTo('fe/build/text').length, 0);

    await visa.check();
    await holds(payment.code, '');
    await payment.code.fill('123');
    await payment.press();
    await payment.ends('Payment complete');
    const [operation] = await operationsOf(checkout);
    assert.equal(operation.additionalData.contractId, `${customerId}-0003`);
    const sent = checkout.requestsTo('fe/build/text').map((request) => request.postDataJSON().map((/** @type {{ id: string }} */ { id }) => id));
    assert.deepEqual(sent, [['ENCRYPTED_CARD', 'SHOWN_SUM', 'SAVED_CARD']]);

    const events = await told();
    const changes = events.filter((/** @type {[string]} */ [name]) => name === 'change').map((/** @type {[string, any]} */ [, detail]) => detail);
    assert.ok(changes.some((/** @type {any} */ { complete, brand, fields }) => complete && brand === 'VISA' && fields.map((/** @type {any} */ field) => field.id).join() === 'SECURITY_CODE'), JSON.stringify(changes));
    assert.doesNotMatch(JSON.stringify(events.map((/** @type {[string, any]} */ [name, detail]) => [name, { ...detail, orderId: '', operationId: '' }])), /0003|0009|123/);
  });

  test('K17 page asks for focus before the saved cards are there → it is at the security code once they are', async (t) => {
    const customerId = await customer(APPROVED);
    /** @type {Awaited<ReturnType<typeof hold>> | undefined} */
    let script;
    const { checkout, payment, group } = await open(t, { customerId, form: { ...shows, attempts: 2 } }, { opening: { prepare: async (page) => void (script = await hold(page, '**/assets/choices.*.json')) }, early: true });
    assert.ok(script);
    const drawing = await script.arrived;
    await checkout.page.locator('payment-form').evaluate((form) => /** @type {HTMLElement & { focus: () => Promise<void> }} */ (form).focus());
    await hasFocus(payment.number);
    await drawing.continue();
    await group.waitFor();
    await hasFocus(payment.code);
  });

  test('K17 session for a saved card → masked card, nothing to enter, and a press pays', async (t) => {
    const customerId = await customer(APPROVED);
    const recurrence = { action: 'SUBSEQUENT_PAYMENT', contractId: `${customerId}-0003`, contractType: 'CIT' };
    const { payment, frame } = await open(t, { customerId, recurrence });
    await frame.getByText('Visa •••• 0003', { exact: true }).waitFor();
    assert.equal(await frame.getByRole('textbox').count(), 0);
    await payment.press();
    await payment.ends('Payment complete');
  });

  test('K17 another card → the inputs are there with what was in them, and pay', async (t) => {
    const customerId = await customer(APPROVED);
    const { checkout, payment, card } = await open(t, { customerId, form: shows });
    await card('Another card').check();
    await payment.number.fill(AMEX.number);
    await card('Visa •••• 0003').check();
    await payment.number.waitFor({ state: 'hidden' });
    await payment.code.fill('123');
    await card('Another card').check();
    await holds(payment.number, AMEX.shown);
    await holds(payment.code, '');
    await payment.payWith(AMEX);
    await payment.ends('Payment complete');
    const [operation] = await operationsOf(checkout);
    assert.equal(operation.additionalData.contractId, undefined);
  });

  test('K17 keyboard → the arrows choose, Tab leads to the code, Enter pays', async (t) => {
    const customerId = await customer(APPROVED, AMEX);
    const { checkout, payment, card } = await open(t, { customerId, form: shows });
    await card('American Express •••• 0009').focus();
    await checkout.page.keyboard.press('ArrowDown');
    await hasFocus(card('Visa •••• 0003'));
    assert.equal(await card('Visa •••• 0003').isChecked(), true);
    await checkout.page.keyboard.press('Tab');
    await hasFocus(payment.code);
    await checkout.page.keyboard.type('123');
    await checkout.page.keyboard.press('Enter');
    await payment.ends('Payment complete');
  });

  test('K17 merchant\'s server closes → the saved card is ready for it', async (t) => {
    const customerId = await customer(APPROVED);
    const { payment, sessionId, frame } = await open(t, { customerId, form: { ...shows, closing: 'SERVER' } });
    await payment.code.fill('123');
    await payment.press();
    await frame.getByRole('button', { name: 'Waiting for the shop…' }).waitFor();
    const { body } = await stage.api.call('build/finalize_payment', { sessionId });
    assert.equal(body.operation.additionalData.contractId, `${customerId}-0003`);
    await payment.ends('Payment complete');
  });

  test('K17 buyer removes a card → asked once more, then it is gone here and for every other tab', async (t) => {
    const customerId = await customer(APPROVED, AMEX);
    const first = await open(t, { customerId, form: removes });
    const second = await open(t, { customerId, form: removes }, { opening: { noise: /status of 400 .*\/remove_saved_card\// } });
    const name = 'American Express •••• 0009';
    const remove = first.group.getByRole('button', { name: `Remove ${name}` });
    await remove.click();
    const question = first.group.getByRole('group', { name: `Remove ${name} for good?` });
    await hasFocus(question.getByRole('button', { name: 'Keep' }));
    assert.deepEqual(await violations(first.checkout.page, stage.gatewayOrigin), []);
    await first.checkout.page.keyboard.press('Escape');
    await hasFocus(remove);
    assert.equal(await question.count(), 0);
    await remove.click();
    await question.getByRole('button', { name: 'Remove' }).click();
    await says(first.frame.getByRole('status'), `${name}: removed.`);
    assert.equal(await first.card(name).count(), 0);
    await hasFocus(first.card('Visa •••• 0003'));

    // The other tab still shows it.
    await second.card(name).check();
    await second.payment.code.fill('1234');
    await second.payment.press();
    await says(second.payment.alert, 'This card can no longer be used. Choose another one.');
    assert.equal(await second.card(name).count(), 0);
    await hasFocus(second.card('Visa •••• 0003'));
    await second.payment.code.fill('123');
    await second.payment.press();
    await second.payment.ends('Payment complete');

    await first.group.getByRole('button', { name: 'Remove Visa •••• 0003' }).click();
    await first.group.getByRole('button', { name: 'Remove', exact: true }).click();
    await first.payment.number.waitFor();
    await hasFocus(first.payment.number);
    await first.payment.payWith(APPROVED);
    await first.payment.ends('Payment complete');
  });

  test('K17 buyer reloads the page → the saved cards are there again and pay, and whoever has the session\'s id alone sees none', async (t) => {
    const customerId = await customer(APPROVED);
    // What the first document has preloaded is used by the second one, which is slow here.
    const { checkout, payment, sessionId, group } = await open(t, { customerId, form: shows }, { opening: { noise: /was preloaded using link preload/ } });
    const loads = () => checkout.requests.map((request) => new URL(request.url())).filter(({ pathname }) => pathname === '/form/');
    assert.equal(loads().length, 1);
    const elsewhere = async (/** @type {string} */ rest = '') => (await fetch(`${stage.gatewayOrigin}/form/?sessionid=${sessionId}${rest}`)).text();
    assert.doesNotMatch(await elsewhere(), /0003|2030/);
    await checkout.page.reload();
    await payment.live();
    await group.waitFor();
    const pass = loads().at(-1)?.searchParams.get('pass');
    assert.ok(pass, 'the tab had one');
    assert.equal(loads().length, 3, 'a document without the cards, and the one with them');
    for (const rest of ['', `&pass=${pass}`]) assert.doesNotMatch(await elsewhere(rest), /0003|2030/, 'the pass is used up');

    // The second document may be slow.
    await checkout.page.route('**/form/?*&pass=*', async (route) => {
      await new Promise((resume) => setTimeout(resume, 4000));
      await route.continue();
    });
    await checkout.page.locator('payment-form').evaluate((form) => /** @type {any} */ (form).reload());
    await payment.live();
    await group.waitFor();
    await payment.code.fill('123');
    await payment.press();
    await payment.ends('Payment complete');
    const [operation] = await operationsOf(checkout);
    assert.equal(operation.additionalData.contractId, `${customerId}-0003`);
  });

  test('K17 removal has no answer → the card stays, and the buyer is told', async (t) => {
    const customerId = await customer(APPROVED);
    const { checkout, payment, frame, group, card } = await open(t, { customerId, form: removes }, { opening: { noise: /Failed to load resource/ } });
    await group.getByRole('button', { name: 'Remove Visa •••• 0003' }).click();
    const held = await hold(checkout.page, '**/api/fe/build/remove_saved_card/*');
    await group.getByRole('button', { name: 'Remove', exact: true }).click();
    await (await held.arrived).abort();
    await says(payment.alert, 'The card could not be removed. Try again.');
    await hasFocus(group.getByRole('button', { name: 'Remove Visa •••• 0003' }));
    assert.equal(await card('Visa •••• 0003').isChecked(), true);
    await frame.getByText('The card could not be removed. Try again.').first().waitFor();
  });

  test('K18 saved card has expired → says so, can not be chosen, and another card is offered', async (t) => {
    const customerId = await customer(OVER);
    const { checkout, payment, group, card } = await open(t, { customerId, form: removes });
    await group.getByText('Expired: 05/2026').waitFor();
    assert.equal(await card('Visa •••• 4549').isDisabled(), true);
    assert.equal(await card('Another card').isChecked(), true);
    assert.deepEqual(await violations(checkout.page, stage.gatewayOrigin), []);
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete');
  });

  test('K18 saved card was refused → says so, and another card pays', async (t) => {
    const customerId = await customer(LATER_NO_FUNDS);
    const { checkout, payment, card } = await open(t, { customerId, form: { ...shows, attempts: 2 } });
    await payment.code.fill('123');
    await payment.press();
    await says(payment.alert, 'lack of funds');
    assert.equal(await card('Visa •••• 7164').isChecked(), true);
    await hasFocus(payment.code);
    await holds(payment.code, '');
    await card('Another card').check();
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete');
    const operations = await operationsOf(checkout);
    assert.deepEqual(operations.map(({ operationResult }) => operationResult), ['DECLINED', 'EXECUTED']);
  });

  test('K18 session for a saved card that was refused → the inputs for another one', async (t) => {
    const customerId = await customer(LATER_NO_FUNDS);
    const recurrence = { action: 'SUBSEQUENT_PAYMENT', contractId: `${customerId}-7164`, contractType: 'CIT' };
    const { payment } = await open(t, { customerId, recurrence, form: { attempts: 2 } });
    await payment.press();
    await says(payment.alert, 'lack of funds');
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete');
  });

  test('K19 session that stores the card → contract text says who charges, how often, until when and how to stop; box unticked', async (t) => {
    const recurrence = { action: 'CONTRACT_CREATION', contractId: randomUUID(), contractType: 'MIT_SCHEDULED', contractExpiryDate: '2099-12-31', contractFrequency: '30' };
    const { checkout, frame } = await open(t, { recurrence, form: { consent: 'REQUIRED', consentText: 'To stop, write to <b>stop@shop.example</b>.' } });
    const box = frame.getByRole('checkbox', { name: 'Save this card with Demo shop' });
    assert.equal(await box.isChecked(), false);
    const terms = 'Demo shop may charge this card again without asking you each time. Shortest time between two charges: 30 days. Last day: December 31, 2099. To stop, write to <b>stop@shop.example</b>.';
    await frame.getByText(terms, { exact: true }).waitFor();
    assert.match((await box.getAttribute('aria-describedby')) ?? '', /choice-consent-terms/);
    assert.deepEqual(await violations(checkout.page, stage.gatewayOrigin), []);
  });

  test('K20 buyer does not consent, and has to → is told why not, and pays once agreed', async (t) => {
    const customerId = await customer();
    const contractId = randomUUID();
    const { checkout, payment, frame } = await open(t, { customerId, recurrence: { action: 'CONTRACT_CREATION', contractId, contractType: 'CIT' }, form: { consent: 'REQUIRED' } });
    const box = frame.getByRole('checkbox', { name: 'Save this card with Demo shop' });
    await box.waitFor();
    await payment.fill(APPROVED);
    await payment.press();
    await says(payment.alert, 'This payment is possible only if the card may be saved. Tick the box if you agree.');
    await hasFocus(box);
    assert.equal(await box.getAttribute('aria-invalid'), 'true');
    assert.equal(checkout.requestsTo('fe/build/text').length, 0);
    await box.check();
    await payment.press();
    await payment.ends('Payment complete');
    const [operation] = await operationsOf(checkout);
    assert.equal(operation.additionalData.contractId, contractId);
  });

  test('K20 buyer does not consent, and may → pays without storing', async (t) => {
    const customerId = await customer();
    const { checkout, payment, frame } = await open(t, { customerId, recurrence: { action: 'CONTRACT_CREATION', contractId: randomUUID(), contractType: 'CIT' }, form: { consent: 'OPTIONAL', attempts: 2 } });
    const box = frame.getByRole('checkbox', { name: 'Save this card with Demo shop' });
    await frame.getByText('Without the tick you pay, and the card is not saved.').waitFor();
    await box.check();
    await payment.payWith(NO_FUNDS);
    await says(payment.alert, 'lack of funds');
    assert.equal(await box.isChecked(), true, 'it stays over a refusal');
    await box.uncheck();
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete');
    const operations = await operationsOf(checkout);
    assert.deepEqual(operations.map(({ additionalData }) => additionalData.contractId), [undefined, undefined]);
  });

  test('K19 a customer of the demo shop → is asked once, and then shown the saved card', async (t) => {
    const name = `c${randomUUID().slice(0, 8)}`;
    const first = (await stage.checkout(t, { theme: 'light', customer: name })).payment();
    await first.live();
    await first.frame.getByRole('checkbox', { name: 'Save this card with Demo shop' }).check();
    await first.payWith(APPROVED);
    await first.ends('Payment complete');
    const second = (await stage.checkout(t, { theme: 'light', customer: name })).payment();
    await second.frame.getByRole('group', { name: 'Saved cards' }).getByRole('radio', { name: 'Visa •••• 0003' }).waitFor();
    assert.ok(await second.frame.getByRole('checkbox').isHidden());
    await second.code.fill('123');
    await second.press();
    await second.ends('Payment complete');
  });
});
