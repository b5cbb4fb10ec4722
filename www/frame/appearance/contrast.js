// @ts-check
// The contrast of colours, by the formula of WCAG 2.2; and colours that are derived from those that a merchant chose.

/** A colour's red, green and blue, 0 to 255; `undefined` if the colour is not known. @typedef {(colour: string) => [number, number, number] | undefined} Rgb */

/** Foreground, background, and the least contrast. @type {[string, string, number][]} */
export const PAIRS = [
  ['colorText', 'colorField', 4.5],
  ['colorMuted', 'colorField', 4.5],
  ['colorOnAccent', 'colorAccent', 4.5],
  ['colorBorder', 'colorField', 3],
  ['colorError', 'colorField', 4.5],
];

/** @param {[number, number, number]} colour */
function luminance(colour) {
  const [red, green, blue] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

/** The contrast, from 1 to 21; `undefined` if a colour is not known. @param {string | undefined} one @param {string | undefined} other @param {Rgb} rgb */
export function contrast(one, other, rgb) {
  const both = [one, other].map((colour) => colour && rgb(colour));
  if (!both[0] || !both[1]) return;
  const [light = 0, dark = 0] = [luminance(both[0]), luminance(both[1])].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/**
 * Adds the colours that belong to a merchant's accent if the merchant gave none: that of text on it, and its shade under the pointer.
 * @param {Record<string, any>} all @param {Record<string, string>} chosen by the merchant @param {Rgb} rgb
 * @returns {Record<string, string>}
 */
export function readable(all, { colorAccent, colorOnAccent, colorAccentHover }, rgb) {
  if (!colorAccent) return all;
  const white = contrast('#ffffff', colorAccent, rgb) ?? 21;
  return {
    ...all,
    colorOnAccent: colorOnAccent ?? (white >= 4.5 ? '#ffffff' : '#000000'),
    colorAccentHover: colorAccentHover ?? 'color-mix(in srgb, var(--accent) 88%, var(--text))',
  };
}

/**
 * Pairs that contain a colour of the merchant and have too little contrast.
 * @param {Record<string, string>} all @param {Record<string, string>} chosen @param {string} ground behind a see-through field @param {Rgb} rgb
 */
export function unreadable(all, chosen, ground, rgb) {
  return PAIRS.flatMap(([front, back, least]) => {
    if (!chosen[front] && !chosen[back]) return [];
    const found = contrast(all[front], rgb(all[back] ?? '') ? all[back] : ground, rgb) ?? 21;
    return found < least ? [`${front} on ${back} has a contrast of ${found.toFixed(1)}, and it takes ${least}`] : [];
  });
}
