/** `<payment-field>`: the place of its frame, its events, and its life cycle with that of its form. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { formIn, openStage } from './stage.mjs';

/** @type {Awaited<ReturnType<typeof openStage>>} */
let stage;
before(async () => void (stage = await openStage()));
after(() => stage.close());

/** @typedef {import('playwright-core').Page} Page */

const SCRIPT = '<script type="module" src="{{gateway}}/sdk/fields.js"></script>';
const form = (/** @type {string} */ session, options = '', id = 'pay') => `<payment-form id="${id}" gateway="{{gateway}}" session="${session}" layout="fields" ${options}></payment-form>`;
const field = (/** @type {string} */ name, options = '') => `<payment-field name="${name}" for="pay" ${options}></payment-field>`;
const requests = (/** @type {string} */ session) => stage.fieldRequests.filter((url) => url.searchParams.get('sessionid') === session);
const report = (members = {}) => ({ type: 'change', complete: false, empty: false, brand: null, candidates: [], fields: [{ id: 'CARD_NUMBER', empty: false, complete: false, ...members }] });
/** Waits for a word of an element's state. @param {Page} page @param {string} selector @param {string} word */
const state = (page, selector, word) => page.waitForFunction(([at, word]) => document.querySelector(at)?.dataset.state?.split(' ').includes(word), [selector, word]);

/** A page with one live field. @param {string} session */
async function live(session, { options = '', formOptions = '', around = (/** @type {string} */ html) => html } = {}) {
  const page = await stage.open(around(field('CARD_NUMBER', options)) + form(session, formOptions) + SCRIPT);
  await state(page, 'payment-field', 'ready');
  const frame = await formIn(page);
  const send = (/** @type {object} */ message) => frame.evaluate((message) => window.fake.send(message), message);
  return { page, send };
}

test('a field shows the page of its form, session and language', async () => {
  const page = await stage.open(
    `<label for="number">Card
      number</label>${field('CARD_NUMBER', 'id="number"')}${field('SECURITY_CODE', 'placeholder="off" errors="inside" label="Code &amp; more"')}${form('ready-address', 'locale="it" theme="dark"')}${SCRIPT}`,
  );
  await state(page, '#number', 'ready');
  await state(page, '[name=SECURITY_CODE]', 'ready');
  const sources = await page.locator('payment-field > iframe').evaluateAll((frames) => frames.map(({ src, title, allow, referrerPolicy }) => ({ src: src.replace(window.gateway, ''), title, allow, referrerPolicy })));
  const rest = { allow: 'autofill; shared-autofill', referrerPolicy: 'strict-origin' };
  assert.deepEqual(sources, [
    { src: '/fields/?id=CARD_NUMBER&lang=it&sessionid=ready-address&placeholder=Y&errors=outside&driver=form&label=Card+number&theme=dark', title: 'Card number', ...rest },
    { src: '/fields/?id=SECURITY_CODE&lang=it&sessionid=ready-address&placeholder=N&errors=inside&driver=form&label=Code+%26+more&theme=dark', title: 'Code & more', ...rest },
  ]);
});

test('without a label the frame is named by its field', async () => {
  const { page } = await live('ready-nameless');
  assert.equal(await page.locator('payment-field > iframe').getAttribute('title'), 'card number');
  assert.equal(requests('ready-nameless')[0]?.searchParams.has('label'), false);
});

test('room is kept from the start, and the page sets the height', async () => {
  const page = await stage.open(`<style>#tall { height: 60px }</style>${field('CARD_NUMBER')}${field('SECURITY_CODE', 'id="tall"')}<p id="after">After</p>${form('greeting')}${SCRIPT}`);
  await page.waitForFunction(() => document.querySelectorAll('payment-field > iframe').length === 2);
  const heights = await page.locator('payment-field').evaluateAll((fields) => fields.map((field) => [field.offsetHeight, field.querySelector('iframe').offsetHeight, field.offsetWidth === field.querySelector('iframe').offsetWidth]));
  assert.deepEqual(heights, [[48, 48, true], [60, 60, true]]);
});

test("rules of the page for its own frames do not reach a field's", async () => {
  const { page } = await live('ready-rules', { around: (html) => `<style>iframe { height: 10px; border: 5px solid; max-width: 20px; margin: 3px }</style>${html}` });
  assert.deepEqual(await page.locator('payment-field').evaluate((field) => [field.firstElementChild.offsetHeight, field.firstElementChild.clientWidth === field.clientWidth]), [48, true]);
});

test('the states, the event and the message follow the form', async () => {
  const { page, send } = await live('ready-states');
  const seen = page.evaluate(
    () =>
      new Promise((resolve) => {
        const field = document.querySelector('payment-field');
        const events = [];
        for (const type of ['change', 'focus', 'blur']) {
          field.addEventListener(type, (event) => {
            events.push([type, event.detail, field.dataset.state, field.error]);
            if (events.length === 5) resolve(events);
          });
        }
      }),
  );
  await send({ type: 'focus', field: 'CARD_NUMBER' });
  await send({ type: 'focus', field: 'SECURITY_CODE' });
  await send(report());
  await send(report());
  await send(report({ error: 'card_number_wrong', message: 'This number is wrong.' }));
  await send(report({ complete: true }));
  await send({ type: 'blur', field: 'CARD_NUMBER' });
  assert.deepEqual(await seen, [
    ['focus', null, 'ready empty focused', ''],
    ['change', { empty: false, complete: false, error: undefined, message: '', unused: false }, 'ready filled focused', ''],
    ['change', { empty: false, complete: false, error: 'card_number_wrong', message: 'This number is wrong.', unused: false }, 'ready filled invalid focused', 'This number is wrong.'],
    ['change', { empty: false, complete: true, error: undefined, message: '', unused: false }, 'ready filled complete focused', ''],
    ['blur', null, 'ready filled complete', ''],
  ]);
  assert.deepEqual(await page.evaluate(() => ['filled', 'complete', 'empty', 'invalid'].map((name) => document.querySelector('payment-field').matches(`:state(${name})`))), [true, true, false, false]);
});

test('K17 a field that the form does not list is not in use, and nothing is said of it', async () => {
  const { page, send } = await live('ready-unused');
  const look = () => page.evaluate(() => (({ dataset, className, error }) => [dataset.state, className, error])(document.querySelector('payment-field')));
  const after = async (/** @type {object} */ message) => {
    const heard = page.evaluate(() => window.next(document.querySelector('payment-field'), 'change'));
    await send(message);
    return heard;
  };
  await after(report({ error: 'card_number_wrong', message: 'This number is wrong.' }));
  assert.deepEqual(await look(), ['ready filled invalid', 'is-ready is-filled is-invalid', 'This number is wrong.']);
  assert.deepEqual(await after({ ...report(), fields: [{ id: 'SECURITY_CODE', empty: true, complete: false }] }), { empty: false, complete: false, error: undefined, message: '', unused: true });
  assert.deepEqual(await look(), ['ready filled unused', 'is-ready is-filled is-unused', '']);
  assert.equal((await after(report())).unused, false);
  assert.deepEqual(await look(), ['ready filled', 'is-ready is-filled', '']);
});

test("events of the form's own children are not the form's", async () => {
  const { page } = await live('ready-children');
  await page.evaluate(() => {
    const input = document.querySelector('payment-form').appendChild(document.createElement('input'));
    for (const type of ['change', 'error', 'resize']) input.dispatchEvent(new Event(type, { bubbles: true }));
  });
  assert.deepEqual(await page.evaluate(() => [window.uncaught, document.querySelector('payment-field').dataset.state]), [[], 'ready empty']);
});

test('with messages inside it grows by them, otherwise it does not', async () => {
  for (const [errors, height] of /** @type {const} */ ([['inside', 72], ['outside', 48]])) {
    const { page, send } = await live(`ready-${errors}`, { options: `errors="${errors}"` });
    const over = page.evaluate(() => window.next(document.querySelector('payment-form'), 'resize'));
    await send({ type: 'resize', height: 99, field: 'SECURITY_CODE' });
    await send({ type: 'resize', height: 72, field: 'CARD_NUMBER' });
    await over;
    await page.waitForFunction((height) => document.querySelector('payment-field').offsetHeight === height, height);
    assert.equal(await page.evaluate(() => document.querySelector('payment-form').offsetHeight), 140);
  }
});

test('E11 a click on a label and focus() reach the input in the frame', async () => {
  const { page } = await live('ready-label', { options: 'id="number"', around: (html) => `<label for="number">Number</label>${html}<button>Elsewhere</button>` });
  const input = page.frameLocator('payment-field > iframe').locator('input:focus');
  await page.getByText('Number', { exact: true }).click();
  await input.waitFor();
  await page.getByText('Elsewhere').click();
  await input.waitFor({ state: 'detached' });
  await page.evaluate(() => document.querySelector('payment-field').focus());
  await input.waitFor();
});

test('E13 Tab goes through the fields in the order of the page', async () => {
  const page = await stage.open(`<button>First</button>${field('CARD_NUMBER')}<div id="host"></div><button>Last</button>${form('ready-tab')}${SCRIPT}`);
  await page.evaluate(() => {
    document.querySelector('#host').attachShadow({ mode: 'closed' }).innerHTML = '<payment-field name="SECURITY_CODE" for="pay"></payment-field>';
  });
  await page.waitForFunction(() => document.querySelectorAll('iframe').length === 2);
  await page.getByText('First').focus();
  // Each frame has one stop. The focus takes some time to get into another process.
  for (const stop of ['card number', 'security code', 'Last']) {
    await page.keyboard.press('Tab');
    await page.waitForFunction((stop) => [document.activeElement?.getAttribute('title'), document.activeElement?.textContent].includes(stop), stop);
  }
});

test('it belongs to the form around it, is labelled, and sends nothing', async () => {
  const { page } = await live('ready-form', { options: 'id="number"', around: (html) => `<form id="order"><label>Number ${html}</label></form>` });
  const seen = await page.evaluate(() => {
    const field = document.querySelector('payment-field');
    return [field.form.id, field.labels.length, [...field.form.elements].includes(field), [...new FormData(field.form)], field.form.checkValidity()];
  });
  assert.deepEqual(seen, ['order', 1, true, [], true]);
});

test('in a disabled fieldset nobody gets into it', async () => {
  const { page } = await live('ready-disabled', { around: (html) => `<form><fieldset disabled>${html}</fieldset></form>` });
  const inert = () => page.evaluate(() => document.querySelector('payment-field > iframe').inert);
  assert.equal(await inert(), true);
  await page.evaluate(() => (document.querySelector('fieldset').disabled = false));
  assert.equal(await inert(), false);
});

for (const [what, button, submitted] of /** @type {const} */ ([
  ['presses the first button', '<button name="a">Pay</button><button name="b">Other</button>', 'a'],
  ['does nothing while that is disabled', '<button name="a" disabled>Pay</button><button name="b">Other</button>', null],
  ['submits a form without a button', '', ''],
])) {
  test(`Enter ${what}`, async () => {
    const { page, send } = await live('ready-enter', { formOptions: 'button="hidden"', around: (html) => `<form>${html}${button}</form>` });
    await page.evaluate(() => {
      window.submitted = null;
      document.querySelector('form').addEventListener('submit', (event) => {
        event.preventDefault();
        window.submitted = event.submitter?.name ?? '';
      });
    });
    const over = page.evaluate(() => window.next(document.querySelector('payment-form'), 'enter', ({ field }) => field === 'CARD_NUMBER'));
    await send({ type: 'enter', field: 'SECURITY_CODE' });
    assert.equal(await page.evaluate(() => window.submitted), null);
    await send({ type: 'enter', field: 'CARD_NUMBER' });
    await over;
    assert.equal(await page.evaluate(() => window.submitted), submitted);
  });
}

for (const mode of ['open', 'closed']) {
  test(`in shadow roots that are ${mode}, one in another, the frame is a child of the page and is shown in its place`, async () => {
    const page = await stage.open(`<div id="outer" style="width: 300px"></div><p id="after">After</p>${form('ready-shadow')}${SCRIPT}`);
    const places = await page.evaluate(async (mode) => {
      const outer = document.querySelector('#outer');
      const outerRoot = outer.attachShadow({ mode });
      outerRoot.innerHTML = '<p>Above</p><div id="inner" style="padding: 10px"></div>';
      const inner = outerRoot.querySelector('#inner');
      const innerRoot = inner.attachShadow({ mode });
      innerRoot.innerHTML = '<payment-field name="CARD_NUMBER" for="pay"></payment-field>';
      const field = (window.field = innerRoot.querySelector('payment-field'));
      await new Promise((resolve) => (window.look = setInterval(() => outer.querySelector('iframe') && resolve(undefined), 5)));
      clearInterval(window.look);
      const frame = outer.querySelector('iframe');
      const box = (/** @type {Element} */ element) => JSON.stringify(element.getBoundingClientRect());
      return [window.length, frame.parentElement.id, box(frame) === box(field), field.getBoundingClientRect().width, inner.childElementCount, field.childElementCount];
    }, mode);
    // The form's own frame is in the form's shadow tree, so it is not counted.
    assert.deepEqual(places, [1, 'outer', true, 280, 1, 1]);
    assert.equal(page.frames().filter((frame) => frame.parentFrame() === page.mainFrame()).length, 2);

    // When it is removed, the elements that it has added elsewhere are removed too.
    const left = await page.evaluate(async () => {
      const inner = window.field.getRootNode().host;
      window.field.remove();
      await new Promise((resolve) => setTimeout(resolve));
      return [document.querySelector('#outer').childElementCount, inner.childElementCount, window.field.childElementCount];
    });
    assert.deepEqual(left, [0, 0, 0]);
  });
}

test('its own root is asked for the form before the document is', async () => {
  const page = await stage.open(`${form('ready-document')}<div id="host"></div>${SCRIPT}`);
  await page.evaluate((html) => {
    document.querySelector('#host').attachShadow({ mode: 'open' }).innerHTML = html.replaceAll('{{gateway}}', window.gateway);
  }, field('CARD_NUMBER') + form('ready-root'));
  await page.locator('#host > iframe').waitFor();
  assert.match(await page.locator('#host > iframe').getAttribute('src') ?? '', /sessionid=ready-root&/);
});

test('two forms on one page have their own fields', async () => {
  const page = await stage.open(
    `<payment-field id="a" name="CARD_NUMBER" for="one"></payment-field><payment-field id="b" name="CARD_NUMBER" for="two"></payment-field>${form('ready-one', '', 'one')}${form('ready-two', '', 'two')}${SCRIPT}`,
  );
  await state(page, '#a', 'ready');
  await state(page, '#b', 'ready');
  const over = page.evaluate(() => window.next(document.querySelector('#b'), 'change'));
  await (await formIn(page, '#two')).evaluate((message) => window.fake.send(message), report());
  await over;
  assert.deepEqual(await page.evaluate(() => ['#a', '#b'].map((at) => document.querySelector(at).dataset.state)), ['ready empty', 'ready filled']);
  assert.deepEqual(await page.evaluate(() => ['#a', '#b'].map((at) => [...document.querySelector(at).classList].sort().join(' '))), ['is-empty is-ready', 'is-filled is-ready']);
  assert.deepEqual([requests('ready-one').length, requests('ready-two').length], [1, 1]);
});

test('the scripts may come in either order, and late; properties from before count', async () => {
  for (const order of [['payframe.js', 'fields.js'], ['fields.js', 'payframe.js']]) {
    const session = `ready-order-${order[0]}`;
    const page = await stage.open('<payment-field></payment-field><payment-form id="pay" layout="fields"></payment-form>', { shim: false });
    await page.evaluate(
      async ([session, ...order]) => {
        Object.assign(document.querySelector('payment-field'), { name: 'CARD_NUMBER', for: 'pay', label: 'Number' });
        Object.assign(document.querySelector('payment-form'), { gateway: window.gateway, session });
        for (const script of order) await import(`${window.gateway}/sdk/${script}`);
      },
      [session, ...order],
    );
    await state(page, 'payment-field', 'ready');
    assert.deepEqual(await page.evaluate(() => [document.querySelector('payment-field').getAttributeNames().filter((name) => name !== 'class').map((name) => `${name}=${document.querySelector('payment-field').getAttribute(name)}`), Object.keys(document.querySelector('payment-field'))]), [
      ['name=CARD_NUMBER', 'for=pay', 'label=Number', 'data-state=ready empty'],
      [],
    ]);
    assert.equal(requests(session).length, 1);
  }
});

test('it waits for its form, and says so once if there is none', async () => {
  const page = await stage.open(`${field('CARD_NUMBER')}${field('SECURITY_CODE')}<div id="here"></div><payment-form id="pay"></payment-form>${SCRIPT}`);
  const waiting = () => window.written.warn.filter((said) => said.includes(' waits for '));
  const warnings = ['payframe: CARD_NUMBER waits for <payment-form id="pay" layout="fields">, which is not in the page.'];
  await page.waitForFunction(() => window.written.warn.some((said) => said.includes(' waits for ')));
  assert.deepEqual(await page.evaluate(waiting), warnings);
  assert.equal(await page.locator('payment-field iframe').count(), 0);
  await page.evaluate((html) => {
    document.querySelector('#pay').remove();
    document.querySelector('#here').innerHTML = html.replaceAll('{{gateway}}', window.gateway);
  }, form('ready-awaited'));
  await state(page, '[name=CARD_NUMBER]', 'ready');
  await state(page, '[name=SECURITY_CODE]', 'ready');
  assert.deepEqual(await page.evaluate(waiting), warnings);
});

test('when the form is gone the frames wait for it, and one of another session brings its own', async () => {
  const { page } = await live('ready-before');
  await page.evaluate(() => document.querySelector('#pay').remove());
  await page.waitForFunction(() => document.querySelector('payment-field').dataset.state === 'empty');
  assert.equal(await page.locator('payment-field iframe').count(), 1);
  await page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html.replaceAll('{{gateway}}', window.gateway)), form('ready-after'));
  await state(page, 'payment-field', 'ready');
  assert.equal(await page.locator('payment-field iframe').count(), 1);
  assert.equal(requests('ready-after').length, 1);
});

test('another session loads the fields anew, another theme and a move of the form do not', async () => {
  const { page, send } = await live('ready-first');
  const changed = page.evaluate(() => window.next(document.querySelector('payment-field'), 'change'));
  await send({ type: 'focus', field: 'CARD_NUMBER' });
  await send(report());
  await changed;
  assert.equal(await page.locator('payment-field').getAttribute('data-state'), 'ready filled focused');
  await page.evaluate(async () => {
    const pay = document.querySelector('#pay');
    await pay.update({ theme: 'dark', button: 'hidden' });
    document.body.prepend(pay);
    await window.next(pay, 'ready');
  });
  assert.equal(requests('ready-first').length, 1);
  assert.equal(await page.locator('payment-field').getAttribute('data-state'), 'ready filled');

  await page.evaluate(() => {
    document.querySelector('#pay').session = 'ready-second';
    document.querySelector('#pay').locale = 'it';
  });
  await page.frameLocator('payment-field > iframe[src*=ready-second]').locator('input').waitFor();
  await state(page, 'payment-field', 'ready');
  assert.deepEqual([requests('ready-second').length, requests('ready-second')[0]?.searchParams.get('lang')], [1, 'it']);
  assert.equal(await page.locator('payment-field').getAttribute('data-state'), 'ready empty');
});

test('after a breakdown the next form gets fresh fields', async () => {
  const { page, send } = await live('ready-broken');
  const over = page.evaluate(() => window.next(document.querySelector('payment-form'), 'error'));
  await send({ type: 'fatal', code: 'frame_crashed', message: 'x' });
  await over;
  assert.equal(await page.locator('payment-field').getAttribute('data-state'), 'empty');
  await page.evaluate(() => document.querySelector('#pay').reload());
  await state(page, 'payment-field', 'ready');
  assert.equal(requests('ready-broken').length, 2);
});

test('a move that keeps state keeps the frame, another one makes no second frame', async () => {
  const { page } = await live('ready-moved', { around: (html) => `<div id="a">${html}</div><div id="b"></div>` });
  const input = page.frameLocator('payment-field > iframe').locator('input');
  await input.fill('kept');
  await page.evaluate(() => document.querySelector('#b').moveBefore(document.querySelector('payment-field'), null));
  assert.equal(await input.inputValue(), 'kept');
  const loaded = page.waitForRequest(/\/fields\//);
  await page.evaluate(() => {
    const field = document.querySelector('payment-field');
    document.querySelector('#a').append(field);
    document.querySelector('#b').append(field);
  });
  await loaded;
  await input.waitFor();
  assert.equal(await page.locator('iframe[src*="/fields/"]').count(), 1);
});

test('from the document into a shadow root and back it takes its frame along', async () => {
  const { page } = await live('ready-roots', { around: (html) => `${html}<div id="host"></div>` });
  await page.evaluate(() => document.querySelector('#host').attachShadow({ mode: 'open' }).append(document.querySelector('payment-field')));
  await page.locator('#host > iframe').waitFor();
  assert.equal(await page.locator('iframe[src*="/fields/"]').count(), 1);
  await page.evaluate(() => document.body.append(document.querySelector('#host').shadowRoot.querySelector('payment-field')));
  await page.locator('payment-field > iframe').waitFor();
  assert.equal(await page.locator('iframe[src*="/fields/"]').count(), 1);
  assert.equal(await page.locator('#host').evaluate((host) => host.childElementCount), 0);
});

test('a double mount asks for one frame', async () => {
  const page = await stage.open(`<div id="here"></div>${form('ready-twice')}${SCRIPT}`);
  await page.evaluate(async () => {
    await customElements.whenDefined('payment-field');
    const effect = () => {
      const field = Object.assign(document.createElement('payment-field'), { name: 'CARD_NUMBER', for: 'pay' });
      document.querySelector('#here').append(field);
      return () => field.remove();
    };
    effect()();
    effect();
  });
  await state(page, 'payment-field', 'ready');
  assert.equal(requests('ready-twice').length, 1);
});

test('a frame that the page threw away comes back', async () => {
  const { page } = await live('ready-thrown');
  await page.evaluate(() => document.querySelector('payment-field').replaceChildren());
  await page.locator('payment-field > iframe').waitFor();
  await state(page, 'payment-field', 'ready');
});

test('fifty times mounted and unmounted, no frame and no listener stays', async () => {
  const page = await stage.open(`${form('ready-leak')}${SCRIPT}`);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const count = async () => {
    await session.send('HeapProfiler.collectGarbage');
    const { metrics } = await session.send('Performance.getMetrics');
    const of = (/** @type {string} */ name) => metrics.find((metric) => metric.name === name)?.value ?? NaN;
    return { frames: of('Frames'), listeners: of('JSEventListeners') };
  };
  await page.evaluate(() => window.live(document.querySelector('#pay')));
  const cycle = (/** @type {number} */ times) =>
    page.evaluate(async (times) => {
      await customElements.whenDefined('payment-field');
      for (let i = 0; i < times; i += 1) {
        const field = Object.assign(document.createElement('payment-field'), { name: 'CARD_NUMBER', for: 'pay' });
        document.body.append(field);
        await new Promise((resolve) => new MutationObserver((_, watch) => /ready/.test(field.dataset.state) && (watch.disconnect(), resolve(undefined))).observe(field, { attributes: true }));
        field.remove();
        await Promise.resolve();
      }
      // The last message is sent in a task of its own.
      await new Promise((resolve) => setTimeout(resolve));
    }, times);
  await cycle(1);
  const before = await count();
  await cycle(50);
  assert.deepEqual(await count(), before);
});

test('N10 N11 one script origin and one frame origin are enough, with Trusted Types and no inline allowance', async () => {
  const page = await stage.open(`${field('CARD_NUMBER', 'errors="inside"')}<div id="host"><template shadowrootmode="closed">${field('SECURITY_CODE')}</template></div>${form('ready-strict')}${SCRIPT}`, {
    headers: {
      'content-security-policy': `default-src 'none'; script-src ${stage.gateway}; frame-src ${stage.gateway}; style-src 'self'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
    },
  });
  await state(page, 'payment-field', 'ready');
  await page.locator('#host > iframe').waitFor();
  assert.equal(await page.locator('payment-field > iframe').evaluate((frame) => getComputedStyle(frame).borderTopWidth), '0px');
  assert.deepEqual(await page.evaluate(() => [window.violations, window.uncaught]), [[], []]);
});

test('two copies of the module do not disturb, and importing one on a server touches nothing', async () => {
  const { page } = await live('ready-copies');
  await page.evaluate(() => import(`${window.gateway}/sdk/1.0.0/fields.js`));
  assert.deepEqual(await page.evaluate(() => window.uncaught), []);

  const script = `
    const before = Object.getOwnPropertyNames(globalThis).length;
    await import(${JSON.stringify(fileURLToPath(new URL('../../www/sdk/fields.js', import.meta.url)))});
    console.log(Object.getOwnPropertyNames(globalThis).length === before);`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  assert.deepEqual([stdout, stderr], ['true\n', '']);
});
