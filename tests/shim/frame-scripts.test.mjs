/** What a frame brings in, by itself: what makes it live, the guard of the pay button, and other words for a live form. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { openStage } from './stage.mjs';

/** @type {Awaited<ReturnType<typeof openStage>>} */
let stage;
before(async () => void (stage = await openStage()));
after(() => stage.close());

const GUARD = readFileSync(new URL('../../www/frame/guard.js', import.meta.url), 'utf8');
const TEXTS = readFileSync(new URL('../../www/frame/texts.js', import.meta.url), 'utf8');
const REWORD = TEXTS + readFileSync(new URL('../../www/frame/reword.js', import.meta.url), 'utf8').replace("import { textsOf } from './texts.js';", '');

const PACE = readFileSync(new URL('../../www/frame/pace.js', import.meta.url), 'utf8');
const LIVE = PACE + readFileSync(new URL('../../www/frame/live.js', import.meta.url), 'utf8').replace("import { price } from './money.js';", '').replace("import { pace } from './pace.js';", '');

/** In which order a form is made live, beside tasks that were due when it was put together and when it was drawn. @param {object} [driver] of fields that have frames */
async function steps(driver) {
  const page = await stage.open('', { shim: false });
  return page.evaluate(async ([source, driver]) => {
    /** @type {string[]} */
    const steps = [];
    const { live } = await import(URL.createObjectURL(new Blob([String(source)], { type: 'text/javascript' })));
    document.documentElement.dataset.button = 'hidden';
    window.payframe = driver && { driver: { tap: (port) => port, live: () => steps.push('driver') } };
    const widget = {
      default: async () => {},
      prepare: () => (steps.push('prepare'), setTimeout(() => steps.push('task'))),
      draw: () => (steps.push('draw'), setTimeout(() => steps.push('task'))),
      start: () => steps.push('start'),
    };
    await live(widget, '', Promise.resolve([new MessageChannel().port1, {}]), { boot: {}, texts: {}, pressed: () => false });
    return steps;
  }, [LIVE, driver]);
}

test('a key that was pressed meanwhile is answered between putting a form together, drawing it and making it live', async () => {
  assert.deepEqual(await steps(), ['prepare', 'task', 'draw', 'task', 'start']);
});

test('a frame of a field can not come between putting a form together and making it live', async () => {
  assert.deepEqual(await steps({}), ['prepare', 'draw', 'start', 'driver']);
});

test('who attends to the form comes once nothing is typed for a second, and learns when each thing was said', async () => {
  const page = await stage.open('', { shim: false });
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(10_000);
  const attendant = 'data:text/javascript,export const hear = (of, ...told) => heard([...told, Date.now()])';
  await page.evaluate(async (source) => {
    const { live } = await import(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
    document.documentElement.dataset.button = 'hidden';
    const widget = { default: async () => {}, prepare: () => {}, draw: () => {}, start: () => {} };
    // The clock stands still, and its tasks wait.
    void live(widget, '', Promise.resolve([new MessageChannel().port1, {}]), { boot: {}, texts: {}, pressed: () => false });
    /** @type {unknown[]} */
    const all = [];
    window.everything = new Promise((resolve) => (window.heard = (told) => all.push(told) === 5 && resolve(all)));
  }, LIVE.replace('{{later:attendant}}', attendant));
  await page.clock.runFor(100);
  for (const [what, seconds] of /** @type {const} */ ([['rest', 300], ['active', -1], ['active', -1], ['active', -1]])) {
    await page.evaluate(([what, seconds]) => payframeTell(what, seconds), /** @type {const} */ ([what, seconds]));
    await page.clock.runFor(900);
  }
  await page.clock.runFor(100);
  await page.evaluate(() => payframeTell('email', -1));
  await page.clock.runFor(0);
  assert.deepEqual(await page.evaluate(() => window.everything), [
    ['rest', 300, 10_100, 13_800],
    ['active', -1, 11_000, 13_800],
    ['active', -1, 11_900, 13_800],
    ['active', -1, 12_800, 13_800],
    ['email', -1, 13_800, 13_800],
  ]);
});

test('what follows from a key comes behind the picture of the key, and soon in a frame that is not painted', async () => {
  const page = await stage.open('<iframe id="hidden" hidden></iframe>', { shim: false });
  const order = await page.evaluate(async (source) => {
    const url = URL.createObjectURL(new Blob([String(source)], { type: 'text/javascript' }));
    await import(url);
    const frame = /** @type {HTMLIFrameElement} */ (document.getElementById('hidden')).contentWindow;
    await frame?.eval(`import(${JSON.stringify(url)})`);
    /** @type {string[]} */
    const order = [];
    await new Promise((resolve) => {
      globalThis.payframeAfterPicture(() => resolve(order.push('rest')));
      requestAnimationFrame(() => order.push('picture'));
    });
    await new Promise((resolve) => frame?.payframeAfterPicture(resolve));
    return order;
  }, LIVE);
  assert.deepEqual(order, ['picture', 'rest']);
});

/** A button in a frame of another origin, with the guard, in a page with this style and this content. @param {string} style @param {string} [over] */
async function pressed(style, over = '') {
  const page = await stage.open(`<style>iframe{border:0;width:300px;height:60px;display:block}${style}</style><div id="box"><iframe id="pay" src="{{gateway}}/guarded"></iframe></div>${over}`, { shim: false });
  const frame = /** @type {import('playwright-core').Frame} */ (await (await page.locator('#pay').elementHandle())?.contentFrame());
  await frame.setContent('<body style="margin:0"><button id="pay" style="width:300px;height:60px">Pay</button>');
  await frame.evaluate(async (source) => {
    window.taken = 0;
    window.refused = [];
    const { guard } = await import(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
    const button = document.querySelector('button');
    window.shown = '';
    guard({ texts: { button_covered: 'It is covered.' }, show: (text) => (window.shown = text) }, (code, why) => window.refused.push(`${code} ${why} ${window.shown}`));
    button.addEventListener('click', () => (window.taken += 1));
    // As the guard looks: once the browser has told something about the button, it has told the guard as well.
    await new Promise((resolve) => new IntersectionObserver(resolve, { trackVisibility: true, delay: 100 }).observe(button));
  }, GUARD);
  const { x, y } = /** @type {{ x: number, y: number }} */ (await page.locator('#pay').boundingBox());
  await page.mouse.click(x + 10, y + 10);
  const byMouse = await frame.evaluate(() => [window.taken, window.refused]);
  await frame.evaluate(() => document.querySelector('button')?.click());
  return [byMouse, await frame.evaluate(() => window.taken)];
}

test('N18 a pay button in plain sight takes the press', async () => {
  assert.deepEqual(await pressed(''), [[1, []], 2]);
});

for (const [what, style, over] of [
  ['covered', '#over{position:absolute;top:0;left:0;width:600px;height:300px;pointer-events:none;background:#fff}', '<div id="over">A prize</div>'],
  ['see-through', '#box{opacity:.01}', ''],
  ['shrunk', '#pay{transform:scale(.5);transform-origin:0 0}', ''],
]) {
  test(`N18 a pay button that the page has ${what} does not take the press, tells why, and still works by key`, async () => {
    const [[taken, refused], byKey] = await pressed(String(style), over);
    assert.deepEqual([taken, refused, byKey], [0, ['button_covered covered It is covered.'], 1]);
  });
}

test('N18 while somebody types the pay button is not looked at, and again once they pause', async () => {
  const page = await stage.open('<input><button id="pay">Pay</button>', { shim: false });
  const looks = await page.evaluate(async (source) => {
    /** @type {string[]} */
    const looks = [];
    /** @type {(value?: unknown) => void} */
    let again = () => {};
    window.IntersectionObserver = class extends IntersectionObserver {
      observe(/** @type {Element} */ button) {
        looks.push('looks');
        super.observe(button);
        again();
      }
      unobserve(/** @type {Element} */ button) {
        looks.push('types');
        super.unobserve(button);
      }
    };
    const { guard } = await import(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
    guard({ texts: {}, show: () => {} }, () => {});
    const paused = new Promise((resolve) => (again = resolve));
    for (let key = 0; key < 2; key++) document.querySelector('input')?.dispatchEvent(new Event('input', { bubbles: true }));
    await paused;
    return looks;
  }, GUARD);
  assert.deepEqual(looks, ['looks', 'types', 'looks']);
});

test('N18 a pay button that something was in the way of is looked at while somebody types, and takes the press once it is free', async () => {
  const page = await stage.open('<input><button id="pay">Pay</button>', { shim: false });
  const told = await page.evaluate(async (source) => {
    /** @type {string[]} */
    const told = [];
    /** @type {(entries: { isIntersecting: boolean, intersectionRatio: number, isVisible: boolean }[]) => void} */
    let hear = () => {};
    window.IntersectionObserver = class {
      constructor(/** @type {typeof hear} */ heard) {
        hear = heard;
      }
      observe() {}
      unobserve() {
        told.push('is not looked at');
      }
    };
    const { guard } = await import(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
    guard({ texts: {}, show: () => {} }, (code, why) => told.push(why));
    const [input, button] = [document.querySelector('input'), document.querySelector('button')];
    button.addEventListener('click', () => told.push('taken'));
    const type = () => input.dispatchEvent(new Event('input', { bubbles: true }));
    const press = () => button.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true, cancelable: true, detail: 1 }));
    hear([{ isIntersecting: true, intersectionRatio: 0.1, isVisible: true }]);
    type();
    press();
    hear([{ isIntersecting: true, intersectionRatio: 1, isVisible: true }]);
    press();
    type();
    return told;
  }, GUARD);
  assert.deepEqual(told, ['shrunk', 'taken', 'is not looked at']);
});

const form = (/** @type {string} */ lang, /** @type {string[]} */ [label, hint, cancel, , holder]) =>
  `<!doctype html><html lang="${lang}" dir="${lang === 'he' ? 'rtl' : 'ltr'}"><title>${label}</title><body><label for="EXPIRATION_DATE">${label}</label><input id="EXPIRATION_DATE" placeholder="${hint}"><label for="CARDHOLDER_NAME">${holder}</label><input id="CARDHOLDER_NAME"><p id="note"></p><button id="cancel">${cancel}</button>` +
  `<link id="texts" href="/texts.${lang}.js"><script type="application/json" id="words">${JSON.stringify({ cancel_payment: cancel })}</script></body></html>`;
const WORDS = { en: ['Expiry date', 'MM / YY', 'Cancel payment', 'Pay', 'Name on card'], he: ['תוקף', 'חח / שש', 'ביטול התשלום', 'תשלום', 'שם'], fr: ['Date de fin', 'MM / AA', 'Annuler', 'Payer', 'Nom'] };

/** The English form, with something typed, and the words of others in reach. */
async function worded() {
  const page = await stage.open('', { shim: false });
  await page.route('**/form/**', (route) => {
    const lang = new URL(route.request().url()).searchParams.get('lang') ?? '';
    const words = WORDS[/** @type {'en' | 'he' | 'fr'} */ (lang)];
    return route.fulfill(words ? { contentType: 'text/html', body: form(lang, words) } : { status: 410 });
  });
  // French has a page, but no texts.
  await page.route('**/texts.*.js', (route) => {
    const [, lang] = /texts\.(\w+)\.js/.exec(route.request().url()) ?? [];
    if (lang === 'fr') return route.fulfill({ status: 404 });
    const [, , , pay] = WORDS[/** @type {'en' | 'he'} */ (lang)];
    return route.fulfill({ contentType: 'text/javascript', body: `export default ${JSON.stringify({ pay_amount: `${pay} {amount}` })}` });
  });
  await page.goto(`${stage.shop}/form/?lang=en`);
  await page.getByLabel('Expiry date').pressSequentially('0430');
  await page.evaluate(async (source) => {
    const { reword } = await import(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
    window.texts = { cancel_payment: 'Cancel payment', pay_amount: 'Pay {amount}' };
    window.complaints = [];
    window.reword = (locale, own = '') => window.settled(reword(window.texts, locale, own, (code, message) => window.complaints.push(`${code} ${message}`)));
    document.querySelector('input')?.setSelectionRange(1, 3);
  }, REWORD);
  return page;
}

const looks = () => {
  const input = /** @type {HTMLInputElement} */ (document.querySelector('input'));
  const { lang, dir } = document.documentElement;
  return { lang, dir, title: document.title, label: document.querySelector('label')?.textContent, cancel: document.querySelector('button')?.textContent, hint: input.placeholder, texts: window.texts, typed: [input.value, input.selectionStart, input.selectionEnd, document.activeElement === input] };
};
const TYPED = ['0430', 1, 3, true];

test('I5 another language takes the place of all words, and what was typed, caret and focus stay', async () => {
  const page = await worded();
  await page.evaluate(() => window.reword('he'));
  assert.deepEqual(await page.evaluate(looks), { lang: 'he', dir: 'rtl', title: 'תוקף', label: 'תוקף', cancel: 'ביטול התשלום', hint: 'חח / שש', texts: { cancel_payment: 'ביטול התשלום', pay_amount: 'תשלום {amount}' }, typed: TYPED });
  await page.evaluate(() => window.reword('en'));
  assert.deepEqual(await page.evaluate(looks), { lang: 'en', dir: 'ltr', title: 'Expiry date', label: 'Expiry date', cancel: 'Cancel payment', hint: 'MM / YY', texts: { cancel_payment: 'Cancel payment', pay_amount: 'Pay {amount}' }, typed: TYPED });
});

test('I9 a language that does not load leaves the words as they are', async () => {
  const page = await worded();
  const before = await page.evaluate(looks);
  assert.equal((await page.evaluate(() => window.reword('it'))).name, 'Error');
  assert.deepEqual(await page.evaluate(looks), before);
  assert.equal((await page.evaluate(() => window.reword('fr'))).name, 'TypeError');
  assert.deepEqual(await page.evaluate(looks), before);
});

const named = () => document.querySelector('label[for="CARDHOLDER_NAME"]')?.textContent;

test('I8 the merchant words a label anew: it changes, the rest stays, and markup is plain text', async () => {
  const page = await worded();
  await page.evaluate((own) => window.reword(undefined, own), JSON.stringify({ label_holder_name: '<b>Full name</b>' }));
  assert.equal(await page.evaluate(named), '<b>Full name</b>');
  assert.equal(await page.locator('label b').count(), 0);
  assert.deepEqual(await page.evaluate(() => window.complaints), []);
  // Another language keeps it; taken back, that language's own stands again.
  await page.evaluate((own) => window.reword('he', own), JSON.stringify({ label_holder_name: '<b>Full name</b>' }));
  assert.equal(await page.evaluate(named), '<b>Full name</b>');
  await page.evaluate(() => window.reword(undefined, ''));
  assert.equal(await page.evaluate(named), WORDS.he[4]);
});

test('what a buyer agrees to is out of reach of the page: sum, payee, button, consent, and the names of the card fields', async () => {
  const page = await worded();
  const before = await page.evaluate(looks);
  const own = { pay_amount: 'Continue for free {amount}', cancel_payment: 'Free', label_expiry: 'Valid', label_security_code: 'Customer number (skip)', label_card_number: 'Customer number', label_privacy: 'Yes', pay_note: 'Gift', payy: 'x', '"4111': 'x', toString: 'x' };
  await page.evaluate((own) => window.reword(undefined, own), JSON.stringify(own));
  assert.deepEqual(await page.evaluate(looks), before);
  const names = [...Object.keys(own).slice(0, 8), '?', 'toString'];
  assert.deepEqual(await page.evaluate(() => window.complaints), names.map((name) => `bad_text texts: "${name}" can not be reworded; label_holder_name, label_holder_surname, label_email can`));
});

test('a label of the page names no sum, and does not grow into a sentence', async () => {
  const page = await worded();
  for (const label of ['Free: €0', 'Only ٣', 'x'.repeat(41), ' ', 7, '{amount}']) await page.evaluate((own) => window.reword(undefined, own), JSON.stringify({ label_holder_name: label }));
  assert.equal(await page.evaluate(named), 'Name on card');
  assert.deepEqual(await page.evaluate(() => window.complaints), Array(6).fill('bad_text texts.label_holder_name: from 1 to 40 characters, without digits, currency signs and braces'));
});

test('a label that reads like our text does not let the page reach that text in the next call', async () => {
  const page = await worded();
  for (const label of ['Cancel payment', 'Continue']) await page.evaluate((own) => window.reword(undefined, own), JSON.stringify({ label_holder_name: label }));
  assert.deepEqual(await page.evaluate(() => [document.querySelector('button')?.textContent, window.texts]), ['Cancel payment', { cancel_payment: 'Cancel payment', pay_amount: 'Pay {amount}' }]);
});
