/** The values of an appearance: valid ones are written again, others are dropped. Pure functions, no browser. */

import { suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { colour, family, ink, length, milliseconds, number, ofSystems, shadow, systemFamily, weight } from '../../www/frame/appearance/values.js';
import { MEASURES, PARTS, PROPERTIES, readPart } from '../../www/frame/appearance/parts.js';
import { PRESETS } from '../../www/frame/appearance/presets.js';
import { contrast } from '../../www/frame/appearance/contrast.js';
import { write } from '../../www/frame/appearance/written.js';

/** @type {import('../../www/frame/appearance/contrast.js').Rgb} */
const rgb = (colour) => {
  const hex = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(colour)?.[1];
  const whole = hex?.length === 3 ? hex.replace(/./g, '$&$&') : hex;
  return whole ? /** @type {[number, number, number]} */ ([0, 2, 4].map((at) => parseInt(whole.slice(at, at + 2), 16))) : undefined;
};

/** Ways out of a declaration, addresses and scripts of old browsers, for any kind of value. */
const HOSTILE = [
  'url(https://evil.example/a)', 'URL(//evil.example)', 'u\\72l(//evil.example)', 'image-set("a" 1x)', 'src("a")', 'attr(value)', 'env(x)', 'var(--text)',
  'expression(alert(1))', 'javascript:alert(1)', 'red;} input{background:url(//evil.example)}', 'red}', '{', 'red /* */', '/**/red', '<!--', '-->', '@import "a"',
  'red !important', 'calc(1px + 1px)', 'min(1px)', '\\', '"', "'", '"a', '"a\\"b"', 'a\nb{}', 'a\0b', 'red\u0000', '\u202e red', 'inherit', 'initial', 'unset', 'revert', 'currentcolor',
  '#12', '#12345', '#gggggg', 'rgb()', 'rgb(1)', 'rgb(1 2)', 'rgb(1 2 3 4 5)', 'rgb(1 2 3 / url(x))', 'rgb(from red r g b)', 'rgb((1) 2 3)', 'color-mix(in srgb, red, blue)',
  'light-dark(red, blue)', 'x'.repeat(1e6), '('.repeat(1e5), '1px '.repeat(1e5), '-'.repeat(1e5), '9'.repeat(1e5), 'NaN', 'Infinity', '1e999', '1e3px', '0x10px', '٣px',
  NaN, Infinity, -Infinity, 1e9, -1e9, null, undefined, true, false, {}, [], ['red'], { toString: () => 'red' }, Symbol.iterator, () => 'red', 10n,
];

suite('appearance: values', () => {
  const kinds = { colour, ink, family, shadow, weight, milliseconds, length: length(0, 32), number: number(0, 1), ...Object.fromEntries(Object.entries(PROPERTIES).map(([name, kind]) => [`property ${name}`, kind])) };
  for (const [name, kind] of Object.entries(kinds)) {
    test(`${name} takes nothing hostile`, () => {
      for (const value of HOSTILE) {
        const read = kind.read(value);
        // A value of letters only is the name of a font, and is quoted.
        if (read !== undefined && /family/.test(name)) assert.match(read, /^("[\p{L}\p{N} ._-]+"|[a-z-]+)$/u, String(value).slice(0, 50));
        else assert.equal(read, undefined, `${String(value).slice(0, 50)} became ${read}`);
      }
    });
  }

  /** @type {[import('../../www/frame/appearance/values.js').Kind, unknown, string | undefined][]} */
  const rows = [
    [colour, ' #ABC ', '#abc'],
    [colour, '#12345678', '#12345678'],
    [colour, 'rgb(1, 2, 3)', 'rgb(1 2 3 / 1)'],
    [colour, 'RGBA(1,2,3,.5)', 'rgb(1 2 3 / .5)'],
    [colour, 'hsl(120deg 50% 50% / 20%)', 'hsl(120deg 50% 50% / 20%)'],
    [colour, 'oklch(0.7 0.1 none)', 'oklch(0.7 0.1 none / 1)'],
    [colour, 'color(srgb 0.1 0.2 0.3 / 0.4)', 'color(srgb 0.1 0.2 0.3 / 0.4)'],
    [colour, 'color(url 0.1 0.2 0.3)', undefined],
    [ink, '#0005', undefined],
    [ink, 'rgb(0 0 0 / 0)', undefined],
    [ink, 'rgb(0 0 0 / .8)', 'rgb(0 0 0 / .8)'],
    [length(0, 32), 8, '8px'],
    [length(0, 32), '8PX', '8px'],
    [length(0, 32), '.5rem', '0.5rem'],
    [length(0, 32), '0', '0px'],
    [length(0, 32), '8', undefined],
    [length(0, 32), '33px', undefined],
    [length(0, 32), '3rem', undefined],
    [length(0, 32), '-1px', undefined],
    [length(0, 32), '5vw', undefined],
    [number(0.5, 1), 0.75, '0.75'],
    [number(0.5, 1), '0.4', undefined],
    [weight, 600, '600'],
    [weight, 'bold', 'bold'],
    [weight, '1000', undefined],
    [milliseconds, '.2s', '200ms'],
    [milliseconds, '501ms', undefined],
    [family, 'Inter, "Noto Sans" , system-ui,sans-serif', '"Inter", "Noto Sans", system-ui, sans-serif'],
    [family, 'Zürich 2', '"Zürich 2"'],
    [family, 'a,,b', undefined],
    [family, '"a\', "b', undefined],
    [systemFamily, 'Arial, "segoe ui", sans-serif', '"Arial", "segoe ui", sans-serif'],
    [systemFamily, 'Inter, sans-serif', undefined],
    [systemFamily, '"system-ui"', undefined],
    [systemFamily, 'page Arial', undefined],
    [shadow, 'none', 'none'],
    [shadow, '0 1px 2px #0003, inset 0 0 0 1px rgb(1, 2, 3)', '0px 1px 2px #0003, inset 0px 0px 0px 1px rgb(1 2 3 / 1)'],
    [shadow, '0 1px', '0px 1px'],
    [shadow, '1px', undefined],
    [shadow, '0 1px 2px #000 url(x)', undefined],
    [shadow, '0 99px 2px #000', undefined],
  ];
  for (const [kind, given, expected] of rows) {
    test(`${kind.takes.slice(0, 24)}…: ${JSON.stringify(given)} is ${JSON.stringify(expected)}`, () => assert.equal(kind.read(given), expected));
  }

  test('what was written is read again as itself', () => {
    for (const [kind, , written] of rows) if (written !== undefined) assert.equal(kind.read(written), written);
  });
});

suite('appearance: rules', () => {
  test('parts and states are those of the list', () => {
    assert.equal(readPart('.Input:focus')?.selector, `${PARTS.Input}:focus-visible`);
    for (const name of ['Input', '#CARD_NUMBER', '.input', '.Input:valid', '.Input:focus:hover', '.Input .Label', '.Label:invalid', '.Input[value]', '.Input, *', '.__proto__', '.constructor', '.Input{}', '*', '', '.Input::before', '.Button:filled']) {
      assert.equal(readPart(name), undefined, name);
    }
  });

  test('each thing that is dropped is named once, and the rest is kept', () => {
    const appearance = {
      theme: 'neon', labels: 'sideways', colour: 'red', variables: { colorText: 'url(x)', radius: 4, size: 3, toString: 1 }, darkVariables: { radius: 3 },
      rules: { '.Input': { borderColor: '#123', position: 'fixed', backgroundImage: 'url(x)', constructor: 'red' }, '.Nothing': {}, 'input[value^="4"]': { color: '#000' } }, fonts: [{ family: 'A', src: 'https://a.example/a' }],
    };
    const { rules, dropped, fonts } = write(appearance, rgb);
    assert.deepEqual(dropped.map((line) => line.split(' is dropped: ')[0]), [
      'appearance."colour"', 'appearance.theme "neon"', 'appearance.labels "sideways"', 'appearance.variables.colorText', 'appearance.variables."size"', 'appearance.variables."toString"',
      'appearance.darkVariables.radius', 'appearance.rules[".Input"].position', 'appearance.rules[".Input"].backgroundImage', 'appearance.rules[".Input"].constructor',
      'appearance.rules[".Nothing"]', 'appearance.rules["input[value^=\\"4\\"]"]', 'appearance.fonts[0].src',
    ]);
    assert.ok(rules.some(({ selector, says }) => selector === PARTS.Input && says.some(([property, value]) => property === 'border-color' && value === '#123')));
    assert.ok(rules.some(({ says }) => says.some(([property, value]) => property === 'border-radius' && value === '4px')));
    assert.deepEqual(fonts, []);
  });

  test('what is typed is drawn in fonts of systems alone, and laid out the same in each state', () => {
    const src = 'data:font/woff2;base64,AAAA';
    const appearance = {
      variables: { fontFamily: 'Inter, Arial, serif' }, fonts: [{ family: 'Inter', src }, { family: 'Arial', src }],
      rules: {
        '.Input': { fontFamily: 'Inter', textTransform: 'uppercase', transitionDuration: '500ms', letterSpacing: 1 }, '.Placeholder': { fontFamily: 'Arial' },
        '.Input:focus': { letterSpacing: 2, padding: 4, color: '#123' }, '.Input:filled': { fontFamily: 'Arial' }, '.Label': { fontFamily: 'Arial, Inter' },
      },
    };
    const { rules, fonts, dropped } = write(appearance, rgb);
    assert.deepEqual(fonts.map(({ family }) => family), ['page Inter', 'page Arial']);
    assert.deepEqual(dropped.map((line) => line.split(' is dropped: ')[0]), [
      'appearance.rules[".Input"].fontFamily', 'appearance.rules[".Input"].textTransform', 'appearance.rules[".Input"].transitionDuration',
      'appearance.rules[".Input:focus"].letterSpacing', 'appearance.rules[".Input:focus"].padding', 'appearance.rules[".Input:filled"].fontFamily',
    ]);
    const named = rules.flatMap(({ selector, says }) => says.filter(([, value]) => value.includes('page ')).map(([property, value]) => [selector, property, value]));
    assert.deepEqual(named, [[':root', 'font-family', '"page Inter", "page Arial", serif'], [PARTS.Label, 'font-family', '"page Arial", "page Inter"']]);
    const typed = rules.flatMap(({ selector, says }) => says.filter(([property]) => property === '--typed-font').map(([, value]) => [selector, value]));
    assert.deepEqual(typed, [[':root', '"Arial", serif'], [PARTS.Placeholder, '"Arial"']]);
    assert.equal(ofSystems('"Inter"'), undefined);
  });

  test('nothing of any shape is thrown at, or comes through as text', () => {
    const deep = JSON.parse(`${'{"variables":'.repeat(500)}1${'}'.repeat(500)}`);
    const shapes = [undefined, null, 1, true, [], [[]], deep, '', '{', '{"a"', '[]', 'x'.repeat(1e6), { rules: [] }, { rules: 'x' }, { rules: { '.Input': 'x' } }, { fonts: {} }, { fonts: [null, 1, {}] }, { variables: [1] }, { theme: {} }, JSON.parse('{"__proto__":{"theme":"dark"},"variables":{"__proto__":"red"}}')];
    for (const shape of shapes) {
      const { rules } = write(shape, rgb);
      for (const { selector, says } of rules) for (const [property, value] of says) assert.doesNotMatch(`${selector} ${property} ${value}`, /undefined|x{9}|;|url/);
    }
    const many = { rules: Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`.No${i}`, {}])) };
    assert.equal(write(many, rgb).dropped.length, 40, 'a console is not flooded');
  });

  test('the button\'s text can be read on any accent, and what can not be read is said', () => {
    for (const colorAccent of ['#ffff00', '#000000', '#7f7f7f', '#2453d4', '#ff8800']) {
      const root = write({ variables: { colorAccent } }, rgb).rules[0];
      const text = new Map(root?.says).get('--on-accent');
      assert.ok((contrast(text, colorAccent, rgb) ?? 0) >= 4.5, `${text} on ${colorAccent}`);
    }
    const { dropped } = write({ theme: 'light', variables: { colorText: '#ccc' } }, rgb);
    assert.deepEqual(dropped, ['appearance.variables are hard to read: colorText on colorField has a contrast of 1.6, and it takes 4.5']);
  });

  test('names of presets are those of the documents, and their values are of their kinds', () => {
    assert.deepEqual(Object.keys(PRESETS), ['standard', 'minimal', 'high-contrast']);
    for (const preset of Object.values(PRESETS)) {
      for (const [name, value] of Object.entries(preset.both ?? {})) assert.notEqual(MEASURES[name]?.[0].read(value), undefined, name);
    }
  });
});
