/** The calls of the page: in order, once, answered or refused with a cause. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { formIn, openStage } from './stage.mjs';

/** @type {Awaited<ReturnType<typeof openStage>>} */
let stage;
before(async () => void (stage = await openStage()));
after(() => stage.close());

const RESULT = { outcome: 'approved', orderId: 'order-1', operationId: '112233445566778899', final: true };

/** A live form whose frame answers nothing by itself. */
async function mute() {
  const page = await stage.open('<payment-form gateway="{{gateway}}" session="ready"></payment-form>');
  await page.evaluate(() => window.live(document.querySelector('payment-form')));
  const frame = await formIn(page);
  await frame.evaluate(() => (window.fake.answer = () => {}));
  await page.evaluate(() => (window.form = document.querySelector('payment-form')));
  const send = (/** @type {object} */ message) => frame.evaluate((message) => window.fake.send(message), message);
  const command = (/** @type {number} */ at) => frame.evaluate((at) => window.fake.command(at), at);
  return { page, frame, send, command };
}

test('J15 calls before the form is ready wait, in order, then follow suit', async () => {
  const page = await stage.open('<payment-form gateway="{{gateway}}" session="ready"></payment-form>', { shim: false });
  await page.evaluate(async () => {
    await import(`${window.gateway}/sdk/payframe.js`);
    const form = document.querySelector('payment-form');
    await Promise.all([form.focus('SECURITY_CODE'), form.update({ theme: 'dark' }), form.clear(), form.cancel(), form.focus({ preventScroll: true })]);
  });
  const commands = await (await formIn(page)).evaluate(() => window.fake.commands.map(({ id, ...rest }) => rest));
  assert.deepEqual(commands.filter(({ type }) => type !== 'update'), [{ type: 'focus', field: 'SECURITY_CODE' }, { type: 'clear' }, { type: 'cancel' }, { type: 'focus' }]);
});

test('J16 confirm resolves with the next result, final or not', async () => {
  const { page, send, command } = await mute();
  for (const result of [{ ...RESULT, outcome: 'declined', final: false }, RESULT]) {
    await page.evaluate(() => void (window.ends = window.settled(window.form.confirm())));
    const { type, id } = await command(result.final ? 1 : 0);
    assert.equal(type, 'confirm');
    await send({ type: 'reply', id });
    await send({ type: 'statechange', state: 'PROCESSING' });
    await send({ type: 'result', ...result });
    assert.deepEqual(await page.evaluate(() => window.ends), { value: result });
  }
});

test('N18 with each call the frame hears whether the buyer has just made a gesture', async () => {
  const { page, frame, command } = await mute();
  // The first call fetches the lazy part of the SDK. Those after it are sent at once, before this test's next step, which counts as a gesture.
  await page.evaluate(() => {
    document.body.append(Object.assign(document.createElement('button'), { textContent: 'Empty', onclick: () => void window.settled(window.form.clear()) }));
    void window.settled(window.form.clear());
  });
  await command(0);
  await page.evaluate(async () => {
    while (navigator.userActivation.isActive) await new Promise((resolve) => setTimeout(resolve, 50));
    void window.settled(window.form.clear());
    await new Promise((resolve) => setTimeout(resolve));
  });
  await command(1);
  await page.getByRole('button', { name: 'Empty' }).click();
  await command(2);
  assert.deepEqual(await frame.evaluate(() => window.fake.gestures.slice(1)), [false, true]);
});

test('J16 a second confirm has the same end and sends nothing', async () => {
  const { page, frame, send, command } = await mute();
  await page.evaluate(() => void (window.first = Promise.all([window.form.confirm(), window.form.confirm()])));
  const { id } = await command(0);
  await send({ type: 'reply', id });
  await send({ type: 'statechange', state: 'PROCESSING' });
  const same = page.evaluate(async () => {
    await window.next(window.form, 'statechange', ({ state }) => state === 'FINALIZING');
    const again = window.form.confirm();
    return [...(await window.first), await again];
  });
  await send({ type: 'statechange', state: 'FINALIZING' });
  await send({ type: 'result', ...RESULT });
  assert.deepEqual(await same, [RESULT, RESULT, RESULT]);
  assert.equal(await frame.evaluate(() => window.fake.commands.length), 1);
});

test('confirm is refused with the cause that the form gives', async () => {
  const { page, send, command } = await mute();
  await page.evaluate(() => void (window.ends = window.settled(window.form.confirm())));
  const { id } = await command(0);
  await send({ type: 'reply', id, error: { code: 'invalid_data', message: 'CARD_NUMBER is empty.' } });
  assert.deepEqual(await page.evaluate(() => window.ends), { code: 'invalid_data', name: 'PayframeError', message: 'CARD_NUMBER is empty.' });
  await page.evaluate(() => void window.form.confirm());
  assert.equal((await command(1)).type, 'confirm');
});

test('a code that only a newer form knows comes as an unknown cause, with its words', async () => {
  const { page, send, command } = await mute();
  await page.evaluate(() => void (window.ends = window.settled(window.form.confirm())));
  const { id } = await command(0);
  await send({ type: 'reply', id, error: { code: 'of_tomorrow', message: 'of_tomorrow' } });
  assert.deepEqual(await page.evaluate(() => window.ends), { code: 'unknown_cause', name: 'PayframeError', message: 'Something went wrong: of_tomorrow.' });
  const told = page.evaluate(() => window.next(window.form, 'error'));
  await send({ type: 'error', code: 'of_tomorrow', message: 'It is too early.' });
  assert.deepEqual(await told, { code: 'unknown_cause', message: 'It is too early.', fatal: false });
});

test('an abort before the form accepted withdraws it', async () => {
  const { page, send, command } = await mute();
  await page.evaluate(() => {
    window.controller = new AbortController();
    window.ends = window.settled(window.form.confirm({ signal: window.controller.signal }));
  });
  const confirm = await command(0);
  await page.evaluate(() => window.controller.abort());
  const abort = await command(1);
  assert.deepEqual([confirm.type, abort.type], ['confirm', 'abort']);
  await send({ type: 'reply', id: abort.id });
  await send({ type: 'reply', id: confirm.id, error: { code: 'aborted', message: 'x' } });
  assert.equal((await page.evaluate(() => window.ends)).code, 'aborted');
});

test('J17 an abort that comes too late awaits the true outcome', async () => {
  const { page, frame, send, command } = await mute();
  await page.evaluate(() => {
    window.controller = new AbortController();
    window.ends = window.settled(window.form.confirm({ signal: window.controller.signal }));
  });
  const confirm = await command(0);
  await page.evaluate(() => window.controller.abort());
  const abort = await command(1);
  await send({ type: 'reply', id: confirm.id });
  await send({ type: 'reply', id: abort.id, error: { code: 'wrong_state', message: 'x' } });
  await send({ type: 'result', ...RESULT });
  assert.deepEqual(await page.evaluate(() => window.ends), { value: RESULT });

  // After the acceptance, the call can not be withdrawn any more.
  await page.evaluate(() => void (window.ends = window.settled(window.form.confirm({ signal: (window.controller = new AbortController()).signal }))));
  const accepted = page.evaluate(() => window.next(window.form, 'statechange'));
  await send({ type: 'reply', id: (await command(2)).id });
  await send({ type: 'statechange', state: 'PROCESSING' });
  await accepted;
  await page.evaluate(() => window.controller.abort());
  await send({ type: 'result', ...RESULT });
  assert.deepEqual(await page.evaluate(() => window.ends), { value: RESULT });
  assert.deepEqual(await frame.evaluate(() => window.fake.commands.map(({ type }) => type)), ['confirm', 'abort', 'confirm']);
});

test('J17 an abort before anything was sent sends nothing', async () => {
  const page = await stage.open('<payment-form gateway="{{gateway}}" session="waiting"></payment-form>');
  const ends = await page.evaluate(async () => {
    await customElements.whenDefined('payment-form');
    const form = document.querySelector('payment-form');
    const controller = new AbortController();
    const ends = [form.confirm({ signal: AbortSignal.abort() }), form.confirm({ signal: controller.signal })].map(window.settled);
    controller.abort();
    return Promise.all(ends);
  });
  assert.deepEqual(ends.map(({ code }) => code), ['aborted', 'aborted']);
  const frame = await formIn(page);
  await frame.evaluate(() => window.fake.hello());
  await frame.waitForFunction(() => window.fake.port);
  await frame.evaluate(() => window.fake.send({ type: 'ready' }));
  await page.evaluate(() => document.querySelector('payment-form').clear());
  assert.deepEqual(await frame.evaluate(() => window.fake.commands.map(({ type }) => type)), ['clear']);
});

for (const [way, states] of Object.entries({ 'comes back to the entry': ['PROCESSING', 'CARD_DATA_COLLECTION'], 'outlives its session': ['PROCESSING', 'EXPIRED'] })) {
  test(`a confirm that ${way} without a result does not wait for ever`, async () => {
    const { page, send, command } = await mute();
    await page.evaluate(() => void (window.ends = window.settled(window.form.confirm())));
    await send({ type: 'reply', id: (await command(0)).id });
    for (const state of states) await send({ type: 'statechange', state });
    assert.equal((await page.evaluate(() => window.ends)).code, 'not_completed');
  });
}

test('a result that follows the way back in the same breath counts', async () => {
  const { page, frame, send, command } = await mute();
  await page.evaluate(() => void (window.ends = window.settled(window.form.confirm())));
  await send({ type: 'reply', id: (await command(0)).id });
  await frame.evaluate((result) => {
    window.fake.send({ type: 'statechange', state: 'PROCESSING' });
    window.fake.send({ type: 'statechange', state: 'CARD_DATA_COLLECTION' });
    window.fake.send({ type: 'result', ...result, outcome: 'declined', final: false });
  }, RESULT);
  assert.equal((await page.evaluate(() => window.ends)).value.outcome, 'declined');
});

test('after unmount every call rejects with unmounted, and a new mount works', async () => {
  const page = await stage.open('');
  const ends = await page.evaluate(async () => {
    const { loadPayframe } = await import(`${window.gateway}/sdk/payframe.js`);
    const form = loadPayframe(window.gateway).form({ session: 'ready' }).mount(document.body);
    await window.live(form);
    const running = [form.confirm(), form.clear()];
    form.unmount();
    const sameTask = form.focus();
    await Promise.allSettled(running);
    const ends = await Promise.all([...running, sameTask, form.confirm(), form.focus(), form.clear(), form.cancel(), form.update({ theme: 'dark' })].map(window.settled));
    form.mount(document.body);
    ends.push(await window.settled(form.clear()));
    return ends;
  });
  // `clear` may have been answered before the form was taken out; what counts is that nothing hangs.
  assert.deepEqual(ends.map((end) => end.code ?? 'worked').filter((_, i) => i !== 1), [...Array(7).fill('unmounted'), 'worked']);
  assert.deepEqual(await page.evaluate(() => window.uncaught), []);
});

test('J18 options are checked by name, type and value', async () => {
  const page = await stage.open('');
  const codes = await page.evaluate(async () => {
    const { loadPayframe, PayframeError } = await import(`${window.gateway}/sdk/payframe.js`);
    const payframe = loadPayframe(window.gateway);
    const code = (act) => {
      try {
        return act() && 'worked';
      } catch (error) {
        return error instanceof PayframeError && error instanceof Error && error.code;
      }
    };
    const form = payframe.form({ session: 'ready', them: 'dark', sesion: 'it', label: undefined });
    payframe.form({ them: 'dark', constructor: 1 });
    form.mount(document.body);
    return [
      code(() => payframe.form({ session: 1 })),
      code(() => payframe.form({ theme: 'blue' })),
      code(() => payframe.form({ loadTimeoutMs: '5' })),
      code(() => payframe.form({ loadTimeoutMs: -1 })),
      code(() => form.mount('#nowhere')),
      code(() => payframe.form({ theme: 'dark', session: '' })),
      (await window.settled(form.update({ theme: 'blue' }))).code,
      (await window.settled(form.update({ layout: 'fields' }))).code,
      (await window.settled(form.update({ theme: 'dark', button: 'hidden', loadTimeout: 1 }))).code,
      form.theme + form.button + form.session,
    ];
  });
  assert.deepEqual(codes, ['bad_option', 'bad_option', 'bad_option', 'bad_option', 'mount_target', 'worked', 'bad_option', 'option_fixed', undefined, 'darkhiddenready']);
  assert.deepEqual((await page.evaluate(() => window.written.warn)).map((/** @type {string} */ text) => text.match(/"(\w+)".*"(\w+)"/)?.slice(1)), [['them', 'theme'], ['sesion', 'session'], ['constructor', 'button'], ['loadTimeout', 'loadTimeoutMs']]);
});

test('an unknown value in an attribute gives the default', async () => {
  const page = await stage.open('<payment-form gateway="{{gateway}}" session="ready" theme="blue" button="none" loadtimeoutms="soon"></payment-form>');
  await page.evaluate(() => window.live(document.querySelector('payment-form')));
  assert.deepEqual(await page.evaluate(() => (({ theme, button, loadTimeoutMs }) => [theme, button, loadTimeoutMs])(document.querySelector('payment-form'))), ['auto', 'auto', 20000]);
});

test('the form tells its states to style sheets, and by the attribute that the page wrote', async () => {
  const { page, send } = await mute();
  await page.evaluate(() => (window.form.dataset.state = ''));
  const look = () => page.evaluate(() => [window.form.dataset.state, window.statesOf(window.form)]);
  const after = async (/** @type {any} */ message) => {
    const heard = page.evaluate((type) => window.next(window.form, type), message.type === 'fatal' ? 'error' : message.type);
    await send(message);
    await heard;
    return look();
  };
  const fields = [{ id: 'CARD_NUMBER', empty: false, complete: false, error: 'number_short' }];
  const change = { type: 'change', complete: false, empty: false, brand: null, candidates: [], fields };
  assert.deepEqual(await after({ type: 'focus', field: 'CARD_NUMBER' }), ['ready focused', 'ready focused']);
  assert.deepEqual(await after(change), ['ready filled invalid focused', 'ready filled invalid focused']);
  assert.deepEqual(await after({ type: 'blur', field: 'CARD_NUMBER' }), ['ready filled invalid', 'ready filled invalid']);
  assert.deepEqual(await after({ ...change, empty: true, fields: [] }), ['ready empty', 'ready empty']);
  assert.deepEqual(await after({ ...change, complete: true, fields: [] }), ['ready complete filled', 'ready complete filled']);
  assert.deepEqual(await after({ type: 'statechange', state: 'CHALLENGE' }), ['ready busy complete filled', 'ready busy complete filled']);
  assert.deepEqual(await after({ type: 'error', code: 'frame_slow', message: '' }), ['ready busy complete filled', 'ready busy complete filled']);
  assert.deepEqual(await after({ type: 'fatal', code: 'frame_crashed', message: '' }), ['failed', 'failed']);
});

test("the browser's own focus events are not mistaken for the form's", async () => {
  const { page, frame } = await mute();
  await page.evaluate(() => {
    window.own = [];
    for (const type of ['focus', 'blur', 'focusin']) window.form.addEventListener(type, (event) => window.own.push([type, event.constructor.name]));
  });
  const focused = page.evaluate(() => new Promise((resolve) => window.form.addEventListener('focusin', resolve, { once: true })).then(() => undefined));
  await frame.locator('input').focus();
  await page.locator('payment-form iframe').focus();
  await focused;
  assert.deepEqual((await page.evaluate(() => window.own)).filter(([type]) => type !== 'focusin'), []);
  const field = page.evaluate(() => window.next(window.form, 'focus'));
  await frame.evaluate(() => window.fake.send({ type: 'focus', field: 'CARD_NUMBER' }));
  assert.deepEqual(await field, { field: 'CARD_NUMBER' });
});

test('events neither bubble nor leave a shadow tree', async () => {
  const { page, send } = await mute();
  await page.evaluate(() => {
    window.above = 0;
    document.body.addEventListener('change', () => (window.above += 1));
    window.seen = new Promise((resolve) => window.form.addEventListener('change', (event) => resolve([event.bubbles, event.composed]), { once: true }));
  });
  await send({ type: 'change', complete: true, empty: false, brand: null, candidates: [], fields: [] });
  assert.deepEqual(await page.evaluate(() => window.seen), [false, false]);
  assert.equal(await page.evaluate(() => window.above), 0);
});

test('a page that brings no other session in half a minute has none', async () => {
  const { page, send, command } = await mute();
  await page.clock.install();
  const asked = page.evaluate(() => new Promise((resolve) => (window.form.renewSession = () => (resolve(undefined), new Promise(() => {})))));
  await send({ type: 'ask', what: 'renew' });
  await asked;
  await page.clock.fastForward(30_000);
  const { type, session } = await command(0);
  assert.deepEqual([type, session], ['renew', '']);
});
