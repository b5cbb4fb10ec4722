/** Saved cards beside fields in frames of their own: the form's frame shows the cards, and the fields that a saved card does not need are out of use. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { AMEX, APPROVED } from './cards.mjs';
import { hasFocus, holds, says } from './checkout.mjs';
import { Fields } from './fields.mjs';
import { Stage } from './stage.mjs';
import { violations } from './wcag.mjs';

suite('saved cards beside separate fields', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('saved-cards-fields', {});
  });
  after(() => stage.close());

  /**
   * The shop's page with separate fields, for a customer with these saved cards, the first one first.
   * @param {import('node:test').TestContext} t
   * @param {import('./cards.mjs').Card[]} cards
   * @param {import('./stage.mjs').Opening} [opening]
   */
  async function open(t, cards, opening) {
    const customer = randomUUID().slice(0, 18);
    for (const card of cards) await stage.api.keep({ shop: stage.shopOrigin, customerId: customer, contractId: `${customer}-${card.number.slice(-4)}`, card });
    const checkout = await stage.checkout(t, { customer }, { path: '/fields', ...opening });
    const fields = new Fields(checkout);
    const group = fields.host.getByRole('group', { name: 'Saved cards' });
    await group.waitFor();
    /** @param {string} name */
    const card = (name) => group.getByRole('radio', { name, exact: true });
    /** The fields that a saved card does not need. */
    const others = ['CARD_NUMBER', 'EXPIRATION_DATE', 'CARDHOLDER_NAME'];
    /** @param {boolean} used */
    const areUsed = async (used) => {
      await fields.page.waitForFunction((used) => [...document.querySelectorAll('payment-field')].every((field) => field.matches(':state(unused)') !== used), used);
      for (const id of others) {
        // The form looks for the frame of a field that was loaded again, so it joins some time after it has loaded.
        const input = fields.frame(id).locator(`#${id}:${used ? 'enabled' : 'disabled'}`);
        await input.waitFor({ state: 'attached' });
        assert.equal(await input.isVisible(), used);
      }
      assert.equal(await fields.code.isEnabled(), true);
      assert.equal(await fields.code.isVisible(), true);
    };
    const contract = async () => {
      const order = await fields.page.locator('section[data-order]').getAttribute('data-order');
      const operations = await stage.api.operations(String(order));
      return operations.map(({ additionalData }) => additionalData.contractId);
    };
    return { fields, customer, group, card, areUsed, contract };
  }

  test('K17 saved card → the security code alone is in use, and pays', async (t) => {
    // Axe copies the style sheets of shadow trees into a document of its own, which the shop's policy reaches.
    const { fields, customer, card, areUsed, contract } = await open(t, [APPROVED, AMEX], { noise: /Applying inline style/ });
    assert.equal(await card('American Express •••• 0009').isChecked(), true);
    await areUsed(false);
    assert.deepEqual(await violations(fields.page, stage.gatewayOrigin), []);
    await fields.press();
    await says(fields.page.locator('security-code .note'), 'Enter the security code.');
    await hasFocus(fields.code);
    assert.equal(fields.checkout.requestsTo('fe/build/text').length, 0);
    await card('Visa •••• 0003').check();
    await fields.code.fill('123');
    await fields.press();
    await says(fields.status, 'Paid. ');
    assert.deepEqual(Object.keys(fields.sent()), ['ENCRYPTED_CARD', 'SHOWN_SUM', 'SAVED_CARD']);
    assert.deepEqual(await contract(), [`${customer}-0003`]);
  });

  test('K17 another card → the fields are in use again with what was in them, and pay', async (t) => {
    const { fields, card, areUsed, contract } = await open(t, [APPROVED]);
    await card('Another card').check();
    await areUsed(true);
    await fields.number.fill('4761730000000004');
    await fields.expiry.focus();
    await fields.page.locator('.note[data-code=card_number_check_digit]').filter({ hasText: 'typing mistake' }).waitFor();
    await card('Visa •••• 0003').check();
    await areUsed(false);
    assert.equal(await fields.page.locator('.note:not(:empty)').count(), 0, 'nothing is said of a field that is not in use');
    await fields.code.fill('123');
    await card('Another card').check();
    await areUsed(true);
    await holds(fields.number, '4761 7300 0000 0004');
    await holds(fields.code, '');
    await fields.fill(AMEX);
    await fields.press();
    await says(fields.status, 'Paid. ');
    assert.deepEqual(await contract(), [undefined]);
  });

  test('K17 the only saved card is removed in a page that shows all fields → they are in use, and the first has the focus', async (t) => {
    const { fields, group, areUsed } = await open(t, [APPROVED]);
    await fields.page.evaluate(() => document.querySelectorAll('.input').forEach((row) => (/** @type {HTMLElement} */ (row).style.display = 'block')));
    assert.deepEqual([await fields.number.isVisible(), await fields.number.isDisabled()], [true, true]);
    await group.getByRole('button', { name: 'Remove Visa •••• 0003' }).click();
    await group.getByRole('button', { name: 'Remove', exact: true }).click();
    await areUsed(true);
    await hasFocus(fields.number);
    await fields.fill(APPROVED);
    await fields.press();
    await says(fields.status, 'Paid. ');
  });

  test('K17 a field that is loaded again → is still not in use', async (t) => {
    const { fields, card, areUsed } = await open(t, [APPROVED]);
    await areUsed(false);
    const field = fields.page.locator('payment-field[name=CARD_NUMBER]');
    const frame = await field.locator('iframe').elementHandle();
    await field.evaluate((field) => field.setAttribute('placeholder', 'off'));
    await fields.page.waitForFunction((frame) => !frame?.isConnected, frame);
    await fields.page.waitForFunction((field) => field?.matches(':state(ready)'), await field.elementHandle());
    await areUsed(false);
    await card('Another card').check();
    await areUsed(true);
  });

  test('K17 buyer types a number before the cards are drawn → pays with that number', async (t) => {
    /** @type {(() => void) | undefined} */
    let draw;
    const drawn = new Promise((resolve) => (draw = () => resolve(undefined)));
    const prepare = (/** @type {import('playwright-core').Page} */ page) => page.route('**/assets/choices.*.json', async (route) => {
      const { number } = new Fields(/** @type {any} */ ({ page }));
      await number.fill(AMEX.number);
      await holds(number, AMEX.shown);
      await route.continue();
      draw?.();
    });
    const { fields, card, areUsed } = await open(t, [APPROVED], { prepare });
    await drawn;
    assert.equal(await card('Another card').isChecked(), true);
    await areUsed(true);
    await holds(fields.number, AMEX.shown);
  });
});
