/**
 * Audits the form for assistive technology, with a message at every field, in every language: in one look each, so that all looks
 * take part; or, with `PAYFRAME_AUDIT=all`, in every look (`cargo xtask audit`). The shop's page is the same in each, and audited by
 * `accessibility.test.mjs`.
 */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { looks } from './looks.mjs';
import { Stage } from './stage.mjs';
import { violations } from './wcag.mjs';

const LOCALES = readdirSync(new URL('../../www/locales/', import.meta.url)).map((file) => file.replace('.json', ''));
const SCHEMES = /** @type {const} */ (['light', 'dark']);
/** By name, the border width of a valid field: it shows that the look is applied. */
const LOOKS = { standard: '1px', minimal: '0px 0px 1px', 'high-contrast': '2px' };
const CASES = SCHEMES.flatMap((scheme) => Object.entries(LOOKS).map(([look, border]) => ({ scheme, look, border })));

/** What is audited in the language with this index. @param {number} index */
const casesOf = (index) => CASES.filter((_, place) => process.env.PAYFRAME_AUDIT === 'all' || place === index % CASES.length);

suite('accessibility of every language', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('accessibility-locales');
  });
  after(() => stage.close());

  for (const [index, locale] of LOCALES.entries()) {
    test(`G20 axe finds nothing in any look: ${locale}`, async (t) => {
      const cases = casesOf(index);
      for (const scheme of SCHEMES.filter((scheme) => cases.some((one) => one.scheme === scheme))) {
        // Without transitions, because colours between two states belong to neither.
        const checkout = await stage.checkout(t, { locale, theme: scheme }, { context: { reducedMotion: 'reduce' } });
        const { page } = checkout;
        const element = page.locator('payment-form:state(ready)');
        await element.waitFor();
        const form = element.locator('iframe').contentFrame();
        await form.locator('#CARDHOLDER_NAME').fill('Ada Lovelace');
        await checkout.payment().press(form.locator('#pay'));
        await form.locator('#urgent').filter({ hasText: /\S/ }).waitFor();
        assert.equal(await form.locator('[aria-invalid=true]').count(), 3, 'number, expiry and security code have their messages');
        for (const { look, border } of cases.filter((one) => one.scheme === scheme)) {
          await t.test(`${locale}, ${look}, ${scheme}`, async () => {
            await element.evaluate((form, appearance) => /** @type {any} */ (form).update({ appearance }), look === 'standard' ? 'auto' : look);
            await looks(form.locator('#CARDHOLDER_NAME'), 'borderWidth', border);
            assert.deepEqual(await violations(page, stage.gatewayOrigin, 'frames'), []);
          });
        }
        await page.close();
      }
    });
  }
});
