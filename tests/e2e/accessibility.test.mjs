/** Audits page and form for assistive technology, in every state and look. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { CHALLENGED, NO_FUNDS } from './cards.mjs';
import { says } from './checkout.mjs';
import { Stage } from './stage.mjs';
import { violations } from './wcag.mjs';

const ITALIAN = { alert: 'Inserisci il numero della carta.', refused: 'fondi', complete: 'Pagamento completato' };
const ARABIC = { alert: 'أدخل رقم بطاقتك.', refused: 'لعدم كفاية الرصيد', complete: 'اكتمل الدفع' };
const ENGLISH = { alert: 'Enter your card number.', refused: 'lack of funds', complete: 'Payment complete' };

suite('accessibility', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('accessibility');
  });
  after(() => stage.close());

  test('a fault is found where there is one', async (t) => {
    const checkout = await stage.checkout(t);
    await checkout.payment().live();
    await checkout.document('/form/').evaluate(() => {
      document.documentElement.lang = '';
      document.querySelector('label')?.style.setProperty('color', '#e8e8e8');
    });
    const found = await violations(checkout.page, stage.gatewayOrigin);
    assert.deepEqual(found.map((line) => line.split(' at ')[0]), ['/form/: color-contrast', '/form/: html-has-lang']);
  });

  /** @type {{ name: string, query: Record<string, string>, locale?: 'ar' | 'en' | 'it', texts?: typeof ENGLISH, context?: import('playwright-core').BrowserContextOptions }[]} */
  const dresses = [
    { name: 'light', query: { theme: 'light' } },
    { name: 'dark', query: { theme: 'dark' } },
    { name: 'dark by the system', query: {}, context: { colorScheme: 'dark' } },
    { name: 'Italian', query: { locale: 'it' }, locale: 'it', texts: ITALIAN },
    { name: 'Arabic, from right to left', query: { locale: 'ar' }, locale: 'ar', texts: ARABIC },
    { name: 'narrow', query: {}, context: { viewport: { width: 320, height: 640 } } },
  ];
  for (const { name, query, locale = 'en', texts = ENGLISH, context } of dresses) {
    test(`G20 axe finds nothing from the empty form to the end: ${name}`, async (t) => {
      const checkout = await stage.checkout(t, query, { context });
      const payment = checkout.payment({ locale });
      // The shop's page changes only when the outcome is there.
      /** @param {string} state @param {'everything' | 'frames'} [extent] */
      const clean = async (state, extent = 'frames') => assert.deepEqual(await violations(checkout.page, stage.gatewayOrigin, extent), [], state);

      await payment.live();
      await clean('empty', 'everything');
      await payment.press();
      await says(payment.alert, texts.alert);
      await clean('errors');
      await payment.payWith(NO_FUNDS);
      await says(payment.alert, texts.refused);
      await clean('declined');
      await payment.payWith(CHALLENGED);
      await payment.issuer.code.waitFor();
      await clean('challenge');
      await payment.issuer.answer('000000');
      await payment.issuer.element.contentFrame().getByRole('alert').waitFor();
      await clean('challenge with a wrong code');
      await payment.issuer.answer('123456');
      await payment.ends(texts.complete);
      await says(payment.status, 'Paid. ');
      await clean('approved', 'everything');
    });
  }

  test('G3 an error is announced once, through a region that was there, empty, since load', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.live();
    // The live region is not visible, so its text is read without waiting for visibility.
    assert.deepEqual(await payment.alert.allTextContents(), ['']);
    await payment.alert.evaluate((region) => {
      const heard = /** @type {any} */ (window).heard = /** @type {string[]} */ ([]);
      new MutationObserver(() => region.textContent && heard.push(region.textContent)).observe(region, { childList: true, characterData: true, subtree: true });
    });
    await payment.press();
    await says(payment.alert, ENGLISH.alert);
    // The next announcement comes later in the same document: a repeated one would be recorded too.
    await payment.name.fill('Ada');
    await payment.name.blur();
    const form = await payment.document();
    assert.deepEqual(await form.evaluate(() => /** @type {any} */ (window).heard), [ENGLISH.alert]);
  });

  test('axe finds nothing after a refusal for good, a cancellation, and on the shop\'s other pages', async (t) => {
    const checkout = await stage.checkout(t, { attempts: 1, forms: 2 }, { noise: /status of 40[04] .*\/(\?amount=wrong|nowhere)\)/ });
    const { page } = checkout;
    const first = checkout.payment({ number: 1 });
    const second = checkout.payment({ number: 2 });
    await first.payWith(NO_FUNDS);
    await first.ends('Payment declined');
    await second.live();
    await second.press(second.cancel);
    await second.ends('Payment cancelled');
    await says(second.status, 'Cancelled. ');
    assert.deepEqual(await violations(page, stage.gatewayOrigin), []);
    const orderId = await first.orderId();
    await stage.notified(orderId);
    for (const path of [`/orders/${orderId}`, '/notifications', '/?amount=wrong', '/nowhere']) {
      await page.goto(stage.shopOrigin + path);
      assert.deepEqual(await violations(page, stage.gatewayOrigin), [], path);
    }
  });
});
