/** The class `Build`: its callbacks, its commands to the frames, and the messages that it ignores. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { openStage } from './stage.mjs';

/** @type {Awaited<ReturnType<typeof openStage>>} */
let stage;
before(async () => void (stage = await openStage()));
after(() => stage.close());

/** @typedef {import('playwright-core').Page} Page */

const SCRIPT = '<script src="{{gateway}}/sdk/build.js"></script>';
const CARD = ['CARD_NUMBER', 'EXPIRATION_DATE'];
const source = (/** @type {string} */ id, session = 'up') => `{{gateway}}/fields/?id=${id}&lang=ITA&correlationid=1&sessionid=${session}&placeholder=Y`;
const iframe = (/** @type {string} */ id, session = 'up') => `<div id="${id}"><iframe src="${source(id, session)}"></iframe></div>`;

/** An object whose callbacks write down what they were given, in `window.told`. @param {Page} page @param {object} [options] */
const construct = (page, options = {}) =>
  page.evaluate((options) => {
    window.told ??= [];
    for (const name of ['onBuildSuccess', 'onBuildError', 'onConfirmError', 'onBuildFlowStateChange', 'onAllFieldsLoaded', 'onComponentUnavailable']) {
      options[name] = (...given) => {
        window.told.push([name, ...given]);
        window.look?.();
      };
    }
    window.build = new Build(options);
  }, options);
/** What the callbacks were given, once there are so many calls. @param {Page} page @param {number} count */
const told = (page, count) =>
  page.evaluate(
    (count) =>
      new Promise((resolve) => {
        window.look = () => {
          if (window.told.length < count) return;
          window.look = undefined;
          resolve(window.told.splice(0));
        };
        window.look();
      }),
    count,
  );
/** The fake field of this id. @param {Page} page @param {string} id */
async function frameOf(page, id) {
  const handle = await page.locator(`iframe[src*="id=${id}&"]`).elementHandle();
  const frame = await handle?.contentFrame();
  if (!frame) throw new Error('there is no frame');
  await frame.waitForFunction(() => 'fake' in window);
  return frame;
}
/** @param {Page} page @param {string} id @param {string} event @param {object} [members] */
const say = async (page, id, event, members) => (await frameOf(page, id)).evaluate(([event, members]) => window.fake.event(event, members), /** @type {const} */ ([event, members]));
/** The first message of a type that a frame got. @param {Page} page @param {string} id @param {string} type */
const order = async (page, id, type) => (await frameOf(page, id)).evaluate((type) => window.fake.told(type), type);
/** How many messages of a type a frame got. @param {Page} page @param {string} id @param {string} type */
const orders = async (page, id, type) => (await frameOf(page, id)).evaluate((type) => window.fake.heard.filter((message) => message.type === type).length, type);

async function open(ids = CARD, options = {}) {
  const page = await stage.open(SCRIPT + ids.map((id) => iframe(id)).join(''), { shim: false });
  await construct(page, options);
  for (const id of ids) await order(page, id, 'build-options');
  return page;
}

test('each event reaches its callback as the frame said it', async () => {
  const page = await open();
  const failed = { errorCode: 'HF0007', errorMessage: 'x', validationStatus: [{ id: 'CARD_NUMBER', valid: false }] };
  const ready = { state: 'READY_FOR_PAYMENT' };
  const complete = { state: 'PAYMENT_COMPLETE', operation: { orderId: '1' }, data: { state: 'PAYMENT_COMPLETE' } };
  await say(page, 'CARD_NUMBER', 'FIELD_FOCUSSED');
  await say(page, 'CARD_NUMBER', 'BUILD_ERROR', { errorCode: 'HF0004', errorMessage: 'wrong' });
  await say(page, 'CARD_NUMBER', 'BUILD_SUCCESS');
  await say(page, 'CARD_NUMBER', 'CONFIRM_ERROR', { id: 'confirmData', ...failed });
  await say(page, 'CARD_NUMBER', 'BUILD_FLOW_STATE_CHANGE', { id: undefined, ...ready });
  await say(page, 'CARD_NUMBER', 'BUILD_FLOW_STATE_CHANGE', { id: undefined, ...complete });
  await say(page, 'CARD_NUMBER', 'FIELD_BLURRED');
  const calls = (await told(page, 5)).map(([name, { id, ...event }, state]) => [name, event, name === 'onBuildSuccess' || name === 'onBuildFlowStateChange' ? state : null, id ?? null]);
  assert.deepEqual(calls, [
    ['onBuildError', { event: 'BUILD_ERROR', errorCode: 'HF0004', errorMessage: 'wrong' }, null, 'CARD_NUMBER'],
    ['onBuildSuccess', { event: 'BUILD_SUCCESS' }, 'CARD_DATA_COLLECTION', 'CARD_NUMBER'],
    ['onConfirmError', { event: 'CONFIRM_ERROR', ...failed }, null, 'confirmData'],
    ['onBuildFlowStateChange', { event: 'BUILD_FLOW_STATE_CHANGE', ...ready }, 'READY_FOR_PAYMENT', null],
    ['onBuildFlowStateChange', { event: 'BUILD_FLOW_STATE_CHANGE', ...complete }, 'PAYMENT_COMPLETE', null],
  ]);
});

test('a page without options, or with callbacks that throw, is not disturbed', async () => {
  const page = await open();
  await page.evaluate(() => {
    new Build();
    new Build({ unknown: 1 });
    window.second = new Build({ onBuildError: () => (window.told.push(['second']), window.look?.()) });
  });
  await say(page, 'CARD_NUMBER', 'BUILD_ERROR', { errorCode: 'HF0004', errorMessage: 'wrong' });
  assert.deepEqual(await told(page, 1), [['second']]);
  await page.evaluate(() => new Build({ onBuildError: () => { throw new Error('of the page'); } }));
  await say(page, 'CARD_NUMBER', 'BUILD_ERROR', { errorCode: 'HF0006', errorMessage: 'wrong' });
  await page.waitForFunction(() => window.uncaught.length > 0);
  assert.deepEqual(await page.evaluate(() => window.uncaught), ['Uncaught Error: of the page']);
});

test('frames are told how to look, by what any object wished last', async () => {
  const page = await open(['CARD_NUMBER'], { cssLink: 'https://shop.example/a.css', defaultComponentCssClassName: 'input', defaultContainerCssClassName: 'box' });
  assert.deepEqual(await order(page, 'CARD_NUMBER', 'build-options'), { payframe: 1, type: 'build-options', cssLink: 'https://shop.example/a.css', component: 'input', container: 'box' });
  await page.evaluate((html) => {
    new Build({ defaultComponentCssClassName: 'other' });
    document.body.insertAdjacentHTML('beforeend', html.replaceAll('{{gateway}}', window.gateway));
  }, iframe('GDI'));
  assert.deepEqual(await order(page, 'GDI', 'build-options'), { payframe: 1, type: 'build-options', cssLink: 'https://shop.example/a.css', component: 'other', container: 'box' });
});

for (const [what, body] of /** @type {const} */ ([
  ['before the frames', SCRIPT + CARD.map((id) => iframe(id)).join('')],
  ['after the frames', CARD.map((id) => iframe(id)).join('') + SCRIPT],
])) {
  test(`all fields are loaded once each is live, with the script ${what}`, async () => {
    const page = await stage.open(body, { shim: false });
    await say(page, 'CARD_NUMBER', 'READY');
    await construct(page);
    await say(page, 'EXPIRATION_DATE', 'BUILD_SUCCESS');
    assert.deepEqual((await told(page, 1)).map(([name]) => name), ['onBuildSuccess']);
    await say(page, 'CARD_NUMBER', 'READY');
    // One frame reports for all.
    await say(page, 'CARD_NUMBER', 'READY', { id: 'EXPIRATION_DATE' });
    await say(page, 'EXPIRATION_DATE', 'READY');
    await say(page, 'EXPIRATION_DATE', 'BUILD_SUCCESS');
    assert.deepEqual((await told(page, 2)).map(([name]) => name), ['onAllFieldsLoaded', 'onBuildSuccess']);
    // An object that is created later gets the event too.
    await construct(page);
    assert.deepEqual((await told(page, 1)).map(([name]) => name), ['onAllFieldsLoaded']);
  });
}

test('buttons do not count as fields, and the next set is told of again', async () => {
  const page = await open(['PAY_WITH_CARD']);
  await say(page, 'PAY_WITH_CARD', 'READY');
  const fields = CARD.map((id) => ({ type: 'TEXT', class: 'CARD_FIELD', id, src: source(id).replace('{{gateway}}', stage.gateway) }));
  await page.evaluate(() => {
    new Build({
      onAllFieldsLoaded: () => (window.told.push(['onAllFieldsLoaded']), window.look?.()),
      onBuildFlowStateChange: ({ fieldSet }) => {
        window.told.push(['onBuildFlowStateChange']);
        window.look?.();
        for (const { id, src } of fieldSet.fields) document.body.append(Object.assign(document.createElement('iframe'), { id, src }));
      },
    });
  });
  await say(page, 'PAY_WITH_CARD', 'BUILD_FLOW_STATE_CHANGE', { state: 'CARD_DATA_COLLECTION', fieldSet: { sessionId: 's', fields } });
  assert.deepEqual((await told(page, 1)).map(([name]) => name), ['onBuildFlowStateChange']);
  for (const id of CARD) await say(page, id, 'READY');
  assert.deepEqual(await told(page, 1), [['onAllFieldsLoaded']]);

  // Another session in the same page.
  await page.evaluate((html) => (document.body.innerHTML = html.replaceAll('{{gateway}}', window.gateway)), iframe('CARD_NUMBER', 'silent'));
  await (await frameOf(page, 'CARD_NUMBER')).evaluate(() => window.fake.send({ payframe: 1, type: 'field-up', id: 'CARD_NUMBER', session: '44556677' }));
  await say(page, 'CARD_NUMBER', 'READY');
  assert.deepEqual(await told(page, 1), [['onAllFieldsLoaded']]);
});

test('what a button says before there is an object waits for one, and the fields are given out once', async () => {
  const page = await stage.open(SCRIPT + iframe('PAY_WITH_CARD'), { shim: false });
  const press = () => say(page, 'PAY_WITH_CARD', 'BUILD_FLOW_STATE_CHANGE', { state: 'CARD_DATA_COLLECTION', fieldSet: { sessionId: 's', fields: [] } });
  await press();
  await construct(page);
  // As the button does when an object says that it is there.
  await order(page, 'PAY_WITH_CARD', 'build-here');
  await press();
  await press();
  await say(page, 'PAY_WITH_CARD', 'BUILD_ERROR', { errorCode: 'HF0002', errorMessage: 'x' });
  assert.deepEqual((await told(page, 2)).map(([name]) => name), ['onBuildFlowStateChange', 'onBuildError']);
});

test('a page that rebuilds is told by the newest object of the session alone', async () => {
  const page = await open(['CARD_NUMBER']);
  const rebuild = (/** @type {string} */ name) =>
    page.evaluate((name) => {
      new Build({ onBuildFlowStateChange: () => (window.told.push([name]), window.look?.()) });
    }, name);
  // The same session, rendered anew: one press of the shop's button.
  await rebuild('second');
  await say(page, 'CARD_NUMBER', 'BUILD_FLOW_STATE_CHANGE', { state: 'READY_FOR_PAYMENT' });
  assert.deepEqual(await told(page, 1), [['second']]);

  // Another session beside it, with an object of its own: each object hears of its own session.
  const other = iframe('EXPIRATION_DATE', 'up2');
  await page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html.replaceAll('{{gateway}}', window.gateway)), other);
  await rebuild('third');
  await say(page, 'EXPIRATION_DATE', 'BUILD_FLOW_STATE_CHANGE', { state: 'READY_FOR_PAYMENT' });
  await say(page, 'CARD_NUMBER', 'BUILD_FLOW_STATE_CHANGE', { state: 'READY_FOR_PAYMENT' });
  assert.deepEqual(await told(page, 2), [['third'], ['second']]);

  // The first session is superseded and its iframes are gone: its objects are silent.
  await page.evaluate((html) => (document.body.innerHTML = html.replaceAll('{{gateway}}', window.gateway)), iframe('CARD_NUMBER', 'up3'));
  await rebuild('fourth');
  await say(page, 'CARD_NUMBER', 'BUILD_FLOW_STATE_CHANGE', { state: 'READY_FOR_PAYMENT' });
  assert.deepEqual(await told(page, 1), [['fourth']]);
});

for (const mode of ['open', 'closed']) {
  test(`frames in a shadow tree that is ${mode} take part`, async () => {
    const page = await stage.open(`${SCRIPT}<div id="host"></div>`, { shim: false });
    await construct(page);
    await page.evaluate(([mode, html]) => {
      document.querySelector('#host').attachShadow({ mode }).innerHTML = html.replaceAll('{{gateway}}', window.gateway);
    }, [mode, iframe('CARD_NUMBER')]);
    const frame = async () => page.frames().find((frame) => frame.url().includes('CARD_NUMBER'));
    await page.waitForFunction(() => true);
    while (!(await frame())) await page.waitForEvent('framenavigated');
    const inner = await frame();
    await inner?.waitForFunction(() => 'fake' in window);
    await inner?.evaluate(() => window.fake.told('build-options'));
    await inner?.evaluate(() => window.fake.event('READY'));
    assert.deepEqual(await told(page, 1), [['onAllFieldsLoaded']]);
    await page.evaluate(() => window.build.confirmData());
    await inner?.evaluate(() => window.fake.told('build-confirm'));
  });
}

test('confirmData orders it of every frame, once, until it has ended', async () => {
  const page = await open();
  await page.evaluate(() => {
    window.loading = 0;
    for (let i = 0; i < 3; i += 1) window.build.confirmData(() => (window.loading += 1));
  });
  const [one, two] = [await order(page, 'CARD_NUMBER', 'build-confirm'), await order(page, 'EXPIRATION_DATE', 'build-confirm')];
  assert.deepEqual(one, two);
  assert.match(one.call, /^.{16,}$/);
  for (let i = 0; i < 2; i += 1) await (await frameOf(page, 'CARD_NUMBER')).evaluate(() => window.fake.send({ payframe: 1, type: 'build-loading' }));
  // An error of a field does not end the confirm.
  await say(page, 'CARD_NUMBER', 'BUILD_ERROR', { errorCode: 'HF0004', errorMessage: 'x' });
  await told(page, 1);
  await page.evaluate(() => window.build.confirmData());
  await say(page, 'CARD_NUMBER', 'CONFIRM_ERROR', { id: 'confirmData', errorCode: 'HF0007', errorMessage: 'x', validationStatus: [] });
  await told(page, 1);
  assert.deepEqual([await page.evaluate(() => window.loading), await orders(page, 'CARD_NUMBER', 'build-confirm')], [1, 1]);

  // From here on it may be called again.
  await page.evaluate(() => window.build.confirmData());
  await (await frameOf(page, 'CARD_NUMBER')).waitForFunction(() => window.fake.heard.filter(({ type }) => type === 'build-confirm').length === 2);
  await say(page, 'CARD_NUMBER', 'BUILD_FLOW_STATE_CHANGE', { state: 'READY_FOR_PAYMENT' });
  await told(page, 1);
  const calls = await (await frameOf(page, 'CARD_NUMBER')).evaluate(() => window.fake.heard.filter(({ type }) => type === 'build-confirm').map(({ call }) => call));
  assert.equal(new Set(calls).size, 2);
});

test('a confirm whose frames went away does not block the next', async () => {
  const page = await open(['CARD_NUMBER']);
  await page.evaluate(() => window.build.confirmData());
  await order(page, 'CARD_NUMBER', 'build-confirm');
  await page.evaluate((html) => (document.body.innerHTML = html.replaceAll('{{gateway}}', window.gateway)), iframe('CARD_NUMBER'));
  await order(page, 'CARD_NUMBER', 'build-options');
  await page.evaluate(() => window.build.confirmData());
  await order(page, 'CARD_NUMBER', 'build-confirm');
});

for (const ids of [[], ['PAY_WITH_CARD', 'GDI']]) {
  test(`confirmData is refused with ${ids.length ? 'buttons only' : 'no frame at all'}`, async () => {
    const page = await open(ids);
    await page.evaluate(() => window.build.confirmData());
    const [[name, { errorCode, id, validationStatus }]] = await told(page, 1);
    assert.deepEqual([name, errorCode, id, validationStatus], ['onConfirmError', 'HF9004', 'confirmData', []]);
  });
}

test('clickAction presses the button of that name, also one that is on its way', async () => {
  const page = await open(['PAY_WITH_CARD', 'CARD_NUMBER']);
  await page.evaluate(() => {
    window.build.clickAction('PAY_WITH_CARD');
    window.build.clickAction('NOT_THERE');
  });
  assert.deepEqual(await order(page, 'PAY_WITH_CARD', 'build-click'), { payframe: 1, type: 'build-click', id: 'PAY_WITH_CARD' });
  assert.equal(await orders(page, 'CARD_NUMBER', 'build-click'), 0);

  await page.evaluate((html) => {
    document.body.insertAdjacentHTML('beforeend', html.replaceAll('{{gateway}}', window.gateway));
    window.build.clickAction('PAYPAL');
  }, iframe('PAYPAL'));
  await order(page, 'PAYPAL', 'build-click');
  // Once only, and not because of a click on what was never there.
  await page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html.replaceAll('{{gateway}}', window.gateway)), iframe('NOT_THERE'));
  await order(page, 'NOT_THERE', 'build-options');
  assert.deepEqual([await orders(page, 'PAYPAL', 'build-click'), await orders(page, 'NOT_THERE', 'build-click')], [1, 0]);
});

test('a frame that says why it can not work, and one that says nothing, are unavailable', async () => {
  const page = await stage.open(`${SCRIPT}${iframe('CARD_NUMBER', 'silent')}${iframe('EXPIRATION_DATE')}${iframe('SECURITY_CODE', 'silent')}`, { shim: false });
  await page.clock.install();
  await construct(page);
  await (await frameOf(page, 'CARD_NUMBER')).evaluate(() => window.fake.send({ payframe: 1, type: 'unavailable', id: 'CARD_NUMBER', errorCode: 'HF9003', errorMessage: 'elsewhere', more: 1 }));
  assert.deepEqual((await told(page, 1)).map(([name, event]) => [name, event]), [['onComponentUnavailable', { id: 'CARD_NUMBER', errorCode: 'HF9003', errorMessage: 'elsewhere' }]]);
  await frameOf(page, 'SECURITY_CODE');
  await construct(page);
  await page.clock.fastForward(9000);
  assert.deepEqual(await page.evaluate(() => window.told), []);
  // One that comes later has its own time.
  await page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html.replaceAll('{{gateway}}', window.gateway)), iframe('CARDHOLDER_NAME', 'silent').replace('<iframe', '<iframe onload="window.late = true"'));
  await page.waitForFunction(() => window.late);
  await page.clock.fastForward(2000);
  assert.deepEqual((await told(page, 1)).map(([name, { id, errorCode }]) => [name, id, errorCode]), [['onComponentUnavailable', 'SECURITY_CODE', 'HF9002']]);
  await page.clock.fastForward(9000);
  assert.deepEqual((await told(page, 1)).map(([, { id }]) => id), ['CARDHOLDER_NAME']);
});

test("the frames of a form and of its fields are not the class's", async () => {
  const page = await stage.open(
    `${SCRIPT}<script type="module" src="{{gateway}}/sdk/payframe.js"></script><script type="module" src="{{gateway}}/sdk/fields.js"></script>
    <payment-field name="CARD_NUMBER" for="pay"></payment-field><payment-form id="pay" layout="fields" gateway="{{gateway}}" session="ready"></payment-form>`,
    { shim: false },
  );
  await page.waitForFunction(() => /ready/.test(document.querySelector('payment-field').dataset.state));
  await page.clock.install();
  await construct(page);
  await page.clock.fastForward(11000);
  assert.equal(await orders(page, 'CARD_NUMBER', 'build-here'), 0);
  assert.deepEqual(await page.evaluate(() => window.told), []);
});

test('what comes from elsewhere is not heard', async () => {
  const page = await open();
  const message = { event: 'BUILD_FLOW_STATE_CHANGE', state: 'PAYMENT_COMPLETE', id: 'CARD_NUMBER' };
  // The page itself, a frame of another origin, and a frame of the gateway that is not a child of the page.
  await page.evaluate(async (message) => {
    window.postMessage(message, location.origin);
    const evil = document.body.appendChild(Object.assign(document.createElement('iframe'), { src: `${window.evil}/` }));
    await new Promise((resolve) => (evil.onload = resolve));
  }, message);
  const frames = () => page.frames().filter((frame) => frame.url().startsWith(stage.evil));
  await frames()[0]?.evaluate(([message, shop]) => parent.postMessage(message, shop), /** @type {const} */ ([message, stage.shop]));
  await (await frameOf(page, 'CARD_NUMBER')).evaluate(async ([message, shop]) => {
    const nested = document.body.appendChild(Object.assign(document.createElement('iframe'), { src: location.href.replace('CARD_NUMBER', 'X') }));
    await new Promise((resolve) => (nested.onload = resolve));
    // Whose script is the sender is decided by the realm of the function that is called.
    nested.contentWindow.eval(`parent.parent.postMessage(${JSON.stringify(message)}, ${JSON.stringify(shop)})`);
  }, /** @type {const} */ ([message, stage.shop]));
  // Malformed messages.
  for (const misshapen of [null, 1, 'BUILD_ERROR', [], { event: 'toString' }, { event: { toString: 1 } }, { payframe: 1 }, { payframe: 1, type: 'constructor' }]) {
    await (await frameOf(page, 'CARD_NUMBER')).evaluate((message) => window.fake.send(message), misshapen);
  }
  // The permitted message.
  await say(page, 'CARD_NUMBER', 'BUILD_SUCCESS');
  assert.deepEqual((await told(page, 1)).map(([name]) => name), ['onBuildSuccess']);
  assert.deepEqual(await page.evaluate(() => window.uncaught), []);
});

test('loaded twice the first stays, with its hash and under a strict policy', async () => {
  const page = await stage.open(`${SCRIPT}<script src="{{gateway}}/sdk/build.js?again" crossorigin="anonymous"></script>${iframe('CARD_NUMBER')}`, {
    shim: false,
    headers: { 'content-security-policy': `default-src 'none'; script-src ${stage.gateway}; frame-src ${stage.gateway}; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'` },
  });
  await construct(page, { cssLink: 'https://shop.example/a.css' });
  await order(page, 'CARD_NUMBER', 'build-options');
  await say(page, 'CARD_NUMBER', 'BUILD_SUCCESS');
  assert.equal((await told(page, 1)).length, 1);
  assert.deepEqual(await page.evaluate(() => [window.violations, window.uncaught, window.Build === Build, Build.name]), [[], [], true, 'Build']);
});

test('a page whose terminal is watched reports what it is made of, once for each session', async () => {
  const before = stage.pageReports.length;
  const page = await stage.open(`${SCRIPT}<script>window.basket = 1</script>${iframe('CARD_NUMBER', 'up-watched')}`, {
    shim: false,
    headers: { 'content-security-policy': `default-src 'none'; script-src 'unsafe-inline' ${stage.gateway}; frame-src ${stage.gateway}; connect-src 'self' ${stage.gateway}` },
  });
  await construct(page);
  const counted = page.waitForResponse((answer) => answer.url().endsWith('/page-reports') && answer.status() === 204 && !answer.request().postData()?.includes('"told"'));
  for (let times = 0; times < 2; times++) await (await frameOf(page, 'CARD_NUMBER')).evaluate(() => window.fake.send({ payframe: 1, type: 'build-watch', session: 'up-watched' }));
  await counted;
  const sent = stage.pageReports.slice(before).map(({ text }) => text);
  for (const text of sent) assert.ok(text.length <= 1000, text);
  const [load, ...rest] = sent.map((text) => JSON.parse(text));
  assert.deepEqual([load.session, new URL(load.page).origin, load.headers], ['up-watched', stage.shop, true]);
  const told = rest.flatMap((report) => report.told ?? []).map(([, kind, from]) => [kind, from]);
  for (const part of [['SCRIPT', `${stage.gateway}/sdk/build.js`], ['INLINE', ''], ['HEADER', 'content-security-policy']]) assert.ok(told.some((one) => `${one}` === `${part}`), `${part}`);
  assert.equal(rest.filter((report) => report.entries).length, 1, 'the report is one, and is repeated once what it names is known');
  assert.deepEqual(await page.evaluate(() => window.uncaught), []);
});

test('a watch with another hash is not loaded, and the payment goes on', async () => {
  stage.changes.set('/sdk/lazy/page-watch.js', (script) => `${script}\nwindow.alien = true;`);
  const page = await stage.open(`${SCRIPT}${iframe('CARD_NUMBER')}`, { shim: false });
  await construct(page);
  const refused = page.waitForEvent('console', (message) => message.text().includes('integrity'));
  await (await frameOf(page, 'CARD_NUMBER')).evaluate(() => window.fake.send({ payframe: 1, type: 'build-watch', session: 'up' }));
  await refused;
  stage.changes.delete('/sdk/lazy/page-watch.js');
  await say(page, 'CARD_NUMBER', 'BUILD_SUCCESS');
  assert.equal((await told(page, 1)).length, 1);
  assert.deepEqual(await page.evaluate(() => [window.alien, window.uncaught]), [undefined, []]);
});

test('on a server it does nothing', async () => {
  const script = `const before = Object.getOwnPropertyNames(globalThis).length;
    ${readFileSync(new URL('../../www/sdk/build.js', import.meta.url), 'utf8')}
    console.log(Object.getOwnPropertyNames(globalThis).length === before, typeof Build);`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['-e', script]);
  assert.deepEqual([stdout, stderr], ['true undefined\n', '']);
});
