// @ts-check
// What an appearance can change: variables, and parts with their states and properties. Nothing else can be
// changed. Our own ids and classes are on the right side only, so that markup may change without changes for merchants.

import { colour, family, ink, length, milliseconds, number, shadow, systemFamily, weight, word } from './values.js';

/** @typedef {import('./values.js').Kind} Kind */

/** Inputs that hold text, and lists to choose from. Weaker than any state of our own sheet, so that no rule hides an error. */
export const INPUT = ':is(input:not(:where([type=checkbox],[type=radio])),select)';

/** Elements that show typed text or a part of a card number: inputs, the card that was used, the suggested address, saved cards. */
export const TYPED = `${INPUT}, #card-used, .meant, #choice-saved *`;
/** The custom property with the font of these elements. */
export const TYPED_FONT = '--typed-font';

/** Colours by name: the kind of value, and the custom property of our sheet that holds it. @type {Record<string, [Kind, string]>} */
export const COLOURS = {
  colorText: [ink, '--text'],
  colorMuted: [ink, '--muted'],
  colorBorder: [colour, '--line'],
  colorField: [colour, '--field'],
  colorAccent: [ink, '--accent'],
  colorOnAccent: [ink, '--on-accent'],
  colorAccentHover: [ink, '--press'],
  colorError: [ink, '--bad'],
  colorSuccess: [ink, '--good'],
  colorSurface: [colour, '--soft'],
  colorLabel: [ink, '--label'],
  colorPlaceholder: [ink, '--hint'],
};

/** Measures by name: the kind of value, and the properties that it sets, by selector. @type {Record<string, [Kind, Record<string, string>]>} */
export const MEASURES = {
  fontFamily: [family, { ':root': 'font-family' }],
  // Of `fontFamily`, an input takes only fonts of operating systems: see `written.js`.
  fontFamilyInput: [systemFamily, { ':root': TYPED_FONT }],
  fontSize: [length(14, 24), { ':root': 'font-size' }],
  fontSizeLabel: [length(11, 20), { label: 'font-size' }],
  fontSizeMessage: [length(12, 20), { '.note, .message': 'font-size' }],
  fontWeight: [weight, { [INPUT]: 'font-weight' }],
  fontWeightLabel: [weight, { 'label:not(.tick)': 'font-weight' }],
  fontWeightButton: [weight, { '.pay': 'font-weight' }],
  letterSpacing: [length(-1, 4), { [`:root, .pay, ${INPUT}`]: 'letter-spacing' }],
  radius: [length(0, 32), { [`${INPUT}, .message, #nested iframe, .pay`]: 'border-radius' }],
  radiusButton: [length(0, 32), { '.pay': 'border-radius' }],
  borderWidth: [length(0, 4), { [INPUT]: 'border-width' }],
  // The frame would cut off a wider ring.
  focusWidth: [length(2, 3), { 'input:focus-visible, select:focus-visible, button:focus-visible, .title:focus-visible': 'outline-width' }],
  fieldHeight: [length(32, 72), { '.box > :is(input,select)': 'height', '.pay': 'min-height' }],
  fieldPadding: [length(0, 32), { [INPUT]: 'padding-inline' }],
  gap: [length(8, 40), { '#card, .pair': 'gap' }],
  gapLabel: [length(0, 16), { 'label:not(.tick)': 'margin-bottom' }],
};

/** Parts: our selector, by name. @type {Record<string, string>} */
export const PARTS = {
  Input: INPUT,
  Placeholder: 'input::placeholder',
  Label: 'label:not(.tick)',
  Checkbox: '.tick',
  Error: '.note .bad',
  Message: '.message',
  Button: '.pay',
  Link: '.quiet',
  Title: '.title',
  Text: '.stage p',
};

/** In the order in which they are written: a later rule has precedence. @type {[state: string, selector: string][]} */
const STATES = [
  ['', ''],
  ['hover', ':hover:not(:focus-visible, [aria-invalid="true"])'],
  ['active', ':active'],
  ['filled', ':where(:valid, :autofill)'],
  ['empty', ':where(:invalid:not(:autofill))'],
  ['focus', ':focus-visible'],
  ['invalid', '[aria-invalid="true"]'],
  ['disabled', ':is(:read-only:not(button), :disabled, [aria-disabled="true"])'],
];
const OF_INPUTS = ['filled', 'empty', 'invalid'];
const WITHOUT_STATES = ['Placeholder', 'Error', 'Message', 'Title', 'Text'];

/** @type {Record<string, Kind>} */
export const PROPERTIES = {
  'color': ink,
  'background-color': colour,
  'border-color': colour,
  'border-width': length(0, 4),
  'border-style': word('none', 'solid', 'dashed', 'dotted', 'double'),
  'border-radius': length(0, 48),
  'box-shadow': shadow,
  'outline-color': ink,
  'outline-width': length(2, 3),
  'outline-offset': length(-3, 1),
  'caret-color': ink,
  'accent-color': ink,
  'font-family': family,
  'font-size': length(11, 32),
  'font-style': word('normal', 'italic'),
  'font-weight': weight,
  'letter-spacing': length(-1, 4),
  'line-height': number(1, 2),
  'text-align': word('start', 'center', 'end'),
  'text-decoration-line': word('none', 'underline'),
  'text-transform': word('none', 'uppercase', 'capitalize'),
  'padding-inline': length(0, 32),
  'padding-block': length(0, 24),
  'margin-block': length(0, 32),
  'opacity': number(0.5, 1),
  'transition-duration': milliseconds,
};

/** Properties of painting: a change of them does not lay out text. */
export const PAINT = [
  'color', 'background-color', 'border-color', 'border-radius', 'box-shadow', 'outline-color', 'outline-width', 'outline-offset', 'caret-color', 'accent-color', 'opacity',
];
/** Properties that would lay out typed text again, once or during an animation. */
const NOT_TYPED = ['text-decoration-line', 'text-transform', 'transition-duration'];

/**
 * The properties that a part takes, by name. The layout of the text in an input is the same in each of its states.
 * @param {string} part @param {boolean} ofState
 * @returns {Record<string, Kind>}
 */
export function propertiesOf(part, ofState) {
  if (part !== 'Input' && part !== 'Placeholder') return PROPERTIES;
  const taken = Object.entries(PROPERTIES).filter(([name]) => (ofState ? PAINT.includes(name) : !NOT_TYPED.includes(name)));
  return Object.fromEntries(taken.map(([name, kind]) => [name, name === 'font-family' ? systemFamily : kind]));
}

/**
 * Reads `.Part` or `.Part:state`.
 * @param {string} name
 * @returns {{ part: string, order: number, selector: string } | undefined}
 */
export function readPart(name) {
  const [, part = '', state = ''] = /^\.([A-Z][a-z]{2,12})(?::([a-z]{3,10}))?$/.exec(name) ?? [];
  const order = STATES.findIndex(([known]) => known === state);
  if (!Object.hasOwn(PARTS, part) || order < 0) return;
  if (state && (WITHOUT_STATES.includes(part) || (OF_INPUTS.includes(state) && part !== 'Input'))) return;
  return { part, order, selector: `${PARTS[part]}${STATES[order]?.[1]}` };
}

/** The accepted parts, for a warning about an unknown one. */
export const PARTS_TAKE = `${Object.keys(PARTS).map((part) => `.${part}`).join(', ')} with ${STATES.slice(1).map(([state]) => `:${state}`).join(', ')}`;
