/**
 * Compares pictures of the gallery with those in `pictures/`. Fonts are those of `fonts/`, so that every
 * machine draws the same. After an intended change, `PAYFRAME_RENEW_PICTURES=1 cargo xtask test --only gallery` writes
 * the pictures again, and the accessibility trees in `transcripts/`; look at them before they are committed. Differences are written to `target/gallery/`.
 *
 * References are WebP with a sixteenth of the shades. Tolerance: a pixel differs if a colour differs by more than 32 of 255. In a picture 1 of 2,000 pixels
 * may differ, and in any square of 24 × 24 pixels 20 may: machines draw the edges of letters differently, but a missing mark is found. `pixelmatch` compares
 * single pixels too, and would replace only the few lines here; its tolerance for antialiased edges ignores thin strokes.
 */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { ACTUAL, DESKTOP, PHONE, Stage } from './stage.mjs';
import { STATES } from './states.mjs';

const PICTURES = new URL('pictures/', import.meta.url);
const TRANSCRIPTS = new URL('transcripts/', import.meta.url);
const OFF = 32;
const MOST = 1 / 2000;
const MOST_AT_A_PLACE = 20;
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
        const reference = new URL(`${name}.webp`, PICTURES);
        if (process.env.PAYFRAME_RENEW_PICTURES) {
          mkdirSync(PICTURES, { recursive: true });
          return writeFileSync(reference, Buffer.from(await page.evaluate(packed, picture.toString('base64')), 'base64'));
        }
        writeFileSync(new URL(`${name}.png`, ACTUAL), picture);
        assert.ok(existsSync(reference), `tests/gallery/pictures holds no ${name}.webp: see the head of this file`);
        const { size, share, place, difference } = await page.evaluate(compare, { pictures: [readFileSync(reference), picture].map((bytes) => bytes.toString('base64')), off: OFF });
        if (difference) writeFileSync(new URL(`${name}-difference.png`, ACTUAL), Buffer.from(difference, 'base64'));
        assert.ok(size[0] === size[1], `it was ${size[0]} and is ${size[1]}; see target/gallery/${name}.png`);
        assert.ok(share <= MOST, `${(share * 100).toFixed(3)} % of the pixels differ; see target/gallery/${name}-difference.png`);
        assert.ok(place.count <= MOST_AT_A_PLACE, `${place.count} pixels differ at ${place.x}, ${place.y}; see target/gallery/${name}-difference.png`);
      }));
  }

  for (const states of ['entry', 'ends', 'choices']) {
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
    assert.deepEqual(names, SHEETS.map(([name]) => `${name}.webp`).sort());
    assert.ok(names.reduce((sum, name) => sum + statSync(new URL(name, PICTURES)).size, 0) < 4 * 2 ** 20, 'all pictures together stay under 4 MiB');
  });
});

/** Runs in the page: a PNG as a reference, both in base64. @param {string} png */
async function packed(png) {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d'));
  context.drawImage(image, 0, 0);
  // Half of the bytes are shades within the tolerance.
  const pixels = context.getImageData(0, 0, image.width, image.height);
  pixels.data.forEach((shade, at) => (pixels.data[at] = Math.min(255, Math.round(shade / 16) * 16)));
  context.putImageData(pixels, 0, 0);
  // At the best quality, Chromium's WebP loses nothing more.
  const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/webp', quality: 1 })).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** Runs in the page. @param {{ pictures: string[], off: number }} task */
async function compare({ pictures, off }) {
  const images = await Promise.all(pictures.map(async (text) => createImageBitmap(await (await fetch(`data:;base64,${text}`)).blob())));
  const size = images.map(({ width, height }) => `${width} × ${height}`);
  if (size[0] !== size[1]) return { size, share: 1, place: { count: 0, x: 0, y: 0 }, difference: '' };
  const { width = 0, height = 0 } = images[0] ?? {};
  const [before, now] = images.map((image) => {
    const context = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(width, height).getContext('2d'));
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, width, height);
  });
  const shown = new ImageData(width, height);
  let count = 0;
  // Counted in squares of 8 pixels; nine of them are a square of 24 × 24.
  const [columns, lines] = [Math.ceil(width / 8), Math.ceil(height / 8)];
  const squares = new Uint8Array(columns * lines);
  for (let at = 0; at < shown.data.length; at += 4) {
    const differs = [0, 1, 2].some((part) => Math.abs((before?.data[at + part] ?? 0) - (now?.data[at + part] ?? 0)) > off);
    if (differs) {
      count++;
      const [x, y] = [(at / 4) % width, Math.floor(at / 4 / width)];
      const square = Math.floor(y / 8) * columns + Math.floor(x / 8);
      squares[square] = (squares[square] ?? 0) + 1;
    }
    shown.data.set(differs ? [255, 0, 0, 255] : [255, 255, 255, 255], at);
  }
  const place = { count: 0, x: 0, y: 0 };
  for (let line = 0; line < lines; line++) {
    for (let column = 0; column < columns; column++) {
      let here = 0;
      for (const down of [0, 1, 2]) for (const right of [0, 1, 2]) if (column + right < columns) here += squares[(line + down) * columns + column + right] ?? 0;
      if (here > place.count) Object.assign(place, { count: here, x: column * 8, y: line * 8 });
    }
  }
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d')?.putImageData(shown, 0, 0);
  const bytes = count ? new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer()) : new Uint8Array();
  return { size, share: count / (width * height), place, difference: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')) };
}
