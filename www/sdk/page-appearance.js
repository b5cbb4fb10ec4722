// @ts-check
/**
 * The parts of an appearance that need access to the merchant's page: the style of an input that the form copies, the bytes
 * of fonts, and classes for the form's states. The shim imports this if an appearance contains one of them.
 *
 * Nothing here stops a payment: what fails is left out, with one warning, and the form keeps its own style there.
 * Types and documentation for merchants are in `appearance.d.ts`.
 */

/** @typedef {import('./appearance.js').Appearance} Appearance */
/** @typedef {import('./appearance.js').AppearanceFont} AppearanceFont */

/** Typical inputs of a page, if the page names none. */
const LIKELY = 'input:is([type=text],[type=email],[type=tel],:not([type]))';
const MOST_FONTS = 4;
const LARGEST_FONT = 256 * 1024;
const FONT_LIMIT_MS = 10_000;
/** Characters for one call of `fromCharCode`. */
const CHUNK = 8192;

/** @type {Set<string>} */
const warned = new Set();
/** The classes that forms have in their states. @type {WeakMap<Element, (readonly [state: string, classes: string[]])[]>} */
const stateClasses = new WeakMap();

/** @param {string} text */
function warn(text) {
  if (!warned.has(text)) console.warn(`payframe: ${text}`);
  warned.add(text);
}

/**
 * Passes on the appearance for the frame, as JSON: at once, and again when fonts are loaded.
 * @param {HTMLElement & { appearance: string }} form
 * @param {(appearance: string) => void} onAppearance
 */
export function readPageAppearance(form, onAppearance) {
  const given = form.appearance;
  const appearance = parseAppearance(given);
  const { inherit, classes, fonts = [], ...rest } = appearance;
  applyStateClasses(form, classes ?? {});
  /** @type {Appearance} */
  let whole = rest;
  /** @type {AppearanceFont[]} */
  let wanted = Array.isArray(fonts) ? fonts : [];
  if (inherit !== undefined) {
    const input = findInput(form, inherit);
    if (input) {
      whole = { ...rest, variables: { ...styleOf(input), ...rest.variables } };
      wanted = [...wanted, ...pageFonts(getComputedStyle(input))];
    } else warn(`appearance.inherit: the page has no input ${JSON.stringify(inherit)}`);
  }
  const ready = wanted.filter(({ src }) => !isAddress(src));
  if (ready.length < wanted.length) {
    const all = wanted.slice(0, MOST_FONTS).map((font) => (isAddress(font.src) ? fetchFont(font) : font));
    // If the appearance has changed meanwhile, the fonts are not used.
    Promise.all(all).then((fonts) => form.appearance === given && onAppearance(JSON.stringify({ ...whole, fonts: fonts.filter(Boolean) })));
  }
  onAppearance(JSON.stringify({ ...whole, ...(ready.length && { fonts: ready }) }));
}

/** @param {string} given @returns {Appearance} */
function parseAppearance(given) {
  const [, selector] = /^inherit\b\s*(.*)$/.exec(given) ?? [];
  if (selector !== undefined) return { inherit: selector };
  try {
    const appearance = JSON.parse(given);
    if (appearance && typeof appearance === 'object') return appearance;
  } catch {
    // The frame reads it too, and warns.
  }
  return { theme: /** @type {any} */ (given) };
}

// ---- The style of an input of the page -------------------------------------------------------------------------------

/** @param {HTMLElement} form @param {unknown} selector */
function findInput(form, selector) {
  const roots = [/** @type {Document | ShadowRoot} */ (form.getRootNode()), document];
  try {
    if (typeof selector === 'string' && selector) return roots.map((root) => root.querySelector(selector)).find(Boolean);
  } catch {
    // Not a selector: handled like a selector without a match.
    return;
  }
  return [form.closest('form'), ...roots].map((place) => place?.querySelector(LIKELY)).find(Boolean);
}

/** @param {string} text in pixels, as browsers compute it @param {number} least @param {number} most */
const pixels = (text, least, most) => (/^-?[\d.]+px$/.test(text) ? Math.min(most, Math.max(least, parseFloat(text))) : undefined);

/** The variables that give our inputs the style of this one. @param {Element} input @returns {Record<string, string | number>} */
function styleOf(input) {
  const style = getComputedStyle(input);
  const label = /** @type {HTMLInputElement} */ (input).labels?.[0];
  const named = label && getComputedStyle(label);
  const found = {
    fontFamily: style.fontFamily,
    fontSize: pixels(style.fontSize, 14, 24),
    fontWeight: style.fontWeight,
    letterSpacing: pixels(style.letterSpacing, -1, 4),
    colorText: style.color,
    colorField: style.backgroundColor,
    colorBorder: style.borderBottomColor,
    colorPlaceholder: getComputedStyle(input, '::placeholder').color,
    colorLabel: named?.color,
    fontSizeLabel: named && pixels(named.fontSize, 11, 20),
    fontWeightLabel: named?.fontWeight,
    radius: pixels(style.borderTopLeftRadius, 0, 32),
    borderWidth: pixels(style.borderBottomWidth, 0, 4),
    fieldHeight: pixels(`${input.getBoundingClientRect().height || 48}px`, 32, 72),
    fieldPadding: pixels(style.paddingLeft, 0, 32),
  };
  return JSON.parse(JSON.stringify(found));
}

/** Fonts that the page's own sheets load for this text; the frame does not have them. @param {CSSStyleDeclaration} style @returns {AppearanceFont[]} */
function pageFonts({ fontFamily, fontWeight }) {
  const [, first = ''] = /^\s*["']?([^"',]+)/.exec(fontFamily) ?? [];
  return Array.from(document.styleSheets).flatMap((sheet) => {
    try {
      return Array.from(sheet.cssRules).flatMap((rule) => {
        if (!(rule instanceof CSSFontFaceRule)) return [];
        const { style } = rule;
        const family = style.getPropertyValue('font-family').replace(/["']/g, '').trim();
        const weight = style.getPropertyValue('font-weight') || '400';
        const range = style.getPropertyValue('unicode-range');
        const [, src] = /url\(["']?([^"')]+)["']?\)/.exec(style.getPropertyValue('src')) ?? [];
        const fits = weight.includes(' ') || Number(weight) === Number(fontWeight);
        // Of a font in several files, the one with Latin letters and digits.
        if (family !== first.trim() || !fits || !src || (range && !/^U\+0+(-|,|$)/i.test(range))) return [];
        return [{ family, src: new URL(src, sheet.href ?? document.baseURI).href, weight }];
      });
    } catch {
      // The rules of a sheet of another site can not be read.
      return [];
    }
  });
}

// ---- Fonts -----------------------------------------------------------------------------------------------------------

/** @param {unknown} src */
const isAddress = (src) => typeof src === 'string' && !src.startsWith('data:');

/** The font with its bytes, loaded by the page under its own policy. @param {AppearanceFont} font @returns {Promise<AppearanceFont | undefined>} */
async function fetchFont(font) {
  try {
    const url = new URL(font.src, document.baseURI);
    if (url.protocol !== 'https:' && url.origin !== location.origin) throw new Error('fonts come from https: addresses');
    const answer = await fetch(url, { credentials: 'same-origin', signal: AbortSignal.timeout(FONT_LIMIT_MS) });
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (bytes.length > LARGEST_FONT) throw new Error(`it is larger than ${LARGEST_FONT / 1024} KiB`);
    let text = '';
    for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
    return { ...font, src: `data:font/woff2;base64,${btoa(text)}` };
  } catch (cause) {
    warn(`appearance.fonts: ${font.family} is left out, as ${font.src} did not load (${cause instanceof Error ? cause.message : cause})`);
    return;
  }
}

// ---- Classes for states ----------------------------------------------------------------------------------------------

/** From now on the form has these classes in its states. @param {HTMLElement} form @param {Record<string, unknown>} classes by state */
function applyStateClasses(form, classes) {
  for (const [, names] of stateClasses.get(form) ?? []) form.classList.remove(...names);
  stateClasses.set(form, Object.entries(classes).map(([state, names]) => [state, typeof names === 'string' ? names.split(/\s+/).filter(Boolean) : []]));
  updateStateClasses(form);
}

/** The states of the form have changed. @param {HTMLElement} form */
export function updateStateClasses(form) {
  const named = stateClasses.get(form) ?? [];
  const active = named.flatMap(([state, names]) => (isIn(form, state) ? names : []));
  for (const [, names] of named) for (const name of names) form.classList.toggle(name, active.includes(name));
}

/** @param {HTMLElement} form @param {string} state */
function isIn(form, state) {
  try {
    return form.matches(`:state(${CSS.escape(state)})`);
  } catch {
    // Older engines have no custom states.
    return (form.dataset.state ?? '').split(' ').includes(state);
  }
}
