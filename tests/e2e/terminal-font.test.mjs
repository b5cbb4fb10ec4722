/** The font that a terminal's operator chose: every frame of its forms is drawn in it, and digits are as wide as one another. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { APPROVED } from './cards.mjs';
import { Stage } from './stage.mjs';

const FONT = fileURLToPath(new URL('../gallery/fonts/NotoSans-Regular.ttf', import.meta.url));
/** The terminal of the shop's key. */
const TERMINAL = '91000001';

suite('terminal font', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('terminal-font');
    await stage.gateway.command('terminal', 'font', TERMINAL, FONT);
  });
  after(() => stage.close());

  test('H6 a form is drawn in the font of its terminal, and pays', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.live();
    const form = checkout.document('/form/');
    await form.waitForFunction(() => [...document.fonts].some((font) => font.family.includes('Merchant') && font.status === 'loaded'));
    assert.deepEqual(
      await form.evaluate(() => ['label', 'input', 'button'].map((part) => getComputedStyle(/** @type {Element} */ (document.querySelector(part))).fontFamily)),
      ['Merchant, sans-serif', 'Merchant, sans-serif', 'Merchant, sans-serif'],
    );
    const widths = await form.evaluate(() => {
      const context = /** @type {CanvasRenderingContext2D} */ (document.createElement('canvas').getContext('2d'));
      context.font = '1000px Merchant';
      return [...'0123456789'].map((digit) => context.measureText(digit).width);
    });
    assert.equal(new Set(widths).size, 1, `${widths}`);
    // In units of the font: it is there, and not the system's. The headless shell rounds widths to whole pixels.
    assert.ok(Math.abs(/** @type {number} */ (widths[0]) - 572) < 1, `${widths[0]}`);
    await payment.fill(APPROVED);
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete');
  });
});
