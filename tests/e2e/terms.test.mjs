/** The terms of a reservation, for a guest who opened its link: read, accepted or not, and then the card. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { APPROVED } from './cards.mjs';
import { says } from './checkout.mjs';
import { HostedPage } from './hosted.mjs';
import { Stage } from './stage.mjs';
import { violations } from './wcag.mjs';

const LABELS = ['Accetto il regolamento', 'I accept the conditions of the stay', 'I accept the conditions of cancellation'];

suite('terms on the hosted page', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('terms');
  });
  after(() => stage.close());

  test('who accepts can guarantee the stay, and the evidence is kept', async (t) => {
    const hosted = await HostedPage.openReservation(stage, t);
    const { page } = hosted;
    assert.equal(await page.locator('payment-form').count(), 0, 'no form before the terms are accepted');
    for (const label of LABELS) await page.getByRole('checkbox', { name: label }).check();
    assert.deepEqual(await hosted.accepted(), [], 'a tick alone is not sent');
    await page.getByRole('button', { name: 'Continua' }).click();
    await hosted.payment.payWith(APPROVED);
    await page.getByRole('heading', { name: 'Carta salvata', level: 2 }).waitFor();
    const operations = await hosted.recorded('CARD_VERIFICATION EXECUTED');
    const accepted = await hosted.accepted();
    assert.deepEqual(accepted.map(({ part, language, checkMarkLabel }) => `${part} ${language} ${checkMarkLabel}`), [
      `TERMS ita ${LABELS[0]}`, `STAY eng ${LABELS[1]}`, `CANCELLATION eng ${LABELS[2]}`,
    ]);
    for (const { acceptedTime, text } of accepted) {
      assert.ok(acceptedTime < operations[0].operationTime, 'accepted before the card was used');
      assert.match(Buffer.from(text, 'base64').toString(), /After ten/);
    }
  });

  test('who does not accept everything is charged nothing', async (t) => {
    const hosted = await HostedPage.openReservation(stage, t, { noise: /status of 409/ });
    const { page } = hosted;
    await page.getByRole('checkbox', { name: LABELS[0] }).check();
    await page.getByRole('button', { name: 'Continua' }).click();
    // The browser points at the first box that is missing.
    await page.getByRole('checkbox', { name: LABELS[1] }).and(page.locator(':focus')).waitFor();
    // A request without the browser's check, and one without the form.
    await page.locator('form.clauses').evaluate((form) => {
      /** @type {HTMLFormElement} */ (form).noValidate = true;
    });
    await page.getByRole('button', { name: 'Continua' }).click();
    await says(page.getByRole('alert'), 'Spunta tutte le caselle per continuare.');
    const seat = await page.evaluate(async (here) => (await fetch(`${here}/session`, { method: 'POST' })).status, new URL(hosted.address).pathname);
    assert.equal(seat, 409);
    assert.equal(await page.locator('payment-form').count(), 0);
    assert.deepEqual(await hosted.accepted(), []);
    await hosted.recorded();
  });

  test('a text is read in its place, and nothing of it runs', async (t) => {
    const hosted = await HostedPage.openReservation(stage, t);
    const { page } = hosted;
    await page.getByText('Regolamento', { exact: true }).click();
    const text = page.frameLocator('iframe[title="Regolamento"]');
    await says(text.getByRole('heading', { name: 'Quiet' }), 'Quiet');
    assert.equal(await text.locator('script, img').count(), 0);
    const frame = page.frames().find((frame) => frame.url().endsWith('/terms/0'));
    assert.ok(frame);
    assert.equal(await frame.evaluate(() => self.origin), 'null', 'the text has no part in our origin');
    assert.equal(await page.title(), 'Payment to Demo shop'.replace('Payment to', 'Pagamento a'));
  });

  test('without scripts the terms are accepted too', async (t) => {
    const hosted = await HostedPage.openReservation(stage, t, { context: { javaScriptEnabled: false } });
    for (const label of LABELS) await hosted.page.getByRole('checkbox', { name: label }).check();
    await hosted.page.getByRole('button', { name: 'Continua' }).click();
    await hosted.page.locator('form.clauses').waitFor({ state: 'detached' });
    assert.equal((await hosted.accepted()).length, 3);
  });

  test('the keyboard reads and accepts', async (t) => {
    const hosted = await HostedPage.openReservation(stage, t);
    const { page } = hosted;
    await page.getByRole('checkbox', { name: LABELS[0] }).focus();
    for (const label of LABELS) {
      await page.getByRole('checkbox', { name: label }).and(page.locator(':focus')).waitFor();
      await page.keyboard.press('Space');
      // Past the link that opens the text, to the next box.
      await page.keyboard.press('Tab');
      await page.locator('summary:focus').waitFor();
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await hosted.payment.live();
    assert.equal((await hosted.accepted()).length, 3);
  });

  /** @type {{ name: string, context?: import('playwright-core').BrowserContextOptions }[]} */
  const dresses = [
    { name: 'light' },
    { name: 'dark', context: { colorScheme: 'dark' } },
    { name: 'phone', context: { viewport: { width: 360, height: 740 } } },
  ];
  for (const { name, context } of dresses) {
    test(`axe finds nothing in the terms, and nothing is wider than the screen: ${name}`, async (t) => {
      const hosted = await HostedPage.openReservation(stage, t, { context });
      const { page } = hosted;
      /** @param {string} state */
      const clean = async (state) => {
        assert.deepEqual(await violations(page, stage.gatewayOrigin), [], state);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.equal(wide, 0, state);
      };
      await clean('closed');
      await page.getByText('Regolamento', { exact: true }).click();
      await page.frameLocator('iframe[title="Regolamento"]').getByRole('heading', { name: 'Quiet' }).waitFor();
      await clean('open');
      await page.locator('form.clauses').evaluate((form) => {
        /** @type {HTMLFormElement} */ (form).noValidate = true;
      });
      await page.getByRole('button', { name: 'Continua' }).click();
      await page.getByRole('alert').waitFor();
      await clean('missing');
    });
  }
});
