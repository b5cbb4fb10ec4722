/** Fields in the page's own layout, as in the shop's page: one of them is in a shadow tree. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { APPROVED, CHALLENGED, NO_FUNDS } from './cards.mjs';
import { hasFocus, says } from './checkout.mjs';
import { Fields, IDS } from './fields.mjs';
import { Stage } from './stage.mjs';
import { violations } from './wcag.mjs';

suite('separate fields', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('separate-fields');
  });
  after(() => stage.close());

  /** @param {import('node:test').TestContext} t @param {Record<string, string>} [query] @param {import('./stage.mjs').Opening} [opening] */
  const open = async (t, query, opening) => new Fields(await stage.checkout(t, query, { path: '/fields', ...opening }));

  test('E13 the Tab key goes through fields, form and page in the order in which they are read, and back', async (t) => {
    const fields = await open(t);
    await fields.live();
    const { keyboard } = fields.page;
    await fields.page.getByRole('link', { name: /^Order / }).focus();
    const stations = [fields.number, fields.expiry, fields.code, fields.name, fields.cancel, fields.pay];
    for (const station of stations) {
      await keyboard.press('Tab');
      await hasFocus(station);
    }
    for (const station of stations.reverse().slice(1)) {
      await keyboard.press('Shift+Tab');
      await hasFocus(station);
    }
  });

  test('each input takes all of its frame, and the label in it is for screen readers alone', async (t) => {
    const fields = await open(t);
    await fields.live();
    for (const id of IDS) {
      const frame = fields.frame(id);
      const { top, height, frameHeight } = await frame.locator(`#${id}`).evaluate((input) => ({ ...input.getBoundingClientRect().toJSON(), frameHeight: innerHeight }));
      assert.deepEqual([top, height], [0, frameHeight], id);
      const label = await frame.locator(`label[for=${id}]`).boundingBox();
      assert.ok(Number(label?.width) <= 1 && Number(label?.height) <= 1, `${id}: ${JSON.stringify(label)}`);
    }
  });

  for (const field of /** @type {const} */ (['number', 'name'])) {
    test(`Enter in the ${field} sends the page's own form`, async (t) => {
      const fields = await open(t);
      await fields.fill(APPROVED);
      await fields[field].press('Enter');
      await says(fields.status, 'Paid. ');
    });
  }

  test('N18 a call of the shop\'s script alone does not pay, and a press of the shop\'s button does', async (t) => {
    const fields = await open(t);
    await fields.fill(APPROVED);
    const code = await fields.form.evaluate(async (form) => {
      // Some seconds later the buyer's last action does not count as a gesture any more.
      while (navigator.userActivation.isActive) await new Promise((resolve) => setTimeout(resolve, 50));
      return /** @type {any} */ (form).confirm().catch((/** @type {{ code: string }} */ { code }) => code);
    });
    assert.equal(code, 'press_needed');
    assert.equal(fields.checkout.requestsTo('fe/build/text').length, 0, 'nothing was sent');
    await fields.press();
    await says(fields.status, 'Paid. ');
  });

  test('Enter in a field presses the button of the form where that is shown', async (t) => {
    const fields = await open(t);
    await fields.live();
    await fields.form.evaluate((form) => form.removeAttribute('button'));
    await fields.fill(APPROVED);
    await fields.code.press('Enter');
    await says(fields.status, 'Paid. ');
  });

  test('a click on the page\'s label lands in the field', async (t) => {
    const fields = await open(t);
    await fields.live();
    for (const [label, field] of /** @type {const} */ ([['Expiry date', fields.expiry], ['Security code', fields.code], ['Card number', fields.number]])) {
      await fields.page.getByText(label, { exact: true }).click();
      await hasFocus(field);
    }
  });

  test('the page\'s label is the name of the field, for those who can not see it', async (t) => {
    const fields = await open(t);
    await fields.live();
    await fields.page.getByText('Name on card', { exact: true }).evaluate((label) => (label.textContent = 'Whose card?'));
    const field = fields.page.locator('payment-field[name=CARDHOLDER_NAME]');
    await field.evaluate((field) => field.setAttribute('label', 'Whose card?'));
    await fields.frame('CARDHOLDER_NAME').getByRole('textbox', { name: 'Whose card?', exact: true }).waitFor();
  });

  test('states and sentences are on the elements, and the page shows them', async (t) => {
    const fields = await open(t);
    await fields.live();
    const number = fields.page.locator('payment-field[name=CARD_NUMBER]');
    await fields.number.fill('4761730000000004');
    await fields.expiry.focus();
    await fields.page.locator('.note[data-code=card_number_check_digit]').filter({ hasText: 'typing mistake' }).waitFor();
    assert.match((await number.getAttribute('data-state')) ?? '', /\binvalid\b/);
    assert.equal(await number.evaluate((field) => field.matches(':state(invalid)')), true);
    await fields.number.fill(APPROVED.number);
    await fields.expiry.focus();
    await fields.page.locator('payment-field[name=CARD_NUMBER][data-state~=complete]').waitFor();
    assert.equal(await fields.page.locator('.note[data-code=card_number_check_digit]').count(), 0);
  });

  test('a field that shows its errors itself grows for them, and shrinks again', async (t) => {
    const fields = await open(t);
    await fields.live();
    const field = fields.page.locator('payment-field[name=CARD_NUMBER]');
    await field.evaluate((field) => field.setAttribute('errors', 'inside'));
    // That loads another page, which the form's frame has to find.
    await fields.frame('CARD_NUMBER').locator('html[data-errors=inside]').waitFor();
    const document = fields.page.frames().find((frame) => frame.url().includes('id=CARD_NUMBER&'));
    await document?.waitForFunction(() => Reflect.get(window, 'payframe')?.drivenBy);
    await fields.number.fill('4761730000000004');
    await fields.expiry.focus();
    await fields.frame('CARD_NUMBER').getByText('typing mistake').waitFor();
    const height = () => field.evaluate((field) => /** @type {HTMLElement} */ (field).offsetHeight);
    await fields.page.waitForFunction((field) => /** @type {HTMLElement} */ (field).offsetHeight > 60, await field.elementHandle());
    const grown = await height();
    assert.ok(grown < 120, `${grown}`);
    await fields.number.fill(APPROVED.number);
    await fields.page.waitForFunction((field) => /** @type {HTMLElement} */ (field).offsetHeight <= 48, await field.elementHandle());
  });

  test('a form that is taken out and put back finds what was typed in its fields', async (t) => {
    const fields = await open(t, {}, { noise: /data_lost/ });
    await fields.fill(APPROVED);
    await fields.form.evaluate(async (form) => {
      const place = form.parentNode;
      const next = form.nextSibling;
      form.remove();
      await new Promise((resume) => requestAnimationFrame(resume));
      place?.insertBefore(form, next);
    });
    await fields.live();
    await fields.holds(APPROVED);
    await fields.page.locator('payment-field[name=CARD_NUMBER][data-state~=complete]').waitFor();
    await fields.press();
    await says(fields.status, 'Paid. ');
  });

  test('a field that is taken out and put back still holds its text', async (t) => {
    const fields = await open(t);
    await fields.fill(APPROVED);
    await fields.page.locator('payment-field[name=EXPIRATION_DATE]').evaluate(async (field) => {
      const place = field.parentNode;
      const next = field.nextSibling;
      field.remove();
      await new Promise((resume) => requestAnimationFrame(resume));
      place?.insertBefore(field, next);
    });
    await fields.page.locator('payment-field[name=EXPIRATION_DATE][data-state~=complete]').waitFor();
    await fields.holds(APPROVED);
    await fields.press();
    await says(fields.status, 'Paid. ');
  });

  test('the challenge and the outcome are in the frame of the form', async (t) => {
    const fields = await open(t);
    await fields.fill(CHALLENGED);
    await fields.press();
    const issuer = fields.host.getByTitle('Page of your bank').contentFrame();
    await issuer.getByRole('textbox').fill('123456');
    await issuer.getByRole('button', { name: 'Confirm' }).click();
    await fields.host.getByRole('heading', { name: 'Payment complete' }).waitFor();
    await says(fields.status, 'Paid. ');
  });

  test('a refusal is said in the form, and the fields keep all but the security code', async (t) => {
    const fields = await open(t, { attempts: '2' });
    await fields.fill(NO_FUNDS);
    await fields.press();
    await fields.host.getByRole('alert').filter({ hasText: 'Your bank refused' }).waitFor({ state: 'attached' });
    await fields.page.locator('payment-field[name=CARD_NUMBER][data-state~=filled]').waitFor();
    await fields.holds({ ...NO_FUNDS, code: '' });
    await fields.fill(APPROVED);
    await fields.press();
    await says(fields.status, 'Paid. ');
  });

  test('B12 co-badged number in a frame of its own → both networks stand in that frame, and the choice is sent', async (t) => {
    const fields = await open(t, {}, { noise: /Applying inline style/ });
    await fields.fill({ ...APPROVED, number: '6703000000000007' });
    const choice = fields.frame('CARD_NUMBER').getByRole('group', { name: "Choose the card's network" });
    await choice.waitFor();
    assert.deepEqual(await violations(fields.page, stage.gatewayOrigin), []);
    await choice.getByRole('radio', { name: 'Bancontact' }).check();
    await fields.frame('SECURITY_CODE').locator('#SECURITY_CODE:disabled').waitFor();
    await fields.press();
    await says(fields.status, 'Paid. ');
    const body = fields.sent();
    assert.deepEqual(body.PREFERRED_NETWORK, { id: 'PREFERRED_NETWORK', value: 'BANCONTACT', chosenBy: 'BUYER' });
    assert.equal('SECURITY_CODE' in body, false);
  });

  test('all fields follow the form\'s colours', async (t) => {
    const fields = await open(t, { theme: 'light' });
    await fields.live();
    await fields.form.evaluate((form) => /** @type {any} */ (form).update({ theme: 'dark' }));
    for (const id of IDS) await fields.frame(id).locator('html[data-theme=dark]').waitFor({ state: 'attached' });
    await fields.fill(APPROVED);
  });

  for (const theme of ['light', 'dark']) {
    test(`axe finds nothing, with errors or without: ${theme}`, async (t) => {
      // Axe copies the style sheets of shadow trees into a document of its own, which the shop's policy reaches.
      const fields = await open(t, { theme }, { noise: /Applying inline style/ });
      await fields.live();
      assert.deepEqual(await violations(fields.page, stage.gatewayOrigin), []);
      await fields.press();
      await fields.page.locator('payment-field[name=CARD_NUMBER][data-state~=invalid]').waitFor();
      assert.deepEqual(await violations(fields.page, stage.gatewayOrigin), []);
    });
  }
});
