// @ts-check
// What the playground's editor writes: the appearance of the chosen values, and the contrast of the colours that follow from it.
// It knows no document.

import { PAIRS, contrast, readable } from '../frame/appearance/contrast.js';
import { GROUND, PRESETS } from '../frame/appearance/presets.js';

/** @import { Appearance } from '../sdk/appearance.js' */

/**
 * What the reader chose. Colours are kept for each tone: a form in a dark page has other colours than in a light one.
 * @typedef {object} Choice
 * @property {'light' | 'dark'} ground the page's background
 * @property {string} theme
 * @property {string} labels
 * @property {string} density
 * @property {string} fontFamily
 * @property {Record<string, number>} measures
 * @property {{ light: Record<string, string>, dark: Record<string, string> }} colours
 */

/** Lengths that can be set, in pixels: name, text, least, most, and the form's own. @type {[string, string, number, number, number][]} */
export const MEASURES = [
  ['radius', 'Radius', 0, 32, 8],
  ['fontSize', 'Size of text', 14, 24, 16],
  ['fieldHeight', 'Height of fields', 32, 72, 48],
  ['borderWidth', 'Width of borders', 0, 4, 1],
];

/** Colours that can be set: name and text. @type {[string, string][]} */
export const COLOURS = [
  ['colorAccent', 'Accent'],
  ['colorText', 'Text'],
  ['colorMuted', 'Hints'],
  ['colorField', 'Fields'],
  ['colorBorder', 'Borders'],
  ['colorError', 'Errors'],
];

/** Whether the form is light or dark. @param {Choice} choice @returns {'light' | 'dark'} */
export function tone({ theme, ground }) {
  return theme === 'light' || theme === 'dark' ? theme : ground;
}

/** The colours of the form before anything is chosen. @param {Choice} choice @returns {Record<string, string>} */
export function ownColours(choice) {
  const preset = PRESETS[choice.theme] ?? PRESETS.standard;
  const colours = /** @type {Record<string, string>} */ (preset?.[tone(choice)] ?? {});
  return { ...colours, colorField: rgb(colours.colorField ?? '') ? colours.colorField ?? '' : GROUND[tone(choice)] };
}

/** The object for the form: only what differs from its own look. @param {Choice} choice @returns {Appearance} */
export function written({ theme, labels, density, fontFamily, measures, colours }) {
  const variables = { ...colours.light, ...measures, ...(fontFamily && { fontFamily }) };
  // Without a colour for the dark theme the light one would be used there too.
  const has = (/** @type {object} */ some) => Object.keys(some).length > 0;
  return /** @type {Appearance} */ ({
    ...(theme !== 'auto' && { theme }),
    ...(labels !== 'above' && { labels }),
    ...(density !== 'normal' && { density }),
    ...(has(variables) && { variables }),
    ...(has(colours.dark) && { darkVariables: colours.dark }),
  });
}

/**
 * The contrast of each pair of colours that are seen on each other: names, the least that WCAG asks for, and what there is.
 * @param {Choice} choice @returns {{ front: string, back: string, least: number, found: number }[]}
 */
export function ratios(choice) {
  const chosen = { ...choice.colours.light, ...(tone(choice) === 'dark' ? choice.colours.dark : {}) };
  const all = readable({ ...ownColours(choice), ...chosen }, chosen, rgb);
  return PAIRS.map(([front, back, least]) => ({ front, back, least, found: contrast(all[front], all[back], rgb) ?? 21 }));
}

/** Red, green and blue of `#rgb` and `#rrggbb`. @param {string} colour @returns {[number, number, number] | undefined} */
export function rgb(colour) {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(colour)?.[1];
  if (!digits) return;
  const pairs = digits.length === 3 ? [...digits].map((digit) => digit + digit) : digits.match(/../g) ?? [];
  const [red = 0, green = 0, blue = 0] = pairs.map((pair) => Number.parseInt(pair, 16));
  return [red, green, blue];
}
