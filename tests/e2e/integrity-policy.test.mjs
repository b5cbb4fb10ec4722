/** The gateway's own pages demand a hash of every script: they are whole under that demand, and a script without one is refused. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { CHALLENGED } from './cards.mjs';
import { HostedPage } from './hosted.mjs';
import { Office } from './office.mjs';
import { Stage } from './stage.mjs';

/** What Chromium says of a refused script. */
const noise = /Integrity-Policy|integrity policy/i;

suite('pages that demand a hash of every script', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('integrity-policy');
  });
  after(() => stage.close());

  /**
   * The page's own script has been loaded; under another address, which no hash belongs to, the same script is refused.
   * @param {import('playwright-core').Page | import('playwright-core').Frame} page
   */
  async function demandsHashes(page) {
    const told = await page.evaluate(async () => {
      const reported = (/** @type {boolean} */ buffered) => new Promise((/** @type {(count: number) => void} */ resolve) => {
        let count = 0;
        const observer = new ReportingObserver((reports) => void (count += reports.length), { types: ['integrity-violation'], buffered });
        observer.observe();
        setTimeout(() => (observer.disconnect(), resolve(count)), 300);
      });
      const own = /** @type {HTMLScriptElement & HTMLLinkElement} */ (document.querySelector('script[type=module][src], link[rel=modulepreload]'));
      const address = own.src ?? own.href;
      const outcome = (/** @type {string} */ at) => import(at).then(() => 'loaded', () => 'refused');
      const before = await reported(true);
      const twin = await outcome(address);
      return { address, before, twin, other: await outcome(`${address}?`), after: await reported(true) };
    });
    assert.match(told.address, /\.js$/);
    assert.deepEqual([told.before, told.twin, told.other, told.after], [0, 'loaded', 'refused', 1], told.address);
  }

  test('the form, and the issuer\'s page in it', async (t) => {
    const checkout = await stage.checkout(t, {}, { noise });
    const payment = checkout.payment();
    await payment.payWith(CHALLENGED);
    await payment.issuer.code.waitFor();
    await demandsHashes(checkout.document('/form/'));
    await demandsHashes(checkout.document('/threeds/challenge/'));
    await payment.issuer.answer('123456');
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION EXECUTED');
  });

  test('what the form asks for again after a failure has a hash, too', async (t) => {
    const checkout = await stage.checkout(t, {}, { noise });
    await checkout.payment().live();
    const told = await checkout.document('/form/').evaluate(async () => {
      const { integrity } = JSON.parse(document.querySelector('script[type=importmap]')?.textContent ?? '{}');
      const addresses = Object.keys(integrity).filter((address) => address.includes('/browser.'));
      // A second copy is loaded and then ends itself, because its policy for Trusted Types is there already.
      const outcome = (/** @type {any} */ { message }) => (/Failed to fetch/.test(message) ? 'refused' : 'loaded');
      const outcomes = await Promise.all([...addresses, `${addresses.at(-1)}?`].map((at) => import(at).then(() => 'loaded', outcome)));
      return { addresses, outcomes };
    });
    assert.deepEqual(told.addresses.map((address) => address.split('.js')[1]?.length), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert.deepEqual(told.outcomes, [...told.addresses.map(() => 'loaded'), 'refused']);
  });

  test('the hosted payment page', async (t) => {
    const hosted = await HostedPage.open(stage, t, {}, { noise });
    await hosted.payment.live();
    await demandsHashes(hosted.page);
  });

  test('the back office', async (t) => {
    const { page } = await Office.atDoor(stage, t, 'viewer', { noise });
    await demandsHashes(page);
  });

  test('the docs', async (t) => {
    const { page } = await stage.checkout(t, {}, { noise, path: `${stage.gatewayOrigin}/docs/element` });
    await page.getByRole('button', { name: /^Search/ }).waitFor();
    await demandsHashes(page);
  });
});
