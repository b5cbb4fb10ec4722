// @ts-check
// The values that a merchant may give: each kind is read by its own small grammar and written again, so no text of the page
// gets into a style sheet. Pure functions, without a document. A value that does not fit the grammar is `undefined`.

/**
 * A kind of value.
 * @typedef {object} Kind
 * @property {(given: unknown) => string | undefined} read gives the value as we write it
 * @property {string} takes what is accepted, for the warning
 */

const LONGEST = 300;
const COLOUR_FUNCTION = /^(rgb|hsl|hwb|lab|lch|oklab|oklch)a?\(([^()]+)\)$/;
const COLOUR_SPACE = /^color\( ?(srgb|srgb-linear|display-p3) ([^()]+)\)$/;
const COLOUR_NUMBER = /^(none|[+-]?(\d{1,4}(\.\d{1,6})?|\.\d{1,6})(%|deg|turn|rad)?)$/;
/** Words that every property takes, so they are not colours. */
const WIDE = ['inherit', 'initial', 'unset', 'revert', 'revert-layer', 'currentcolor'];
const GENERIC = ['serif', 'sans-serif', 'monospace', 'cursive', 'fantasy', 'system-ui', 'ui-serif', 'ui-sans-serif', 'ui-monospace', 'ui-rounded', 'math', 'emoji'];
/** Font families of operating systems: only these may draw what is typed. */
const OF_SYSTEMS = [
  '-apple-system', 'Arial', 'Avenir', 'Calibri', 'Cambria', 'Cantarell', 'Consolas', 'Courier', 'Courier New', 'DejaVu Sans', 'Georgia', 'Helvetica', 'Helvetica Neue',
  'Liberation Sans', 'Lucida Grande', 'Menlo', 'Noto Sans', 'Palatino', 'Roboto', 'Segoe UI', 'Tahoma', 'Times', 'Times New Roman', 'Trebuchet MS', 'Ubuntu', 'Verdana',
];
/** Pixels of one `rem` or `em`, to check limits. */
const EM = 16;

/** Longest part of a merchant's name that a warning repeats. */
const NAME = 60;

/** The members of an object; none for any other value. @param {unknown} given @returns {[string, unknown][]} */
export const members = (given) => (given && typeof given === 'object' && !Array.isArray(given) ? Object.entries(given) : []);
/** A name, shortened and quoted for a warning. @param {unknown} name */
export const named = (name) => JSON.stringify(String(name).slice(0, NAME));
/** @param {unknown} given */
const plain = (given) => (typeof given === 'string' && given.length <= LONGEST ? given.trim().replace(/\s+/g, ' ') : undefined);

/**
 * Whether a word is the name of a colour, as the browser says.
 * @param {string} word of letters only
 */
const isNamed = (word) => !WIDE.includes(word) && (globalThis.CSS?.supports('color', word) ?? false);

/** Colour as numbers with its opacity, 0 to 1. @param {unknown} given @returns {{ text: string, opacity: number } | undefined} */
function readColour(given) {
  const text = plain(given)?.toLowerCase();
  if (!text) return;
  const hex = /^#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/.exec(text)?.[1];
  if (hex) {
    const alpha = hex.length === 4 ? hex.slice(3).repeat(2) : hex.slice(6);
    return { text, opacity: alpha ? parseInt(alpha, 16) / 255 : 1 };
  }
  if (/^[a-z]{3,24}$/.test(text)) return isNamed(text) ? { text, opacity: text === 'transparent' ? 0 : 1 } : undefined;
  const [, name = '', inside] = COLOUR_FUNCTION.exec(text) ?? [];
  const [, space = '', rest] = COLOUR_SPACE.exec(text) ?? [];
  const numbers = (inside ?? rest)?.split(/ ?[,/] ?| /).filter(Boolean);
  if (!numbers || numbers.length < 3 || numbers.length > 4 || !numbers.every((number) => COLOUR_NUMBER.test(number))) return;
  const [a, b, c, alpha = '1'] = numbers;
  const opacity = alpha.endsWith('%') ? parseFloat(alpha) / 100 : alpha === 'none' ? 0 : parseFloat(alpha);
  return { text: `${space ? `color(${space} ` : `${name}(`}${a} ${b} ${c} / ${alpha})`, opacity };
}

/** @type {Kind} */
export const colour = { takes: 'a colour, such as #1c2230 or rgb(28 34 48)', read: (given) => readColour(given)?.text };

/** The colour of text: it must be opaque, because transparent text would be hidden. @type {Kind} */
export const ink = {
  takes: 'a colour that is not see-through, such as #1c2230',
  read(given) {
    const found = readColour(given);
    return found && found.opacity >= 0.6 ? found.text : undefined;
  },
};

/** @param {number} least in pixels @param {number} most @returns {Kind} */
export const length = (least, most) => ({
  takes: `a length from ${least} to ${most}px, such as ${most > 8 ? 8 : most}px (px, rem or em)`,
  read(given) {
    const text = typeof given === 'number' ? `${given}px` : plain(given)?.toLowerCase();
    const [, number = '', unit = 'px'] = /^(-?(?:\d{1,3}(?:\.\d{1,4})?|\.\d{1,4}))(px|rem|em)?$/.exec(text ?? '') ?? [];
    const pixels = parseFloat(number) * (unit === 'px' ? 1 : EM);
    // In CSS, only 0 is a length without a unit.
    if (!(pixels >= least && pixels <= most) || (typeof given !== 'number' && pixels !== 0 && !text?.endsWith(unit))) return;
    return `${parseFloat(number)}${unit}`;
  },
});

/** @param {number} least @param {number} most @returns {Kind} */
export const number = (least, most) => ({
  takes: `a number from ${least} to ${most}`,
  read(given) {
    const text = typeof given === 'number' ? String(given) : plain(given);
    return text && /^\d{0,4}(\.\d{1,4})?$/.test(text) && Number(text) >= least && Number(text) <= most ? String(Number(text)) : undefined;
  },
});

/** @param {string[]} words @returns {Kind} */
export const word = (...words) => ({
  takes: `one of ${words.join(', ')}`,
  read: (given) => words.find((known) => known === plain(given)?.toLowerCase()),
});

/** @type {Kind} */
export const weight = {
  takes: 'a weight from 100 to 900, normal or bold',
  read: (given) => word('normal', 'bold').read(given) ?? number(100, 900).read(given),
};

/** @type {Kind} */
export const milliseconds = {
  takes: 'a time from 0 to 500ms',
  read(given) {
    const [, figure, unit] = /^(\d{1,3}|\d?\.\d{1,3})(ms|s)$/.exec(plain(given) ?? '') ?? [];
    const time = Number(figure) * (unit === 's' ? 1000 : 1);
    return time <= 500 ? `${time}ms` : undefined;
  },
};

/** Names of fonts, in the order of preference. @type {Kind} */
export const family = {
  takes: 'names of fonts, such as "Inter", system-ui, sans-serif',
  read(given) {
    const names = plain(given)?.split(',').map(fontName);
    return names?.length && names.length <= 8 && names.every(Boolean) ? names.join(', ') : undefined;
  },
};

/** Those of these names, as `family` writes them, that are fonts of operating systems. @param {string | undefined} names */
export const ofSystems = (names) =>
  names?.split(', ').filter((name) => GENERIC.includes(name) || OF_SYSTEMS.some((known) => `"${known}"`.toLowerCase() === name.toLowerCase())).join(', ') || undefined;

/** Fonts for what is typed. @type {Kind} */
export const systemFamily = {
  takes: `names of fonts that systems come with: ${[...GENERIC, ...OF_SYSTEMS].join(', ')}`,
  read(given) {
    const names = family.read(given);
    return names === ofSystems(names) ? names : undefined;
  },
};

/** @param {string} given @returns {string | undefined} */
function fontName(given) {
  const [, quote, name = ''] = /^ ?(["']?)([\p{L}\p{N} ._-]{1,64})\1 ?$/u.exec(given) ?? [];
  if (!name.trim()) return;
  return !quote && GENERIC.includes(name.trim().toLowerCase()) ? name.trim().toLowerCase() : `"${name.trim()}"`;
}

/** Up to three layers. @type {Kind} */
export const shadow = {
  takes: 'none, or shadows such as "0 1px 2px #0003"',
  read(given) {
    const text = plain(given)?.toLowerCase();
    if (text === 'none') return text;
    // A comma inside of parentheses belongs to a colour.
    const layers = text?.split(/,(?![^(]*\))/).map(shadowLayer);
    return layers && layers.length <= 3 && layers.every(Boolean) ? layers.join(', ') : undefined;
  },
};

/** @param {string} given @returns {string | undefined} */
function shadowLayer(given) {
  let rest = given.trim();
  const inset = /^inset /.test(rest);
  if (inset) rest = rest.slice(6);
  /** @type {string[]} */
  const lengths = [];
  for (let found; lengths.length < 4 && (found = /^(-?[\d.]+(?:px|rem|em)?)(?: |$)/.exec(rest)); rest = rest.slice(found[0].length)) {
    const read = length(-48, 48).read(found[1]);
    if (!read) return;
    lengths.push(read);
  }
  const tint = rest && readColour(rest)?.text;
  return lengths.length < 2 || tint === undefined ? undefined : [inset && 'inset', ...lengths, tint].filter(Boolean).join(' ');
}
