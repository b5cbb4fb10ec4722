// @ts-check
// Applies the appearance that a merchant's page gives. `appearance/written.js` reads the values and
// writes them again; this script sets them in a constructed style sheet of each document, one property at a time, so that
// a value can not become anything else. Nothing is fetched.

import { isTyped } from './pace.js';
import { parted, write } from './appearance/written.js';

/** @typedef {Window & typeof globalThis} Realm a frame of ours, by its own constructors */
/** @typedef {import('./appearance/written.js').Rule} Rule */
/** @typedef {{ layout: CSSStyleSheet, paint: CSSStyleSheet, fonts: FontFace[] }} Applied */

/** What was applied to each document, to remove it again. @type {WeakMap<Document, Applied>} */
const applied = new WeakMap();
/** The warnings that were written to the console. @type {Set<string>} */
const warned = new Set();
const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });

/** A colour as numbers, computed by the browser. @param {string} colour @returns {[number, number, number] | undefined} */
function rgb(colour) {
  if (!canvas || !CSS.supports('color', colour)) return;
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha] = canvas.getImageData(0, 0, 1, 1).data;
  return alpha === 255 ? [red, green, blue] : undefined;
}

/** Appearances that wait for empty inputs, by document. @type {Map<Window, unknown>} */
const waiting = new Map();

/** The buyer emptied the inputs: applies the appearances that wait. */
function catchUp() {
  if (isTyped()) return;
  for (const [frame, appearance] of waiting) applyAppearance(frame, appearance);
}

/**
 * Applies the appearance to a document of ours, in place of the former one. While card data is typed, only properties of painting are
 * changed: a page must not cause a layout while there are digits, because it could measure the time. Other changes wait until the inputs are empty.
 * @param {Window} frame this one, or a sibling with a field
 * @param {unknown} appearance as the page gave it
 */
export function applyAppearance(frame, appearance) {
  const { theme } = frame.document.documentElement.dataset;
  const dark = theme === 'dark' || (theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  const { rules, fonts, dropped } = write(appearance, rgb, dark ? 'dark' : 'light');
  const { document } = frame;
  const before = applied.get(document);
  if (!before) document.addEventListener('input', catchUp);
  // An appearance that the page announced when it loaded the form is applied once, even if something is typed already.
  const waits = isTyped() && !document.documentElement.classList.contains('concealed');
  if (waits) waiting.set(frame, appearance);
  else waiting.delete(frame);
  const { layout, paint } = parted(rules);
  const next = {
    layout: waits ? (before?.layout ?? sheetOf(frame, [])) : sheetOf(frame, layout),
    paint: sheetOf(frame, paint),
    fonts: waits ? (before?.fonts ?? []) : facesOf(frame, fonts),
  };
  for (const font of before?.fonts ?? []) if (!next.fonts.includes(font)) document.fonts.delete(font);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets.filter((other) => other !== before?.layout && other !== before?.paint), next.layout, next.paint];
  applied.set(document, next);
  document.documentElement.classList.remove('concealed');
  for (const line of dropped) warn(line);
}

/** @param {Window} frame @param {Rule[]} rules */
function sheetOf(frame, rules) {
  const sheet = new (/** @type {Realm} */ (frame).CSSStyleSheet)();
  for (const { selector, says, media } of rules) {
    const place = media ? /** @type {CSSMediaRule} */ (sheet.cssRules[sheet.insertRule(`@media ${media}{}`, sheet.cssRules.length)]) : sheet;
    const at = place.insertRule(`${selector}{}`, place.cssRules.length);
    const { style } = /** @type {CSSStyleRule} */ (place.cssRules[at]);
    for (const [property, value] of says) style.setProperty(property, value);
  }
  return sheet;
}

/** @param {Window} frame @param {import('./appearance/fonts.js').Face[]} fonts */
function facesOf(frame, fonts) {
  return fonts.map(({ family, base64, descriptors }) => {
    const face = new (/** @type {Realm} */ (frame).FontFace)(family, Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)), { ...descriptors, display: 'swap' });
    // If a font is not valid, the next one in the list is used.
    face.load().catch(() => warn(`appearance.fonts: "${family.replace(/^page /, '')}" is dropped: its bytes are no font`));
    frame.document.fonts.add(face);
    return face;
  });
}

/** Writes each warning once. @param {string} line */
function warn(line) {
  if (warned.has(line)) return;
  warned.add(line);
  console.warn(`payframe: ${line}`);
}
