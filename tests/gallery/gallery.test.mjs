/**
 * Compares pictures of the gallery with those in `pictures/`. Fonts are those of `fonts/`, so that every
 * machine draws the same. After an intended change, `PAYFRAME_RENEW_PICTURES=1 cargo xtask test --only gallery` writes
 * the pictures again, and the accessibility trees in `transcripts/`; look at them before they are committed. Differences are written to `target/gallery/`.
 */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { MOST_AT_A_PLACE, OFF, PAYMENTS, PICTURES, compare, looksAsItDid } from './pictures.mjs';
import { ACTUAL, DESKTOP, PHONE, Stage } from './stage.mjs';
import { STATES } from './states.mjs';

const TRANSCRIPTS = new URL('transcripts/', import.meta.url);
/** The states that are enough to check a look or a language. */
const FEW = 'filled,missing,declined,refused';

/** @type {[name: string, query: Record<string, string>, viewport: { width: number, height: number }][]} */
const SHEETS = [];
for (const theme of ['light', 'dark']) {
  for (const states of ['entry', 'ends']) {
    SHEETS.push([`desktop-${theme}-${states}`, { theme, states }, DESKTOP], [`phone-${theme}-${states}`, { theme, states }, PHONE]);
  }
  SHEETS.push([`desktop-${theme}-choices`, { theme, states: 'choices' }, DESKTOP], [`phone-${theme}-choices`, { theme, states: 'choices' }, PHONE]);
  for (const look of ['minimal', 'high-contrast', 'floating']) SHEETS.push([`phone-${theme}-${look}`, { theme, look, states: FEW }, PHONE]);
}
SHEETS.push(['phone-light-details', { theme: 'light', states: 'details' }, PHONE]);
SHEETS.push(['phone-light-ar-choices', { lang: 'ar', theme: 'light', states: 'choices' }, PHONE]);
for (const lang of ['ar', 'el', 'de']) SHEETS.push([`phone-light-${lang}`, { lang, theme: 'light', states: FEW }, PHONE]);

suite('gallery', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    mkdirSync(ACTUAL, { recursive: true });
    for (const file of readdirSync(ACTUAL)) if (file.endsWith('.png')) rmSync(new URL(file, ACTUAL));
    stage = await Stage.open('gallery');
  });
  after(() => stage.close());

  for (const [name, query, viewport] of SHEETS) {
    test(`the sheet ${name} looks as it did`, () =>
      stage.shown(query, viewport, async (page) => {
        // A screenshot that is composed of parts can miss frames.
        await page.setViewportSize({ width: viewport.width, height: await page.evaluate(() => document.documentElement.scrollHeight) });
        const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' });
        await looksAsItDid(page, name, picture);
      }));
  }

  for (const states of ['entry', 'ends', 'choices', 'details']) {
    test(`G21 accessibility tree of every state → equals the approved transcript of roles, names and states: ${states}`, () =>
      stage.shown({ states, theme: 'light' }, DESKTOP, async (page) => {
        const ids = await page.locator('payment-form:not(#awaited)').evaluateAll((forms) => forms.map(({ id }) => id));
        /** @type {Map<string, string>} */
        const trees = new Map();
        // A text that changes after some seconds is read before the others.
        for (const brief of [true, false]) {
          const now = ids.filter((id) => brief === Boolean(STATES[id]?.brief));
          await Promise.all(now.map(async (id) => trees.set(id, await page.frameLocator(`payment-form#${id} iframe`).locator('body').ariaSnapshot())));
        }
        const transcript = ids.map((id) => `${id}:\n${(trees.get(id) ?? '').replaceAll(/^/gm, '  ')}\n`).join('');
        const reference = new URL(`${states}.yml`, TRANSCRIPTS);
        if (process.env.PAYFRAME_RENEW_PICTURES) {
          mkdirSync(TRANSCRIPTS, { recursive: true });
          return writeFileSync(reference, transcript);
        }
        assert.equal(transcript, readFileSync(reference, 'utf8'), 'see the head of this file');
      }));
  }

  test('one pixel more than allowed is found, and pictures that nothing takes are none', async () => {
    const page = await stage.browser.newPage({ viewport: { width: 100, height: 100 } });
    await page.setContent('<body style="margin:0;background:#fff">');
    const white = (await page.screenshot()).toString('base64');
    /** @param {number} width @param {number} height @param {number} x @param {number} y */
    const marked = async (width, height, x, y) => {
      await page.setContent(`<body style="margin:0;background:#fff"><div style="position:absolute;left:${x}px;top:${y}px;width:${width}px;height:${height}px;background:#ddd">`);
      return page.evaluate(compare, { pictures: [white, (await page.screenshot()).toString('base64')], off: OFF });
    };
    assert.equal((await page.evaluate(compare, { pictures: [white, white], off: OFF })).share, 0);
    const spot = await marked(3, 2, 0, 0);
    assert.deepEqual([spot.share, spot.place], [6 / 10_000, { count: 6, x: 0, y: 0 }]);
    // At any position, also beside the edges of the counted squares, and at the edges of the picture.
    for (const [x, y] of /** @type {const} */ ([[0, 0], [7, 7], [21, 13], [93, 97]])) assert.equal((await marked(7, 3, x, y)).place.count, MOST_AT_A_PLACE + 1, `${x}, ${y}`);
    await page.close();
    const names = readdirSync(PICTURES).sort();
    assert.deepEqual(names, [...SHEETS.map(([name]) => name), ...PAYMENTS].map((name) => `${name}.webp`).sort());
    assert.ok(names.reduce((sum, name) => sum + statSync(new URL(name, PICTURES)).size, 0) < 4 * 2 ** 20, 'all pictures together stay under 4 MiB');
  });
});
