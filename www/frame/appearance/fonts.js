// @ts-check
// Fonts that a merchant gives, as bytes. The frame fetches no font.

import { family, members, named, weight, word } from './values.js';

/**
 * A font by its bytes.
 * @typedef {object} Face
 * @property {string} family without quotes
 * @property {string} base64
 * @property {FontFaceDescriptors} descriptors
 */

const MOST = 4;
/** In characters of base64: 256 KiB. */
const LONGEST = 350_000;
const SOURCE = /^data:(?:font\/(?:woff2?|ttf|otf)|application\/octet-stream);base64,([\da-z+/]+={0,2})$/i;

/** The name of a page's font in our documents. It differs from every name of a system's font, so that no input is drawn in it. @param {string} name */
export const ownName = (name) => `page ${name}`;

/** @param {unknown} given @param {(what: string, why: string) => void} drop @returns {Face[]} */
export function readFonts(given, drop) {
  if (given === undefined) return [];
  if (!Array.isArray(given)) {
    drop('.fonts', 'it is a list of { family, src, weight, style }');
    return [];
  }
  return given.flatMap((font, place) => {
    const face = Object.fromEntries(members(font));
    const name = family.read(face.family);
    const source = typeof face.src === 'string' && face.src.length <= LONGEST ? SOURCE.exec(face.src)?.[1] : undefined;
    const range = typeof face.weight === 'string' && /^\d{3} \d{3}$/.test(face.weight) ? face.weight : weight.read(face.weight ?? 'normal');
    const style = word('normal', 'italic').read(face.style ?? 'normal');
    const where = `.fonts[${place}]`;
    if (place >= MOST) drop(where, `there may be ${MOST}`);
    else if (!name?.startsWith('"') || name.includes(',')) drop(`${where}.family`, 'it is one name');
    else if (!source) drop(`${where}.src`, `${named(face.src)} is no https: address that the page could load, and no data:font/woff2;base64,… of at most ${LONGEST / 1000} kB`);
    else if (!range || !style) drop(`${where}.${range ? 'style' : 'weight'}`, range ? 'it is normal or italic' : `it takes ${weight.takes}`);
    else return [{ family: ownName(name.slice(1, -1)), base64: source, descriptors: { weight: range, style } }];
    return [];
  });
}
