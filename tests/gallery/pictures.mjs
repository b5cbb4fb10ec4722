/**
 * How pictures are compared with those in `pictures/`.
 *
 * References are WebP with a sixteenth of the shades. Tolerance: a pixel differs if a colour differs by more than 32 of 255. In a picture 1 of 2,000 pixels
 * may differ, and in any square of 24 × 24 pixels 20 may: machines draw the edges of letters differently, but a missing mark is found. `pixelmatch` compares
 * single pixels too, and would replace only the few lines here; its tolerance for antialiased edges ignores thin strokes.
 */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { ACTUAL } from './stage.mjs';

export const PICTURES = new URL('pictures/', import.meta.url);
/** The pictures of `payments.test.mjs`. */
export const PAYMENTS = ['phone-light-bank-ar', 'phone-light-scrolled'];
export const OFF = 32;
const MOST = 1 / 2000;
export const MOST_AT_A_PLACE = 20;

/**
 * Holds a screenshot against the picture of that name, or makes it that picture if pictures are renewed.
 * @param {import('playwright-core').Page} page in which pictures are read @param {string} name @param {Buffer} picture
 */
export async function looksAsItDid(page, name, picture) {
  const reference = new URL(`${name}.webp`, PICTURES);
  if (process.env.PAYFRAME_RENEW_PICTURES) {
    mkdirSync(PICTURES, { recursive: true });
    return writeFileSync(reference, Buffer.from(await page.evaluate(packed, picture.toString('base64')), 'base64'));
  }
  writeFileSync(new URL(`${name}.png`, ACTUAL), picture);
  assert.ok(existsSync(reference), `tests/gallery/pictures holds no ${name}.webp: see tests/gallery/README.md`);
  const { size, share, place, difference } = await page.evaluate(compare, { pictures: [readFileSync(reference), picture].map((bytes) => bytes.toString('base64')), off: OFF });
  if (difference) writeFileSync(new URL(`${name}-difference.png`, ACTUAL), Buffer.from(difference, 'base64'));
  assert.ok(size[0] === size[1], `it was ${size[0]} and is ${size[1]}; see target/gallery/${name}.png`);
  assert.ok(share <= MOST, `${(share * 100).toFixed(3)} % of the pixels differ; see target/gallery/${name}-difference.png`);
  assert.ok(place.count <= MOST_AT_A_PLACE, `${place.count} pixels differ at ${place.x}, ${place.y}; see target/gallery/${name}-difference.png`);
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
export async function compare({ pictures, off }) {
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
