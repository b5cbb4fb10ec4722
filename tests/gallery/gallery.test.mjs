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
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { contrastOf } from '../e2e/looks.mjs';
import { serveGallery } from './server.mjs';

const PICTURES = new URL('pictures/', import.meta.url);
const TRANSCRIPTS = new URL('transcripts/', import.meta.url);
const ACTUAL = new URL('../../target/gallery/', import.meta.url);
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--font-render-hinting=none', '--disable-lcd-text', '--force-color-profile=srgb', '--disable-font-subpixel-positioning'];
const OFF = 32;
const MOST = 1 / 2000;
const MOST_AT_A_PLACE = 20;
const DESKTOP = { width: 1280, height: 900 };
/** The states that are enough to check a look or a language. */
const FEW = 'filled,missing,declined,refused';
const PHONE = { width: 360, height: 800 };

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

/** A fontconfig with only the fonts of this repository, and without settings that differ between machines. */
function fontEnvironment() {
  mkdirSync(ACTUAL, { recursive: true });
  const file = new URL('fonts.conf', ACTUAL);
  const alias = (/** @type {string} */ name) => `<match target="pattern"><test name="family"><string>${name}</string></test><edit name="family" mode="prepend" binding="strong"><string>Noto Sans</string></edit></match>`;
  writeFileSync(file, `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<dir>${fileURLToPath(new URL('fonts/', import.meta.url))}</dir><cachedir>${fileURLToPath(new URL('font-cache/', ACTUAL))}</cachedir>
${['system-ui', 'sans-serif', 'serif', 'monospace'].map(alias).join('\n')}
<match target="font"><edit name="antialias" mode="assign"><bool>true</bool></edit><edit name="hinting" mode="assign"><bool>false</bool></edit><edit name="hintstyle" mode="assign"><const>hintnone</const></edit><edit name="rgba" mode="assign"><const>none</const></edit></match>
</fontconfig>`);
  return { ...process.env, FONTCONFIG_FILE: fileURLToPath(file) };
}

suite('gallery', () => {
  /** @type {import('playwright-core').Browser} */
  let browser;
  /** @type {Awaited<ReturnType<typeof serveGallery>>} */
  let gallery;
  before(async () => {
    rmSync(ACTUAL, { recursive: true, force: true });
    [browser, gallery] = await Promise.all([
      chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS, env: /** @type {Record<string, string>} */ (fontEnvironment()) }),
      serveGallery(),
    ]);
  });
  after(() => Promise.all([browser.close(), gallery.close()]));

  /**
   * Opens a page of the gallery, waits until its forms are stable, and passes it to `look`.
   * @param {Record<string, string>} query @param {{ width: number, height: number }} viewport @param {(page: import('playwright-core').Page) => Promise<unknown>} look
   */
  async function shown(query, viewport, look) {
    const page = await browser.newPage({ viewport, reducedMotion: 'reduce', timezoneId: 'UTC' });
    const broke = page.waitForEvent('pageerror', { timeout: 0 }).then((error) => Promise.reject(error));
    // It is awaited below; the end of the page also ends this wait.
    broke.catch(() => {});
    try {
      await page.clock.setFixedTime(new Date('2026-11-20T10:00:00Z'));
      // A page that never finishes loading would keep the sheet loading.
      await page.goto(`${gallery.origin}/?${new URLSearchParams({ ...query, bare: '1' })}`, { waitUntil: 'commit' });
      await Promise.race([page.waitForSelector('html[data-shown]', { timeout: 60_000 }), broke]);
      await look(page);
    } finally {
      await page.close();
    }
  }

  for (const [name, query, viewport] of SHEETS) {
    test(`the sheet ${name} looks as it did`, () =>
      shown(query, viewport, async (page) => {
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

  for (const look of ['standard', 'minimal', 'high-contrast']) {
    for (const theme of ['light', 'dark']) {
      test(`G9 text and control borders of every state reach AA contrast: ${look}, ${theme}`, () =>
        shown({ look, theme }, DESKTOP, async (page) => {
          const pairs = await page.evaluate(colours);
          assert.ok(pairs.length > 300, `${pairs.length} texts and controls were found`);
          const poor = pairs.filter(({ front, back, least }) => Math.max(...front.map((colour) => contrastOf(colour, back))) < least);
          assert.deepEqual(poor, []);
        }));
    }
  }

  for (const states of ['entry', 'ends', 'choices']) {
    test(`G21 accessibility tree of every state → equals the approved transcript of roles, names and states: ${states}`, () =>
      shown({ states, theme: 'light' }, DESKTOP, async (page) => {
        const ids = await page.locator('payment-form:not(#awaited)').evaluateAll((forms) => forms.map(({ id }) => id));
        const trees = await Promise.all(ids.map((id) => page.frameLocator(`payment-form#${id} iframe`).locator('body').ariaSnapshot()));
        const transcript = ids.map((id, at) => `${id}:\n${(trees[at] ?? '').replaceAll(/^/gm, '  ')}\n`).join('');
        const reference = new URL(`${states}.yml`, TRANSCRIPTS);
        if (process.env.PAYFRAME_RENEW_PICTURES) {
          mkdirSync(TRANSCRIPTS, { recursive: true });
          return writeFileSync(reference, transcript);
        }
        assert.equal(transcript, readFileSync(reference, 'utf8'), 'see the head of this file');
      }));
  }

  test('one pixel more than allowed is found, and pictures that nothing takes are none', async () => {
    const page = await browser.newPage({ viewport: { width: 100, height: 100 } });
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
    assert.ok(names.reduce((sum, name) => sum + statSync(new URL(name, PICTURES)).size, 0) < 3 * 2 ** 20, 'all pictures together stay under 3 MiB');
  });
});

/**
 * Runs in the page: for every form, the colours of each text and of each control's border, with their background. Disabled
 * controls need no contrast (WCAG 2.2, 1.4.3 and 1.4.11).
 */
function colours() {
  /** @typedef {{ state: string, what: string, front: string[], back: string, least: number }} Pair */
  /** @type {Pair[]} */
  const pairs = [];
  const clear = (/** @type {string} */ colour) => /^rgba\(.*, 0\)$|^transparent$/.test(colour);
  // Where nothing is painted, the background is white.
  const around = [document.body, document.documentElement].map((element) => getComputedStyle(element).backgroundColor).find((colour) => !clear(colour)) ?? 'rgb(255, 255, 255)';
  for (const form of document.querySelectorAll('payment-form')) {
    const inside = /** @type {Document} */ (form.shadowRoot?.querySelector('iframe')?.contentDocument);
    /** @param {Element | null | undefined} element @returns {string} */
    const behind = (element) => {
      if (!element) return around;
      const { backgroundColor } = getComputedStyle(element);
      return clear(backgroundColor) ? behind(element.parentElement) : backgroundColor;
    };
    for (const element of inside.querySelectorAll('main *')) {
      const shown = getComputedStyle(element);
      const off = element.closest(':disabled, [inert], [aria-disabled="true"], [hidden], svg, .sr-only');
      if (off || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      const pair = { state: form.id, what: `${element.localName}#${element.id}.${element.className}` };
      const text = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim());
      if (text || (element.matches('input') && 'value' in element && element.value)) pairs.push({ ...pair, front: [shown.color], back: behind(element), least: 4.5 });
      // The browser's own check boxes and radio buttons have its colours. A button that is only text has no border.
      const drawn = element.matches('input:not([type=checkbox], [type=radio]), button, .option') && shown.appearance !== 'auto';
      const edge = [shown.borderBottomWidth !== '0px' && shown.borderBottomColor, shown.backgroundColor].filter((colour) => colour && !clear(colour));
      if (drawn && edge.length) pairs.push({ ...pair, front: /** @type {string[]} */ (edge), back: behind(element.parentElement), least: 3 });
    }
  }
  return pairs;
}

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
