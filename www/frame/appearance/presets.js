// @ts-check
// The themes. Each consists of the same variables that merchants have; what variables can not express is in `extra`.
// A test measures the contrast of each, light and dark: text 4.5:1, borders and rings 3:1.

/**
 * @typedef {Record<string, string | number>} Variables
 * @typedef {object} Preset
 * @property {Variables} [both]
 * @property {Variables} light
 * @property {Variables} dark
 * @property {Record<string, Record<string, string>>} [extra] by selector of ours, properties
 */

/** As in `frame.css`, which shows them before any script runs. */
const light = {
  colorText: '#1c2230', colorMuted: '#596274', colorBorder: '#788195', colorField: '#fff', colorAccent: '#2453d4', colorOnAccent: '#fff',
  colorAccentHover: '#1b3fa6', colorError: '#b3261e', colorSuccess: '#16723b', colorSurface: '#eef1f6',
};
const dark = {
  colorText: '#eef1f7', colorMuted: '#a9b2c3', colorBorder: '#7b869b', colorField: '#171c26', colorAccent: '#8fb0ff', colorOnAccent: '#0d1830',
  colorAccentHover: '#b5caff', colorError: '#ff9d94', colorSuccess: '#7fd69d', colorSurface: '#232a37',
};

/** @type {Record<string, Preset>} */
export const PRESETS = {
  standard: { light, dark },
  // Lines instead of boxes, on the background of the page.
  minimal: {
    light: { ...light, colorField: 'transparent' },
    dark: { ...dark, colorField: 'transparent' },
    both: { radius: 0, radiusButton: 8, fieldPadding: 4 },
    extra: { ':is(input:not(:where([type=checkbox],[type=radio])),select)': { 'border-width': '0 0 1px' }, ':is(input,select)[aria-invalid="true"]': { 'box-shadow': 'inset 0 -1px var(--bad)' } },
  },
  'high-contrast': {
    light: {
      colorText: '#000', colorMuted: '#2b2b2b', colorBorder: '#000', colorField: '#fff', colorAccent: '#0033a0', colorOnAccent: '#fff',
      colorAccentHover: '#001f66', colorError: '#8f0000', colorSuccess: '#00471b', colorSurface: '#fff',
    },
    dark: {
      colorText: '#fff', colorMuted: '#e0e0e0', colorBorder: '#fff', colorField: '#000', colorAccent: '#ffe14d', colorOnAccent: '#000',
      colorAccentHover: '#fff', colorError: '#ffb3ab', colorSuccess: '#9df0b8', colorSurface: '#000',
    },
    both: { borderWidth: 2, focusWidth: 3, fontWeightLabel: 600 },
    extra: { '.message': { border: '2px solid' }, '.pay': { 'border-color': 'var(--text)' } },
  },
};

/** Background of a transparent field that the browser has filled. */
export const GROUND = { light: '#fff', dark: '#171c26' };

/** @type {Record<string, Variables>} */
export const DENSITIES = {
  compact: { fieldHeight: 40, gap: 12 },
  normal: {},
  spacious: { fieldHeight: 56, gap: 20 },
};
