// @ts-check
// Turns a merchant's appearance into rules for a style sheet, written by us, and a list of what was
// dropped. Pure functions, without a document. They never throw.

import { readable, unreadable } from './contrast.js';
import { ownName, readFonts } from './fonts.js';
import { COLOURS, INPUT, MEASURES, PAINT, PARTS_TAKE, TYPED, TYPED_FONT, propertiesOf, readPart } from './parts.js';
import { DENSITIES, GROUND, PRESETS } from './presets.js';
import { ink, members, named, ofSystems, systemFamily } from './values.js';

/**
 * @typedef {object} Rule
 * @property {string} selector
 * @property {[property: string, value: string][]} says
 * @property {string} [media]
 *
 * @typedef {{ rules: Rule[], fonts: import('./fonts.js').Face[], dropped: string[] }} Written
 * @typedef {import('./contrast.js').Rgb} Rgb
 * @typedef {(what: string, why: string) => void} Drop
 */

const MEMBERS = ['theme', 'labels', 'density', 'variables', 'darkVariables', 'rules', 'fonts'];
/** Members that `www/sdk/page-appearance.js` handles in the page. */
const OF_THE_PAGE = ['inherit', 'classes'];
const SCHEMES = ['auto', 'light', 'dark'];
/** Phones zoom into inputs whose text is smaller than 16 pixels. */
const COARSE = '(pointer: coarse)';
/** Any theme. */
const ANY = ':root[data-theme]';
const MOST = { rules: 60, declarations: 30, warnings: 40 };

/** @param {string} name */
const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * @param {unknown} given an appearance, the name of a preset, or JSON, as in an attribute
 * @param {Rgb} rgb gives a colour as numbers
 * @param {'light' | 'dark'} [now] the theme that is visible; contrast is checked for this one only
 * @returns {Written}
 */
export function write(given, rgb, now = 'light') {
  /** @type {string[]} */
  const dropped = [];
  /** @type {Drop} */
  const drop = (what, why) => void (dropped.length < MOST.warnings && dropped.push(`appearance${what} is dropped: ${why}`));
  const wanted = opened(given, drop);
  /** A member whose value is one of a few words. @param {string} name @param {string[]} words @returns {string} */
  const choice = (name, words) => {
    const found = words.find((known) => known === wanted[name]);
    if (wanted[name] !== undefined && !found) drop(`.${name} ${named(wanted[name])}`, `it is one of ${words.join(', ')}`);
    return found ?? words[0] ?? '';
  };
  const theme = choice('theme', [...SCHEMES, ...Object.keys(PRESETS).slice(1)]);
  const density = choice('density', ['normal', 'compact', 'spacious']);
  const labels = choice('labels', ['above', 'floating']);
  const preset = /** @type {import('./presets.js').Preset} */ (PRESETS[theme] ?? PRESETS.standard);
  const own = variables('variables', wanted.variables, drop);
  const dark = variables('darkVariables', wanted.darkVariables, drop);
  for (const name of Object.keys(dark.measures)) drop(`.darkVariables.${name}`, 'it is the same by day and by night');

  /** @type {(scheme: 'light' | 'dark', selector: string, media?: string) => Rule} */
  const coloured = (scheme, selector, media) => {
    const chosen = scheme === 'dark' ? { ...own.colours, ...dark.colours } : own.colours;
    const all = readable({ ...preset[scheme], ...chosen }, chosen, rgb);
    if (!media && (scheme === now || selector === ANY)) for (const pair of unreadable(all, chosen, GROUND[scheme], rgb)) dropped.push(`appearance.variables are hard to read: ${pair}`);
    const says = Object.entries(all).map(([name, value]) => /** @type {[string, string]} */ ([COLOURS[name]?.[1], value]));
    return { selector, media, says: [...says, ['--fill', ink.read(all.colorField) ?? GROUND[scheme]]] };
  };
  const rules = theme === 'light' || theme === 'dark'
    ? [coloured(theme, ANY)]
    : [coloured('light', ':root[data-theme]:not([data-theme="dark"])'), coloured('dark', ':root[data-theme="dark"]'), coloured('dark', ':root[data-theme="auto"]', '(prefers-color-scheme: dark)')];
  rules.push(...BASIS, ...extra(preset), ...measured({ ...preset.both, ...(labels === 'floating' ? {} : DENSITIES[density]), ...own.measures }));
  if (labels === 'floating') rules.push(...floating(density, own.measures.fieldHeight));
  const typed = own.measures.fontFamilyInput ?? ofSystems(own.measures.fontFamily);
  if (typed) rules.push({ selector: ':root', says: [[TYPED_FONT, typed]] });
  rules.push(...merchantRules(wanted.rules, drop), ...LAST);
  const fonts = readFonts(wanted.fonts, drop);
  return { rules: rules.map((rule) => ({ ...rule, says: rule.says.map((said) => naming(said, fonts)) })), fonts, dropped };
}

/** Replaces names of the page's fonts by the names that they have in our documents. @param {Rule['says'][number]} said @param {Written['fonts']} fonts @returns {Rule['says'][number]} */
function naming([property, value], fonts) {
  if (property !== 'font-family' || !value.includes('"')) return [property, value];
  const names = value.split(', ').map((name) => {
    const own = ownName(name.slice(1, -1));
    return fonts.some(({ family }) => family === own) ? `"${own}"` : name;
  });
  return [property, names.join(', ')];
}

const PAINTED = [...PAINT, ...Object.values(COLOURS).map(([, name]) => name), '--fill', '--worn', '-webkit-text-fill-color'];

/**
 * Divides rules into those that affect layout and those that affect only painting, which may change while something is typed.
 * @param {Rule[]} rules
 * @returns {{ layout: Rule[], paint: Rule[] }}
 */
export function parted(rules) {
  /** @param {boolean} painted */
  const half = (painted) => rules.map((rule) => ({ ...rule, says: rule.says.filter(([property]) => PAINTED.includes(property) === painted) })).filter(({ says }) => says.length);
  return { layout: half(false), paint: half(true) };
}

/** Reads the known members. @param {unknown} given @param {Drop} drop */
function opened(given, drop) {
  /** @type {Record<string, any>} */
  const wanted = {};
  let whole = given;
  if (typeof given === 'string') {
    whole = { theme: given };
    try {
      if (given.startsWith('{')) whole = JSON.parse(given);
    } catch {
      whole = undefined;
    }
  }
  if (!whole || typeof whole !== 'object' || Array.isArray(whole)) drop('', 'it is the name of a theme, or an object');
  for (const [name, value] of members(whole)) {
    if (MEMBERS.includes(name)) wanted[name] = value;
    else if (!OF_THE_PAGE.includes(name)) drop(`.${named(name)}`, `its members are ${MEMBERS.join(', ')}`);
  }
  return wanted;
}

/** Reads variables. @param {string} member @param {unknown} given @param {Drop} drop */
function variables(member, given, drop) {
  /** @type {{ colours: Record<string, string>, measures: Record<string, string> }} */
  const read = { colours: {}, measures: {} };
  for (const [name, value] of members(given)) {
    const place = Object.hasOwn(COLOURS, name) ? 'colours' : 'measures';
    const [kind] = Object.hasOwn(COLOURS, name) || Object.hasOwn(MEASURES, name) ? COLOURS[name] ?? MEASURES[name] ?? [] : [];
    const text = kind?.read(value);
    if (!kind) drop(`.${member}.${named(name)}`, `variables are ${[...Object.keys(COLOURS), ...Object.keys(MEASURES)].join(', ')}`);
    else if (text === undefined) drop(`.${member}.${name}`, `it takes ${kind.takes}`);
    else read[place][name] = text;
  }
  return read;
}

/** Rules in the order of our list: a measure that depends on another one comes after it. @param {Record<string, string | number>} given @returns {Rule[]} */
function measured(given) {
  return Object.entries(MEASURES).flatMap(([name, [kind, places]]) => {
    const text = kind.read(given[name]);
    return text === undefined ? [] : Object.entries(places).map(([selector, property]) => /** @type {Rule} */ ({ selector, says: [[property, text]] }));
  });
}

/** @param {import('./presets.js').Preset} preset @returns {Rule[]} */
const extra = (preset) => Object.entries(preset.extra ?? {}).map(([selector, says]) => ({ selector, says: Object.entries(says) }));

/** @param {unknown} given @param {Drop} drop @returns {Rule[]} */
function merchantRules(given, drop) {
  /** @type {(Rule & { order: number })[]} */
  const rules = [];
  members(given).forEach(([name, says], place) => {
    const part = place < MOST.rules ? readPart(name) : undefined;
    if (!part) return drop(`.rules[${named(name)}]`, place < MOST.rules ? `rules are for ${PARTS_TAKE}` : `there may be ${MOST.rules} rules`);
    /** @type {Rule['says']} */
    const kept = [];
    const properties = propertiesOf(part.part, part.order > 0);
    members(says).slice(0, MOST.declarations).forEach(([given, value]) => {
      const property = kebab(given);
      const kind = Object.hasOwn(properties, property) ? properties[property] : undefined;
      const text = kind?.read(value);
      const where = `.rules["${name}"].${/^[\w-]{1,30}$/.test(given) ? given : named(given)}`;
      if (!kind) drop(where, `properties ${part.order ? 'of this state ' : ''}are ${Object.keys(properties).join(', ')}`);
      else if (text === undefined) drop(where, `it takes ${kind.takes}`);
      else kept.push([kind === systemFamily ? TYPED_FONT : property, text]);
    });
    rules.push({ ...part, says: kept }, ...alsoForInputs(part, kept));
  });
  return rules.sort((a, b) => a.order - b.order).map(({ selector, says, media }) => ({ selector, says, media }));
}

/**
 * Further rules that a rule for inputs needs. Browsers give filled fields colours of their own, and our sheet overrides
 * these with the colours of the form, so it needs the colours of the rule. On phones, text is at least so large that they do not zoom in.
 * @param {{ part: string, order: number, selector: string }} rule @param {Rule['says']} says
 * @returns {(Rule & { order: number })[]}
 */
function alsoForInputs({ part, order, selector }, says) {
  if (part !== 'Input') return [];
  const all = Object.fromEntries(says);
  /** @type {Rule['says']} */
  const known = [];
  if (all.color) known.push(['--text', all.color]);
  if (ink.read(all['background-color'])) known.push(['--fill', all['background-color'] ?? '']);
  if (all['box-shadow'] && all['box-shadow'] !== 'none') known.push(['--worn', `${all['box-shadow']},`]);
  const size = all['font-size'];
  return [
    { selector, order, says: known },
    ...(size ? [{ selector, order, media: COARSE, says: /** @type {Rule['says']} */ ([['font-size', `max(16px, ${size})`]]) }] : []),
  ];
}

/** Rules that our own sheet does not have. @type {Rule[]} */
const BASIS = [
  { selector: '.bad::before, .stage .mark', says: [['color', 'var(--fill)']] },
  { selector: 'label', says: [['color', 'var(--label, inherit)']] },
  { selector: 'input::placeholder', says: [['color', 'var(--hint, var(--muted))']] },
  { selector: INPUT, media: COARSE, says: [['font-size', 'max(16px, 1em)']] },
];

/** Rules that no rule of a merchant may override: `:not(#none)` gives them the specificity of an id. @type {Rule[]} */
const LAST = [
  ...[`:is(${TYPED}):not(#none)`, 'input:not(#none)::placeholder'].map((selector) => (
    /** @type {Rule} */ ({ selector, says: [['font-family', `var(--merchant-font, var(${TYPED_FONT}, system-ui)), sans-serif`]] }))),
  { selector: `:is(${INPUT}):not(#none)`, says: [['text-transform', 'none'], ['transition', 'none']] },
  {
    selector: ':is(input,select):autofill:not(#none, [type=checkbox])',
    says: [['box-shadow', 'var(--worn,) inset 0 0 0 96px var(--fill)'], ['-webkit-text-fill-color', 'var(--text)'], ['caret-color', 'var(--text)']],
  },
  { selector: ':is(input,select):autofill:not(#none)[aria-invalid="true"]', says: [['box-shadow', 'inset 0 0 0 1px var(--bad), inset 0 0 0 96px var(--fill)']] },
  { selector: ':not(#none)', media: '(prefers-reduced-motion: reduce)', says: [['transition-duration', '0s']] },
];

/**
 * Floating labels: inside of an empty field, and above the text of a filled one. Label and input share one cell of a grid, so
 * that there is room for a label of any size: in a filled field the label has its own height again as padding below it, where the text is.
 * @param {string} density @param {string} [fieldHeight] @returns {Rule[]}
 */
function floating(density, fieldHeight) {
  const height = fieldHeight ?? { compact: '48px', spacious: '64px' }[density] ?? '56px';
  const boxed = '.field:has(> .box)';
  const resting = `${boxed}:has(input:invalid:not(:focus, :autofill))`;
  return [
    { selector: boxed, says: [['display', 'grid'], ['grid-template-columns', 'minmax(0, 1fr)']] },
    { selector: `${boxed} > :is(label, .box)`, says: [['grid-area', '1 / 1']] },
    {
      selector: `${boxed} > label`,
      says: [
        ['position', 'relative'], ['z-index', '1'], ['align-self', 'center'], ['display', 'grid'], ['grid-template', '1fr 1fr / minmax(0, 1fr)'], ['margin', '0 13px'], ['padding-bottom', '12px'],
        ['font-size', '12px'], ['line-height', '16px'], ['color', 'var(--label, var(--muted))'], ['pointer-events', 'none'],
      ],
    },
    { selector: `${resting} > label`, says: [['grid-template-rows', '1fr 0fr'], ['padding-bottom', '0'], ['font-size', '16px'], ['line-height', '20px']] },
    { selector: `${resting}:has(.pic) > label`, says: [['margin-inline-end', '56px']] },
    { selector: '.box > :is(input,select)', says: [['height', '100%'], ['min-height', `max(44px, ${height})`], ['padding-top', '18px']] },
    { selector: '.box > .pic', says: [['top', 'calc(50% - 6px)']] },
    { selector: `${resting} .pic`, says: [['top', 'calc(50% - 12px)']] },
    { selector: `${resting} input::placeholder`, says: [['color', 'transparent']] },
    { selector: `${boxed} :is(label, .pic)`, media: '(prefers-reduced-motion: no-preference)', says: [['transition', 'grid-template-rows .12s, padding-bottom .12s, font-size .12s, top .12s']] },
    { selector: '#accepted', says: [['margin', '4px 0 0']] },
    // Labels and inputs share their cells, so the container query is not needed.
    { selector: '#card', says: [['container-type', 'normal']] },
    { selector: '.pair', media: '(max-width: 339px)', says: [['grid-template-columns', '1fr']] },
  ];
}
