/** A browser without cookies and storage in every frame. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { CHALLENGED } from './cards.mjs';
import { Stage } from './stage.mjs';

suite('no storage', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('no-storage');
  });
  after(() => stage.close());

  test('M12 storage and cookies are off, for us and for the bank → the whole payment works', async (t) => {
    const checkout = await stage.checkout(t, {}, { prepare: (page) => page.addInitScript(switchOff) });
    const payment = checkout.payment();
    await payment.payWith(CHALLENGED);
    await payment.issuer.approve.waitFor();
    const refused = await Promise.all(checkout.page.frames().map((frame) => frame.evaluate(() => {
      try {
        return `${localStorage.length}`;
      } catch {
        return navigator.cookieEnabled ? 'cookies' : 'off';
      }
    })));
    assert.deepEqual([...new Set(refused)], ['off'], 'it is off in the page, the form and the page of the bank');
    await payment.issuer.approve.click();
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION EXECUTED');
    assert.deepEqual(await checkout.page.context().cookies(), []);
  });
});

/** Runs in every document first: behaves like a browser that refuses storage. */
function switchOff() {
  const refuse = () => {
    throw new DOMException('storage is off', 'SecurityError');
  };
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches', 'cookieStore']) Object.defineProperty(window, name, { get: refuse });
  Object.defineProperty(Document.prototype, 'cookie', { get: refuse, set: refuse });
  Object.defineProperty(Navigator.prototype, 'cookieEnabled', { get: () => false });
}
