/** The element's life cycle: upgraded late, moved, hidden, removed, mounted twice, in shadow trees, and what it leaves behind. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { formIn, openStage } from './stage.mjs';

/** @type {Awaited<ReturnType<typeof openStage>>} */
let stage;
before(async () => void (stage = await openStage()));
after(() => stage.close());

/** @param {import('playwright-core').Page} page @param {string} [selector] */
const live = (page, selector = 'payment-form') => page.evaluate((at) => window.live(document.querySelector(at)), selector);

/** What the frame is asked for. @param {import('playwright-core').Page} page */
const address = (page) => page.locator('payment-form iframe').getAttribute('src');

test('J1 the tag alone works and keeps its room free from the start', async () => {
  const page = await stage.open('<payment-form gateway="{{gateway}}" session="ready-tag" locale="it"></payment-form><p id="after">After</p>');
  const before = await page.locator('#after').boundingBox();
  await live(page);
  assert.deepEqual(await page.locator('#after').boundingBox(), before);

  const frame = page.locator('payment-form iframe');
  assert.equal(await frame.getAttribute('title'), 'Card payment');
  assert.equal(await frame.getAttribute('allow'), 'payment; publickey-credentials-get; autofill; shared-autofill');
  assert.equal(await frame.getAttribute('sandbox'), null);
  assert.equal(await address(page), `${stage.gateway}/form/?lang=it&dressed=&sessionid=ready-tag&theme=light&button=auto&cancellation=auto&layout=form`);
  assert.equal((await frame.boundingBox())?.height, 404);
  assert.deepEqual(await page.evaluate(() => window.heard), [['ready', null, '']]);
  assert.deepEqual((await (await formIn(page)).evaluate(() => window.fake.inits)).map(({ nonce, ...rest }) => rest), [
    { payframe: 1, type: 'init', version: 1, options: { theme: 'light', button: 'auto', cancellation: 'auto', advance: 'auto', locale: 'it', appearance: '', texts: '', renew: false } },
  ]);
});

test('less room is kept where the page has the button', async () => {
  const page = await stage.open('<payment-form gateway="{{gateway}}" session="ready" button="hidden" theme="dark"></payment-form>');
  await live(page);
  assert.equal((await page.locator('payment-form').boundingBox())?.height, 340);
  const [init] = await (await formIn(page)).evaluate(() => window.fake.inits);
  assert.deepEqual(init.options, { theme: 'dark', button: 'hidden', cancellation: 'auto', advance: 'auto', locale: '', appearance: '', texts: '', renew: false });
});

for (const [options, bars] of /** @type {const} */ ([['', 5], ['button="hidden"', 4]])) {
  test(`the shape that stands in for a form on its way is that of the form: <payment-form ${options}>`, async () => {
    const page = await stage.open(`<payment-form gateway="{{gateway}}" session="waiting" ${options} style="width:392px"></payment-form>`);
    const drawn = await page.locator('payment-form iframe').evaluate(async (frame) => {
      await Promise.all(frame.getAnimations().map(({ finished }) => finished));
      // As it was written, without what the animation adds.
      const parts = (/** @type {string} */ text) => text.replaceAll(/calc\(0% \+ ([\d.]+px)\)/g, '$1').split(', ');
      const { backgroundPosition, backgroundSize } = getComputedStyle(frame);
      const sizes = parts(backgroundSize);
      return parts(backgroundPosition).filter((_, at) => !/ 0(px|%)?$/.test(sizes[at] ?? ''));
    });
    assert.deepEqual(drawn, ['4px 28px', '4px 116px', 'calc(100% - 4px) 116px', '4px 204px', '4px 304px'].slice(0, bars));
  });
}

for (const [options, height, query] of [['', 140, 'button=auto&cancellation=auto&layout=fields'], ['button="hidden"', 76, 'button=hidden&cancellation=auto&layout=fields'], ['cancellation="hidden"', 92, 'button=auto&cancellation=hidden&layout=fields']]) {
  test(`in the layout of fields it asks for it and keeps ${height} px free`, async () => {
    const page = await stage.open(`<payment-form gateway="{{gateway}}" session="ready-fields" layout="fields" ${options}></payment-form>`);
    await live(page);
    assert.equal((await page.locator('payment-form').boundingBox())?.height, height);
    assert.equal(await address(page), `${stage.gateway}/form/?lang=&dressed=&sessionid=ready-fields&theme=light&${query}`);
  });
}

test('J2 properties, listeners and children from before the upgrade count', async () => {
  const page = await stage.open('<payment-form><p>Call us to pay.</p></payment-form>', { shim: false });
  assert.equal(await page.getByText('Call us to pay.').isVisible(), true);
  const detail = await page.evaluate(async () => {
    const form = document.querySelector('payment-form');
    Object.assign(form, { gateway: window.gateway, session: 'ready-late', theme: 'dark', loadTimeoutMs: 15000 });
    const ready = window.next(form, 'ready');
    await import(`${window.gateway}/sdk/payframe.js`);
    await ready;
    return [form.getAttribute('session'), form.session, form.theme, form.getAttribute('theme'), form.loadTimeoutMs, Object.keys(form)];
  });
  assert.deepEqual(detail, ['ready-late', 'ready-late', 'dark', 'dark', 15000, []]);
  assert.equal(await page.getByText('Call us to pay.').isVisible(), false);
});

test('J4 a move by re-insertion is told once and ends in a ready form', async () => {
  const page = await stage.open('<div id="a"><payment-form gateway="{{gateway}}" session="ready-move"></payment-form></div><div id="b"></div>');
  await live(page);
  const pending = await page.evaluate(async () => {
    const form = document.querySelector('payment-form');
    document.querySelector('#b').append(form);
    const queued = form.clear();
    await window.next(form, 'ready');
    return window.settled(queued);
  });
  assert.deepEqual(pending, { value: null });
  const heard = await page.evaluate(() => window.heard.map(([type, detail]) => [type, detail?.code, detail?.fatal]));
  assert.deepEqual(heard, [['ready', undefined, undefined], ['error', 'data_lost', false], ['ready', undefined, undefined]]);
  assert.equal(await page.locator('iframe').count(), 1);
});

test('a call that the frame had is refused with data_lost when the frame goes', async () => {
  const page = await stage.open('<payment-form gateway="{{gateway}}" session="ready"></payment-form>');
  await live(page);
  await (await formIn(page)).evaluate(() => (window.fake.answer = () => {}));
  await page.evaluate(() => {
    const form = document.querySelector('payment-form');
    window.calls = [form.clear(), form.confirm()].map(window.settled);
  });
  // Calls that this frame never got would be sent to the next one.
  await (await formIn(page)).evaluate(() => window.fake.command(1));
  const ends = await page.evaluate(() => {
    document.body.append(document.querySelector('payment-form'));
    return Promise.all(window.calls);
  });
  assert.deepEqual(ends.map(({ code }) => code), ['data_lost', 'data_lost']);
});

test('J5 a state-preserving move keeps the frame', async () => {
  const page = await stage.open('<div id="a"><payment-form gateway="{{gateway}}" session="ready-kept"></payment-form></div><div id="b"></div>');
  await live(page);
  await (await formIn(page)).locator('input').fill('kept');
  await page.evaluate(() => document.querySelector('#b').moveBefore(document.querySelector('payment-form'), null));
  const frame = await formIn(page, '#b payment-form');
  assert.equal(await frame.locator('input').inputValue(), 'kept');
  assert.deepEqual(await page.evaluate(() => window.settled(document.querySelector('payment-form').clear())), { value: null });
  assert.equal(stage.requestsOf('ready-kept'), 1);
  assert.deepEqual(await page.evaluate(() => window.heard.length), 1);
});

test('a frame that loads another document is agreed with anew', async () => {
  const page = await stage.open('<payment-form gateway="{{gateway}}" session="ready-reload"></payment-form>');
  await live(page);
  await page.waitForLoadState();
  const again = page.evaluate(() => window.next(document.querySelector('payment-form'), 'ready'));
  await (await formIn(page)).evaluate(() => location.reload()).catch(() => {});
  await again;
  assert.deepEqual(await page.evaluate(() => window.heard.map(([type, detail]) => detail?.code ?? type)), ['ready', 'data_lost', 'ready']);
  assert.deepEqual(await page.evaluate(() => window.settled(document.querySelector('payment-form').clear())), { value: null });
});

test('J3 removed while loading, nothing is heard and nothing stays', async () => {
  const page = await stage.open('<payment-form id="gone" gateway="{{gateway}}" session="greeting"></payment-form><payment-form id="stays" gateway="{{gateway}}" session="silent"></payment-form>', { shim: false });
  const left = await page.evaluate(async () => {
    const gone = document.querySelector('#gone');
    gone.setAttribute('loadtimeoutms', '1');
    document.querySelector('#stays').setAttribute('loadtimeoutms', '1');
    const over = window.next(document.querySelector('#stays'), 'error');
    await import(`${window.gateway}/sdk/payframe.js`);
    await Promise.resolve();
    const frame = gone.shadowRoot.querySelector('iframe');
    const queued = gone.focus();
    gone.remove();
    // The other element was made later and has the same limit: when its limit has passed, this one's would have passed too.
    await over;
    return { had: !!frame, connected: frame.isConnected, frames: gone.shadowRoot.childElementCount, state: window.statesOf(gone), queued: (await window.settled(queued)).code };
  });
  assert.deepEqual(left, { had: true, connected: false, frames: 0, state: '', queued: 'unmounted' });
  assert.deepEqual(await page.evaluate(() => [window.heard.map(([type, , id]) => [type, id]), window.uncaught]), [[['error', 'stays']], []]);
});

test('J6 two forms on one page keep apart', async () => {
  const page = await stage.open('<payment-form id="one" gateway="{{gateway}}" session="ready-1"></payment-form><payment-form id="two" gateway="{{gateway}}" session="ready-2"></payment-form>');
  await live(page, '#one');
  await live(page, '#two');
  const [one, two] = [await formIn(page, '#one'), await formIn(page, '#two')];
  await page.evaluate(() => document.querySelector('#two').clear());
  assert.deepEqual([await one.evaluate(() => window.fake.commands.length), await two.evaluate(() => window.fake.commands.length)], [0, 1]);
  const failed = page.evaluate(() => window.next(document.querySelector('#one'), 'error'));
  await one.evaluate(() => window.fake.send({ type: 'fatal', code: 'frame_crashed', message: 'x' }));
  await failed;
  assert.deepEqual(await page.evaluate(() => ['#one', '#two'].map((id) => window.statesOf(document.querySelector(id)))), ['failed', 'ready']);
  assert.deepEqual(await page.evaluate(() => window.heard.filter(([type]) => type === 'error').map(([, , id]) => id)), ['one']);
});

test('J7 in a hidden container it loads, and has the right height once shown', async () => {
  const page = await stage.open('<div id="tab" hidden><payment-form gateway="{{gateway}}" session="measured"></payment-form></div>');
  await live(page);
  await page.evaluate(() => (document.querySelector('#tab').hidden = false));
  await page.waitForFunction(() => document.querySelector('payment-form').offsetHeight === 420);
  await page.evaluate(() => document.querySelector('payment-form').focus('CARD_NUMBER'));
  await (await formIn(page)).locator('input:focus').waitFor();
});

for (const mode of ['open', 'closed']) {
  test(`J8 in a shadow root that is ${mode} it mounts, takes the focus and reports`, async () => {
    const page = await stage.open('<div id="host"></div>');
    const heard = await page.evaluate(async (mode) => {
      const { loadPayframe } = await import(`${window.gateway}/sdk/payframe.js`);
      const root = document.querySelector('#host').attachShadow({ mode });
      const form = loadPayframe(window.gateway).form({ session: 'ready' });
      const ready = window.next(form, 'ready');
      form.mount(root.appendChild(document.createElement('p')));
      const detail = await ready;
      await form.focus();
      return [detail, form.shadowRoot.activeElement?.localName];
    }, mode);
    assert.deepEqual(heard, [null, 'iframe']);
  });
}

test('J10 a double mount asks for one frame and tells one ready', async () => {
  const page = await stage.open('<div id="here"></div>');
  await page.evaluate(async () => {
    const { loadPayframe } = await import(`${window.gateway}/sdk/payframe.js`);
    // As a framework's strict mode does: an effect, its clean-up, the effect again.
    const effect = () => {
      const form = loadPayframe(window.gateway).form({ session: 'ready-twice' }).mount('#here');
      return () => form.unmount();
    };
    effect()();
    effect();
    await window.live(document.querySelector('payment-form'));
    // And with one form that is mounted again.
    const form = loadPayframe(window.gateway).form({ session: 'ready-again' }).mount('#here');
    form.unmount();
    form.mount('#here');
    await window.live(form);
  });
  assert.deepEqual([stage.requestsOf('ready-twice'), stage.requestsOf('ready-again')], [1, 1]);
  assert.deepEqual(await page.evaluate(() => window.heard.map(([type]) => type)), ['ready', 'ready']);
});

test('two copies of the module share one element', async () => {
  const page = await stage.open('', { shim: false });
  const code = await page.evaluate(async () => {
    await import(`${window.gateway}/sdk/payframe.js`);
    const { loadPayframe } = await import(`${window.gateway}/sdk/1.0.0/payframe.js`);
    const form = loadPayframe(window.gateway).form({ session: 'ready' }).mount(document.body);
    await window.live(form);
    return form.clear();
  });
  assert.equal(code, undefined);
});

test('another session loads the form anew, an option in place does not', async () => {
  const page = await stage.open('<payment-form gateway="{{gateway}}" session="ready-first"></payment-form>');
  await live(page);
  await page.evaluate(async () => {
    const form = document.querySelector('payment-form');
    const again = window.next(form, 'ready');
    form.session = 'ready-second';
    form.locale = 'it';
    await again;
    form.setAttribute('theme', 'dark');
    await form.clear();
  });
  assert.equal(stage.requestsOf('ready-second'), 1);
  const commands = await (await formIn(page)).evaluate(() => window.fake.commands.map(({ id, ...rest }) => rest));
  assert.deepEqual(commands.map(({ type, options }) => [type, options?.theme]), [['update', 'dark'], ['clear', undefined]]);
});

test('fifty times mounted and unmounted, no frame and no listener stays', async () => {
  const page = await stage.open('');
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const count = async () => {
    await session.send('HeapProfiler.collectGarbage');
    const { metrics } = await session.send('Performance.getMetrics');
    const of = (/** @type {string} */ name) => metrics.find((metric) => metric.name === name)?.value ?? NaN;
    return { frames: of('Frames'), listeners: of('JSEventListeners') };
  };
  /** @param {number} times @param {boolean} [leaks] whether each form leaves a listener behind */
  const cycle = (times, leaks = false) =>
    page.evaluate(async ([times, leaks]) => {
      const { loadPayframe } = await import(`${window.gateway}/sdk/payframe.js`);
      const payframe = loadPayframe(window.gateway);
      for (let i = 0; i < times; i += 1) {
        const form = payframe.form({ session: 'ready' }).mount(document.body);
        await new Promise((resolve) => form.addEventListener('ready', resolve, { once: true }));
        form.confirm();
        form.unmount();
        if (leaks) addEventListener('payframe-test', () => form);
      }
    }, /** @type {const} */ ([times, leaks]));
  await cycle(1);
  const before = await count();
  await cycle(50);
  const after = await count();
  assert.equal(after.frames, before.frames);
  // The browser may collect the last one or two forms later. Twice as many forms leave no more than these; a remaining listener for
  // each form would make fifty more.
  await cycle(50);
  const twice = await count();
  assert.ok(twice.listeners - after.listeners < 25, `${twice.listeners} listeners, ${after.listeners} fifty forms before, ${before.listeners} at first`);
  await cycle(50, true);
  const leaking = await count();
  assert.ok(leaking.listeners - twice.listeners >= 25, `a listener that stays is seen: ${leaking.listeners}, ${twice.listeners} before`);
  assert.deepEqual(await page.evaluate(() => window.uncaught), []);
});

test('J21 loading leaves no entry in the history', async () => {
  const page = await stage.open('<payment-form gateway="{{gateway}}" session="ready"></payment-form>');
  await live(page);
  const [before, after] = await page.evaluate(async () => {
    const before = history.length;
    const form = document.querySelector('payment-form');
    form.reload();
    await window.next(form, 'ready');
    return [before, history.length];
  });
  assert.equal(after, before);
});
