/** A page that takes the focus out of a half-typed card number, and what buyers do who leave it themselves. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { openStage } from './stage.mjs';

/** @type {Awaited<ReturnType<typeof openStage>>} */
let stage;
before(async () => void (stage = await openStage()));
after(() => stage.close());

const GUARD = readFileSync(new URL('../../www/frame/focus-guard.js', import.meta.url), 'utf8');

/** A page with an input of its own, and a frame of another origin with guarded fields; the number has the focus. */
async function opened() {
  const page = await stage.open('<input id="own"><br><iframe id="form" src="{{gateway}}/guarded"></iframe>', { shim: false });
  const frame = /** @type {import('playwright-core').Frame} */ (await (await page.locator('#form').elementHandle())?.contentFrame());
  await frame.setContent('<body><input id="CARD_NUMBER"><input id="SECURITY_CODE"><button id="pay">Pay</button>');
  await frame.evaluate(async (source) => {
    window.taken = 0;
    const { FocusGuard } = await import(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
    new FocusGuard(() => (window.taken += 1)).watch(window);
  }, GUARD);
  const [own, number, code] = [page.locator('#own'), frame.locator('#CARD_NUMBER'), frame.locator('#SECURITY_CODE')];
  await number.focus();
  const take = () => own.evaluate((input) => input.focus());
  /** What page and form have in the end, and how often the shop hears. @param {string} ownText @param {string} formText @param {number} taken */
  const expect = async (ownText, formText, taken) =>
    assert.deepEqual([await own.inputValue(), await number.inputValue(), await frame.evaluate(() => window.taken)], [ownText, formText, taken]);
  /** @param {number} count */
  const told = (count) => frame.waitForFunction((count) => window.taken === count && document.hasFocus(), count);
  return { page, frame, own, number, code, take, expect, told };
}

test('N24 a page that takes the focus in the middle of a number gets none of its rest, and the shop hears each time', async () => {
  const { page, take, told, expect } = await opened();
  await page.keyboard.type('4761');
  await take();
  await told(1);
  await page.keyboard.type('7300');
  await take();
  await told(2);
  await page.keyboard.type('00003049');
  await expect('', '4761730000003049', 2);
});

test('N24 the same with a security code, and from a page that goes on taking the focus', async () => {
  const { page, frame, own, code, number, told } = await opened();
  await code.focus();
  await page.keyboard.type('12');
  await own.evaluate((input) => {
    let left = 5;
    input.addEventListener('blur', () => left-- > 0 && setTimeout(() => input.focus()));
    input.focus();
  });
  await told(6);
  await page.keyboard.type('3');
  assert.deepEqual([await own.inputValue(), await code.inputValue(), await number.inputValue()], ['', '123', '']);
  assert.equal(await frame.evaluate(() => document.activeElement?.id), 'SECURITY_CODE');
});

for (const [what, leave] of /** @type {[string, (o: Awaited<ReturnType<typeof opened>>) => Promise<void>][]} */ ([
  ['by Shift and Tab', ({ page }) => page.keyboard.press('Shift+Tab')],
  ['by a press of the mouse, which has moved there', async ({ page, number, own }) => {
    await number.hover();
    await page.keyboard.type('0');
    const { x, y } = /** @type {{ x: number, y: number }} */ (await number.boundingBox());
    await page.mouse.move(x + 2, y + 2);
    await own.click();
  }],
  ['from a whole number', async ({ page, take }) => {
    await page.keyboard.type('730000003049');
    await take();
  }],
  ['a second time, without having typed', async ({ take, told, frame }) => {
    await take();
    await told(1);
    // Later than a script that takes the focus back at once.
    await frame.evaluate(() => {
      const now = performance.now.bind(performance);
      performance.now = () => now() + 400;
    });
    await take();
  }],
])) {
  test(`N24 a buyer who leaves ${what} is let go`, async () => {
    const form = await opened();
    await form.page.keyboard.type('4761');
    await leave(form);
    await form.page.waitForFunction(() => document.activeElement?.id === 'own');
    // The guard has decided in a task of its own.
    await form.frame.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    await form.page.keyboard.type('x');
    assert.equal(await form.own.inputValue(), 'x');
    assert.equal(await form.frame.evaluate(() => window.taken), what.startsWith('a second') ? 1 : 0);
  });
}

test('N24 a page that moves the form under a mouse at rest, before it takes the focus, gets nothing either', async () => {
  const { page, number, take, told, expect } = await opened();
  await number.hover();
  await page.keyboard.type('4761');
  await page.locator('#form').evaluate(async (form) => {
    form.style.transform = 'translate(9px,9px)';
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
  await take();
  await told(1);
  await page.keyboard.type('7');
  await expect('', '47617', 1);
});

test('N24 who leaves an empty number is let go', async () => {
  const { page, take, own } = await opened();
  await take();
  await page.keyboard.type('x');
  assert.equal(await own.inputValue(), 'x');
});
