/** Scripts that a frame loads, tested alone: bootstrap, the clickjacking guard, and the change of texts in a live form. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { openStage } from './stage.mjs';

/** @type {Awaited<ReturnType<typeof openStage>>} */
let stage;
before(async () => void (stage = await openStage()));
after(() => stage.close());

const GUARD = readFileSync(new URL('../../www/frame/clickjacking-guard.js', import.meta.url), 'utf8');
const TEXTS = readFileSync(new URL('../../www/frame/texts.js', import.meta.url), 'utf8');
const LOCALE_SWITCH = TEXTS + readFileSync(new URL('../../www/frame/locale-switch.js', import.meta.url), 'utf8').replace("import { readTexts, textsOf } from './texts.js';", '').replace("export { price } from './money.js';", '');

const PACE = readFileSync(new URL('../../www/frame/pace.js', import.meta.url), 'utf8');
const BOOTSTRAP = PACE + TEXTS + readFileSync(new URL('../../www/frame/bootstrap.js', import.meta.url), 'utf8').replace(/^import .*;$/gm, '');

/** The order in which a form is made live, with tasks that are due after its preparation and after its drawing. @param {object} [driver] of fields in frames of their own */
async function steps(driver) {
  const page = await stage.open('', { shim: false });
  return page.evaluate(async ([source, driver]) => {
    /** @type {string[]} */
    const steps = [];
    const { bootstrap } = await import(URL.createObjectURL(new Blob([String(source)], { type: 'text/javascript' })));
    document.documentElement.dataset.button = 'hidden';
    window.payframe = driver && { driver: { tap: (port) => port, live: () => steps.push('driver') } };
    const widget = {
      default: async () => {},
      prepare: () => (steps.push('prepare'), setTimeout(() => steps.push('task'))),
      draw: () => (steps.push('draw'), setTimeout(() => steps.push('task'))),
      loadLatePart: () => {},
      start: () => steps.push('start'),
    };
    await bootstrap(widget, '', Promise.resolve([new MessageChannel().port1, {}]), { boot: {}, texts: {}, pressed: () => '' });
    return steps;
  }, [BOOTSTRAP, driver]);
}

test('a key that was pressed meanwhile is answered between putting a form together, drawing it and making it live', async () => {
  assert.deepEqual(await steps(), ['prepare', 'task', 'draw', 'task', 'start']);
});

test('a frame of a field can not come between putting a form together and making it live', async () => {
  assert.deepEqual(await steps({}), ['prepare', 'draw', 'start', 'driver']);
});

test('the script that encrypts is loaded by itself, and asked for under another address after it did not come', async () => {
  const page = await stage.open('', { shim: false });
  /** @type {string[]} */
  const asked = [];
  await page.route('**/encryption.js*', (route) => {
    // Not `URL.search`, which is empty for an address that ends in a question mark.
    asked.push(route.request().url().split('encryption.js')[1] ?? '');
    return asked.length > 1 ? route.fulfill({ contentType: 'text/javascript', headers: { 'access-control-allow-origin': '*' }, body: 'export const encryptCard = async (items, boot) => [items, boot.session]' }) : route.abort();
  });
  const encrypted = await page.evaluate(async (source) => {
    const { bootstrap } = await import(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
    document.documentElement.dataset.button = 'hidden';
    const late = new Promise((resolve) => (window.late = resolve));
    const widget = { default: async () => {}, prepare: () => {}, draw: () => {}, loadLatePart: () => window.late(), start: () => {} };
    await bootstrap(widget, '', Promise.resolve([new MessageChannel().port1, {}]), { boot: { session: 's' }, texts: {}, pressed: () => '' });
    await late;
    // The first load is on its way or has failed already.
    await payframeEncryptCard(['card']).catch(() => {});
    return payframeEncryptCard(['card']);
  }, BOOTSTRAP.replace('{{lazy:browser}}', 'https://frame.example/encryption.js'));
  assert.deepEqual(encrypted, [['card'], 's']);
  assert.equal(asked[0], '');
  assert.match(asked.at(-1) ?? '', /^\?+$/);
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
      globalThis.payframeAfterPaint(() => resolve(order.push('rest')));
      requestAnimationFrame(() => order.push('picture'));
    });
    await new Promise((resolve) => frame?.payframeAfterPaint(resolve));
    return order;
  }, BOOTSTRAP);
  assert.deepEqual(order, ['picture', 'rest']);
});

/** A button in a frame of another origin, with the guard, in a page with this style and this content. @param {string} style @param {string} [over] */
async function pressed(style, over = '') {
  const page = await stage.open(`<style>iframe{border:0;width:300px;height:60px;display:block}${style}</style><div id="box"><iframe id="pay" src="{{gateway}}/guarded"></iframe></div>${over}`, { shim: false });
  const frame = /** @type {import('playwright-core').Frame} */ (await (await page.locator('#pay').elementHandle())?.contentFrame());
  await frame.setContent('<body style="margin:0"><button id="pay" style="width:300px;height:60px">Pay</button><p id="urgent"></p>');
  await frame.evaluate(async (source) => {
    window.taken = 0;
    window.refused = [];
    const { ClickjackingGuard } = await import(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
    const button = document.querySelector('button');
    const guard = new ClickjackingGuard({ texts: { button_covered: 'It is covered.' } }, (code, why) => window.refused.push(`${code} ${why} ${button.nextSibling?.textContent} ${document.getElementById('urgent')?.textContent}`));
    addEventListener('click', (event) => event.detail && !guard.accepts(button) && event.stopImmediatePropagation(), true);
    button.addEventListener('click', () => (window.taken += 1));
    // With the guard's options: once the browser has reported to this observer, it has reported to the guard too.
    await new Promise((resolve) => new IntersectionObserver(resolve, { trackVisibility: true, delay: 100 }).observe(button));
  }, GUARD);
  const { x, y } = /** @type {{ x: number, y: number }} */ (await page.locator('#pay').boundingBox());
  await page.mouse.click(x + 10, y + 10);
  await frame.waitForFunction(() => window.taken || window.refused.length);
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
    assert.deepEqual([taken, refused, byKey], [0, ['button_covered covered It is covered. It is covered.'], 1]);
  });
}

/**
 * The guard with visibility reports and a clock under the test's control. `press` gives the results so far.
 */
async function judged() {
  const page = await stage.open('<input><main id="main" style="height:100px"><button id="pay">Pay</button></main>', { shim: false });
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(10_000);
  await page.evaluate(async (source) => {
    /** @type {string[]} */
    const told = [];
    const button = document.querySelector('button');
    /** @type {(entries: object[]) => void} */
    let hear = () => {};
    window.IntersectionObserver = class {
      constructor(/** @type {typeof hear} */ heard) {
        hear = heard;
      }
      observe() {
        told.push('looks');
      }
      unobserve() {
        told.push('types');
      }
    };
    const { ClickjackingGuard } = await import(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
    const guard = new ClickjackingGuard({ texts: { button_covered: 'It is covered.', press_again: 'Press again.' } }, (code, why) => told.push(why));
    button.addEventListener('click', () => told.push('paid'));
    const at = { bubbles: true, clientX: 5, clientY: 5, screenX: 5, screenY: 5 };
    window.judged = {
      told,
      sentence: () => button.nextSibling?.textContent,
      sees: (ratio, isVisible = true) => hear([{ target: button, isIntersecting: ratio > 0, intersectionRatio: ratio, isVisible }]),
      types: () => document.querySelector('input').dispatchEvent(new Event('input', { bubbles: true })),
      press: (pointerType = 'mouse', place = {}) => {
        if (pointerType === 'mouse') button.dispatchEvent(new PointerEvent('pointermove', { ...at, ...place, pointerType }));
        button.dispatchEvent(new PointerEvent('pointerdown', { ...at, ...place, pointerType }));
        if (guard.accepts(button)) told.push('paid');
      },
    };
    told.length = 0;
  }, GUARD);
  return page;
}

test('N18 while somebody types the pay button is not looked at, and again once they pause', async () => {
  const page = await judged();
  await page.evaluate(() => (window.judged.sees(1), window.judged.types(), window.judged.types()));
  await page.clock.runFor(300);
  assert.deepEqual(await page.evaluate(() => window.judged.told), ['types', 'looks']);
});

test('N18 a pay button that something is in the way of is looked at while somebody types', async () => {
  const page = await judged();
  await page.evaluate(() => (window.judged.sees(0.1), window.judged.types()));
  assert.deepEqual(await page.evaluate(() => window.judged.told), []);
});

test('N18 what a mouse presses before the button was seen for half a second pays when it was, and what a finger presses is asked for again', async () => {
  const page = await judged();
  await page.evaluate(() => (window.judged.sees(1), window.judged.press('touch')));
  assert.deepEqual(await page.evaluate(() => window.judged.told), ['soon']);
  await page.evaluate(() => window.judged.press());
  await page.clock.runFor(400);
  assert.deepEqual(await page.evaluate(() => window.judged.told), ['soon']);
  await page.clock.runFor(200);
  assert.deepEqual(await page.evaluate(() => window.judged.told), ['soon', 'paid']);
  await page.evaluate(() => window.judged.press('touch'));
  assert.deepEqual(await page.evaluate(() => window.judged.told), ['soon', 'paid', 'paid']);
});

test('N18 a press that waits does not pay when the button is covered meanwhile, and one behind a moment of clipping waits too', async () => {
  const page = await judged();
  await page.evaluate(() => (window.judged.sees(1), window.judged.press(), window.judged.sees(1, false)));
  await page.clock.runFor(100);
  assert.deepEqual(await page.evaluate(() => window.judged.told), ['covered']);
  await page.evaluate(() => window.judged.sees(1));
  await page.clock.runFor(600);
  await page.evaluate(() => (window.judged.press(), window.judged.sees(0.5), window.judged.sees(1), window.judged.press()));
  await page.clock.runFor(2000);
  assert.deepEqual(await page.evaluate(() => window.judged.told), ['covered', 'paid', 'paid']);
});

test('N18 a button that has just come into view is waited for though the browser calls it covered at first, and one that stays covered is not pressed', async () => {
  const page = await judged();
  await page.evaluate(() => (window.judged.sees(0), window.judged.press(), window.judged.sees(1, false)));
  await page.clock.runFor(100);
  assert.deepEqual(await page.evaluate(() => window.judged.told), []);
  await page.evaluate(() => window.judged.sees(1));
  await page.clock.runFor(400);
  assert.deepEqual(await page.evaluate(() => window.judged.told), [], 'half a second from when it was seen');
  await page.clock.runFor(200);
  assert.deepEqual(await page.evaluate(() => window.judged.told), ['paid']);
  await page.evaluate(() => (window.judged.sees(0), window.judged.sees(1, false), window.judged.press()));
  await page.clock.runFor(1000);
  assert.deepEqual(await page.evaluate(() => window.judged.told), ['paid', 'covered']);
  // A button that was visible and is then reported as covered is covered by something.
  await page.evaluate(() => (window.judged.sees(0), window.judged.sees(1), window.judged.sees(1, false), window.judged.press()));
  assert.deepEqual(await page.evaluate(() => window.judged.told), ['paid', 'covered', 'covered']);
});

test('N18 a button that has just come into view is not called covered when a finger presses it', async () => {
  const page = await judged();
  const press = () => page.evaluate(() => (window.judged.press('touch'), [window.judged.told.at(-1), window.judged.sentence()]));
  // As when a page with a form below its first screen was just scrolled, in the order in which a browser reports.
  assert.deepEqual(await press(), ['unseen', 'Press again.']);
  await page.evaluate(() => window.judged.sees(1, false));
  assert.deepEqual(await press(), ['unseen', 'Press again.']);
  await page.evaluate(() => window.judged.sees(1));
  assert.deepEqual(await press(), ['soon', 'Press again.']);
  await page.clock.runFor(600);
  assert.equal((await press())[0], 'paid');
  await page.evaluate(() => window.judged.sees(1, false));
  assert.deepEqual(await press(), ['covered', 'It is covered.']);
});

test('N18 where a browser does not tell what covers a button, one that is cut off does not take the press, and a whole one does', async () => {
  const page = await judged();
  await page.evaluate(() => (window.judged.sees(0.3, null), window.judged.press('touch')));
  assert.deepEqual(await page.evaluate(() => [...window.judged.told, window.judged.sentence()]), ['shrunk', 'It is covered.']);
  await page.evaluate(() => window.judged.sees(1, null));
  await page.clock.runFor(600);
  await page.evaluate(() => window.judged.press('touch'));
  assert.deepEqual(await page.evaluate(() => window.judged.told), ['shrunk', 'paid']);
});

test('N18 a frame that moved since a finger touched it asks again, and a finger that moved in it does not', async () => {
  const page = await judged();
  await page.evaluate(() => window.judged.sees(1));
  await page.clock.runFor(600);
  await page.evaluate(() => (window.judged.press('touch'), window.judged.press('touch', { clientX: 105, screenX: 105 })));
  assert.deepEqual(await page.evaluate(() => window.judged.told), ['paid', 'paid']);
  await page.clock.runFor(100);
  await page.evaluate(() => window.judged.press('touch', { clientX: 105, screenX: 105, clientY: 5, screenY: 300 }));
  assert.deepEqual(await page.evaluate(() => window.judged.told), ['paid', 'paid', 'moved']);
});

test('N18 without the guard a press by pointer sends nothing, the buyer and the page are told, and the next press tries to have it once more', async () => {
  const page = await stage.open('<button id="pay">Pay</button>', { shim: false });
  const told = await page.evaluate(async (source) => {
    /** @type {string[]} */
    const told = [];
    const { bootstrap } = await import(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
    const button = document.querySelector('button');
    // The button pays from the start of the widget on.
    const widget = { default: async () => {}, prepare: () => {}, draw: () => {}, loadLatePart: () => {}, start: () => button.addEventListener('click', () => told.push('paid')) };
    const asked = () => new Promise((resolve) => (window.asked = resolve));
    await bootstrap(widget, '', Promise.resolve([new MessageChannel().port1, {}]), { boot: {}, texts: { connection_lost: 'No connection.' }, pressed: () => '', show: (text) => (told.push(text), window.asked()) });
    for (let round = 0; round < 2; round++) {
      const again = asked();
      button.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1 }));
      await again;
    }
    button.click();
    return told;
  }, BOOTSTRAP.replace('{{lazy:browser}}', 'data:text/javascript,throw 1//'));
  assert.deepEqual(told, ['No connection.', 'No connection.', 'paid']);
});

test('N18 a press by pointer from before the form was live is judged, one by key counts at once', async () => {
  const page = await stage.open('<button id="pay">Pay</button>', { shim: false });
  const told = await page.evaluate(async ([source]) => {
    const { bootstrap } = await import(URL.createObjectURL(new Blob([String(source)], { type: 'text/javascript' })));
    /** @type {unknown[]} */
    const told = [];
    for (const by of ['', 'key', 'pointer']) {
      const kept = new Promise((resolve) => (window.keeps = resolve));
      const widget = { default: async () => {}, prepare: () => {}, draw: () => {}, loadLatePart: () => {}, start: (/** @type {boolean} */ pressed) => told.push(by, pressed) };
      await bootstrap(widget, '', Promise.resolve([new MessageChannel().port1, {}]), { boot: {}, texts: {}, pressed: () => by });
      if (by === 'pointer') told.push(await kept);
    }
    return told;
  }, [BOOTSTRAP.replace('{{lazy:browser}}', 'data:text/javascript,export const guardForm=()=>({holdPress(b){keeps(b.id)}})//')]);
  assert.deepEqual(told, ['', false, 'key', true, 'pointer', false, 'pay']);
});

const form = (/** @type {string} */ lang, /** @type {string[]} */ [label, hint, cancel, , holder]) =>
  `<!doctype html><html lang="${lang}" dir="${lang === 'he' ? 'rtl' : 'ltr'}"><title>${label}</title><body><label for="EXPIRATION_DATE">${label}</label><input id="EXPIRATION_DATE" placeholder="${hint}"><label for="CARDHOLDER_NAME">${holder}</label><input id="CARDHOLDER_NAME"><p id="note"></p><button id="cancel">${cancel}</button>` +
  `<link id="texts" href="/texts.${lang}.json"><script type="application/json" id="words">${JSON.stringify({ cancel_payment: cancel })}</script></body></html>`;
const WORDS = { en: ['Expiry date', 'MM / YY', 'Cancel payment', 'Pay', 'Name on card'], he: ['תוקף', 'חח / שש', 'ביטול התשלום', 'תשלום', 'שם'], fr: ['Date de fin', 'MM / AA', 'Annuler', 'Payer', 'Nom'] };

/** The texts of the late part. @param {string} lang */
const late = (lang) => `data:application/json,{"slow":"${lang}"}`;

/** The English form, with something typed; the texts of other languages can be loaded. */
async function worded() {
  const page = await stage.open('', { shim: false });
  await page.route('**/form/**', (route) => {
    const lang = new URL(route.request().url()).searchParams.get('lang') ?? '';
    const words = WORDS[/** @type {'en' | 'he' | 'fr'} */ (lang)];
    return route.fulfill(words ? { contentType: 'text/html', body: form(lang, words) } : { status: 410 });
  });
  // French has a page, but no texts.
  await page.route('**/texts.*.json', (route) => {
    const [, lang] = /texts\.(\w+)\.json/.exec(route.request().url()) ?? [];
    if (lang === 'fr') return route.fulfill({ status: 404 });
    const [, , , pay] = WORDS[/** @type {'en' | 'he'} */ (lang)];
    return route.fulfill({ contentType: 'application/json', body: JSON.stringify({ $late: late(lang ?? ''), pay_amount: `${pay} {amount}` }) });
  });
  await page.goto(`${stage.shop}/form/?lang=en`);
  await page.getByLabel('Expiry date').pressSequentially('0430');
  await page.evaluate(async (source) => {
    const { switchLocale } = await import(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
    window.texts = { cancel_payment: 'Cancel payment', pay_amount: 'Pay {amount}' };
    window.complaints = [];
    window.switchLocale = (locale, own = '') => window.settled(switchLocale(window.texts, locale, own, (code, message) => window.complaints.push(`${code} ${message}`)));
    document.querySelector('input')?.setSelectionRange(1, 3);
  }, LOCALE_SWITCH);
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
  await page.evaluate(() => window.switchLocale('he'));
  assert.deepEqual(await page.evaluate(looks), { lang: 'he', dir: 'rtl', title: 'תוקף', label: 'תוקף', cancel: 'ביטול התשלום', hint: 'חח / שש', texts: { $late: late('he'), slow: 'he', cancel_payment: 'ביטול התשלום', pay_amount: 'תשלום {amount}' }, typed: TYPED });
  await page.evaluate(() => window.switchLocale('en'));
  assert.deepEqual(await page.evaluate(looks), { lang: 'en', dir: 'ltr', title: 'Expiry date', label: 'Expiry date', cancel: 'Cancel payment', hint: 'MM / YY', texts: { $late: late('en'), slow: 'en', cancel_payment: 'Cancel payment', pay_amount: 'Pay {amount}' }, typed: TYPED });
});

test('I9 a language that does not load leaves the words as they are', async () => {
  const page = await worded();
  const before = await page.evaluate(looks);
  assert.equal((await page.evaluate(() => window.switchLocale('it'))).name, 'Error');
  assert.deepEqual(await page.evaluate(looks), before);
  assert.equal((await page.evaluate(() => window.switchLocale('fr'))).name, 'Error');
  assert.deepEqual(await page.evaluate(looks), before);
});

const named = () => document.querySelector('label[for="CARDHOLDER_NAME"]')?.textContent;

test('I8 the merchant words a label anew: it changes, the rest stays, and markup is plain text', async () => {
  const page = await worded();
  await page.evaluate((own) => window.switchLocale(undefined, own), JSON.stringify({ label_holder_name: '<b>Full name</b>' }));
  assert.equal(await page.evaluate(named), '<b>Full name</b>');
  assert.equal(await page.locator('label b').count(), 0);
  assert.deepEqual(await page.evaluate(() => window.complaints), []);
  // The merchant's label stays in another language; without it, our label in that language is shown.
  await page.evaluate((own) => window.switchLocale('he', own), JSON.stringify({ label_holder_name: '<b>Full name</b>' }));
  assert.equal(await page.evaluate(named), '<b>Full name</b>');
  await page.evaluate(() => window.switchLocale(undefined, ''));
  assert.equal(await page.evaluate(named), WORDS.he[4]);
});

test('what a buyer agrees to is out of reach of the page: sum, payee, button, consent, and the names of the card fields', async () => {
  const page = await worded();
  const before = await page.evaluate(looks);
  const own = { pay_amount: 'Continue for free {amount}', cancel_payment: 'Free', label_expiry: 'Valid', label_security_code: 'Customer number (skip)', label_card_number: 'Customer number', label_privacy: 'Yes', pay_note: 'Gift', payy: 'x', '"4111': 'x', toString: 'x' };
  await page.evaluate((own) => window.switchLocale(undefined, own), JSON.stringify(own));
  assert.deepEqual(await page.evaluate(looks), before);
  const names = [...Object.keys(own).slice(0, 8), '?', 'toString'];
  assert.deepEqual(await page.evaluate(() => window.complaints), names.map((name) => `bad_text texts: "${name}" can not be reworded; label_holder_name, label_holder_surname, label_email can`));
});

test('a label of the page names no sum, and does not grow into a sentence', async () => {
  const page = await worded();
  for (const label of ['Free: €0', 'Only ٣', 'x'.repeat(41), ' ', 7, '{amount}']) await page.evaluate((own) => window.switchLocale(undefined, own), JSON.stringify({ label_holder_name: label }));
  assert.equal(await page.evaluate(named), 'Name on card');
  assert.deepEqual(await page.evaluate(() => window.complaints), Array(6).fill('bad_text texts.label_holder_name: from 1 to 40 characters, without digits, currency signs and braces'));
});

test('a label that reads like our text does not let the page reach that text in the next call', async () => {
  const page = await worded();
  for (const label of ['Cancel payment', 'Continue']) await page.evaluate((own) => window.switchLocale(undefined, own), JSON.stringify({ label_holder_name: label }));
  assert.deepEqual(await page.evaluate(() => [document.querySelector('button')?.textContent, window.texts]), ['Cancel payment', { cancel_payment: 'Cancel payment', pay_amount: 'Pay {amount}' }]);
});
