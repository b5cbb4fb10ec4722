/** Loads that end badly: readable text in the element, one event with a cause, and a retry that works. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { formIn, openStage } from './stage.mjs';

/** @type {Awaited<ReturnType<typeof openStage>>} */
let stage;
before(async () => void (stage = await openStage()));
after(() => stage.close());

/** Our sentence, once the lazy part is loaded. */
const SENTENCE = 'The card form could not start.';

/** Upgrades the element and waits for its fatal error. @param {import('playwright-core').Page} page */
const failure = (page) =>
  page.evaluate(async () => {
    const over = window.next(document.querySelector('payment-form'), 'error');
    await import(`${window.gateway}/sdk/payframe.js`);
    return over;
  });

const CASES = {
  bad_gateway_url: ['gateway="{{gateway}}/path"', 'gateway="http://gateway.example"', 'gateway="//gateway.example"', 'gateway="https://user@gateway.example"', 'gateway="https://gateway.example?x"', 'gateway="javascript:alert(1)"', 'gateway=""', ''].map((gateway) => `${gateway} session="s"`),
  session_missing: ['gateway="{{gateway}}"', 'gateway="{{gateway}}" session=""'],
  load_timeout: ['gateway="{{gateway}}" session="hanging" loadtimeoutms="50"', 'gateway="{{gateway}}" session="greeting" loadtimeoutms="1500"'],
  frame_blocked: ['gateway="{{gateway}}" session="silent" loadtimeoutms="1500"', 'gateway="{{gateway}}" session="refusing" loadtimeoutms="1500"'],
  gateway_unreachable: ['gateway="http://localhost:9" session="s" loadtimeoutms="1500"'],
};

for (const [code, tags] of Object.entries(CASES)) {
  for (const attributes of tags) {
    test(`${code}: <payment-form ${attributes}>`, async () => {
      const page = await stage.open(`<payment-form ${attributes}></payment-form>`, { shim: false });
      const detail = await failure(page);
      assert.deepEqual([detail.code, detail.fatal], [code, true]);
      assert.match(detail.message, /^[A-Z].* .*\.$/);
      const alert = page.getByRole('alert');
      await alert.filter({ hasText: SENTENCE }).waitFor();
      assert.equal(await alert.getByRole('button', { name: 'Try again' }).isVisible(), true);
      assert.deepEqual(await page.evaluate(() => [window.heard.length, window.uncaught, window.statesOf(document.querySelector('payment-form'))]), [1, [], 'failed']);
      assert.equal(await page.locator('iframe').count(), 0);
    });
  }
}

test('a page that was busy for longer than a frame may be silent still hears it', async () => {
  const page = await stage.open('<payment-form gateway="{{gateway}}" session="silent"></payment-form>', { shim: false });
  await page.clock.install();
  await page.evaluate(async () => {
    await import(`${window.gateway}/sdk/payframe.js`);
    const frame = document.querySelector('payment-form').shadowRoot.querySelector('iframe');
    await new Promise((resolve) => frame.addEventListener('load', resolve));
  });
  // All timers that are due fire at once, before the frame's messages.
  await page.clock.fastForward(5000);
  const frame = await formIn(page);
  await frame.evaluate(() => {
    window.fake.hello();
    return new Promise((resolve) => addEventListener('message', resolve, { once: true }));
  });
  const ready = page.evaluate(() => window.next(document.querySelector('payment-form'), 'ready').then(() => window.heard.map(([type]) => type)));
  await frame.evaluate(() => window.fake.send({ type: 'ready' }));
  assert.deepEqual(await ready, ['ready']);
});

test('a form whose browser runs no script in the frame stays, however long it says nothing', async () => {
  const page = await stage.open('<payment-form gateway="{{gateway}}" session="plain"></payment-form>', { shim: false });
  await page.clock.install();
  await page.evaluate(async () => {
    await import(`${window.gateway}/sdk/payframe.js`);
    const frame = document.querySelector('payment-form').shadowRoot.querySelector('iframe');
    await new Promise((resolve) => frame.addEventListener('load', resolve));
  });
  await page.clock.runFor(30_000);
  assert.deepEqual(await page.evaluate(() => [window.heard, window.statesOf(document.querySelector('payment-form'))]), [[], 'loading']);
  await (await formIn(page)).getByRole('textbox', { name: 'Card number' }).fill('4');
});

test('the gateway may be https anywhere, and http on this machine only', async () => {
  const { loadPayframe, PayframeError } = await import('../../www/sdk/payframe.js');
  for (const good of ['https://gateway.example', 'https://gateway.example/', 'https://gateway.example:8443', 'http://localhost:8787', 'http://pay.localhost', 'http://127.0.0.1:1', 'http://[::1]:8787']) loadPayframe(good);
  for (const bad of ['http://gateway.example', 'http://localhost.example', 'http://notlocalhost', 'http://127.0.0.1.example', 'ftp://localhost', 'https://gateway.example/#', 'https://a@gateway.example', 'gateway.example', '', 5, null, undefined]) {
    assert.throws(() => loadPayframe(/** @type {any} */ (bad)), (error) => error instanceof PayframeError && error.code === 'bad_gateway_url', String(bad));
  }
});

test('a page whose policy lacks the frame is told so', async () => {
  const page = await stage.open('<payment-form gateway="{{gateway}}" session="ready" loadtimeoutms="1500"></payment-form>', {
    shim: false,
    headers: { 'content-security-policy': `default-src 'none'; script-src ${stage.gateway}` },
  });
  assert.equal((await failure(page)).code, 'frame_policy');
});

test('a page whose policy lacks the frame is told so, also if the browser tells of the policy after the frame', async () => {
  const page = await stage.open('<payment-form gateway="{{gateway}}" session="ready" loadtimeoutms="1500"></payment-form>', {
    shim: false,
    headers: { 'content-security-policy': `default-src 'none'; script-src ${stage.gateway}` },
  });
  await page.evaluate(() => {
    /** @type {Promise<unknown>} */
    let loaded;
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) {
        for (const frame of addedNodes) if (frame instanceof HTMLIFrameElement) loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
      }
    }).observe(document.body, { childList: true });
    addEventListener('securitypolicyviolation', async (event) => {
      if (!event.isTrusted) return;
      event.stopImmediatePropagation();
      await loaded;
      const { blockedURI, effectiveDirective, disposition, documentURI, originalPolicy, violatedDirective, statusCode } = event;
      document.dispatchEvent(new SecurityPolicyViolationEvent(event.type, { blockedURI, effectiveDirective, disposition, documentURI, originalPolicy, violatedDirective, statusCode }));
    }, true);
  });
  assert.equal((await failure(page)).code, 'frame_policy');
});

test('M10 the retry works, and takes the waiting calls along from then on', async () => {
  const page = await stage.open('<payment-form gateway="{{gateway}}" session="hanging" loadtimeoutms="50"></payment-form>', { shim: false });
  await failure(page);
  assert.equal((await page.evaluate(() => window.settled(document.querySelector('payment-form').confirm()))).code, 'load_timeout');
  const again = page.evaluate(() => window.next(document.querySelector('payment-form'), 'error'));
  await page.getByRole('button', { name: 'Try again' }).click();
  assert.equal((await again).code, 'load_timeout');

  await page.evaluate(async () => {
    const form = document.querySelector('payment-form');
    form.loadTimeoutMs = 20000;
    form.session = 'ready';
    await form.clear();
  });
  assert.equal(await page.getByRole('alert').count(), 0);
  assert.equal(await page.evaluate(() => window.statesOf(document.querySelector('payment-form'))), 'ready');
});

test('calls that wait are refused with the cause of the failed load', async () => {
  const page = await stage.open('', { shim: false });
  const codes = await page.evaluate(async () => {
    const { loadPayframe } = await import(`${window.gateway}/sdk/payframe.js`);
    const form = loadPayframe(window.gateway).form({ session: 'hanging', loadTimeoutMs: 20 });
    const waiting = [form.confirm(), form.focus(), form.update({ theme: 'dark' }), form.clear()].map(window.settled);
    form.mount(document.body);
    return (await Promise.all(waiting)).map(({ code }) => code);
  });
  assert.deepEqual(codes, ['load_timeout', 'load_timeout', 'load_timeout', 'load_timeout']);
});

test("M14 the merchant's own words replace ours, and are hidden while the form works", async () => {
  const page = await stage.open('<payment-form gateway="{{gateway}}" session="hanging" loadtimeoutms="50"> <p>Please call us.</p> </payment-form>', { shim: false });
  await failure(page);
  assert.equal(await page.getByText('Please call us.').isVisible(), true);
  assert.equal(await page.getByText(SENTENCE).count(), 0);
  await page.evaluate(async () => {
    const form = document.querySelector('payment-form');
    form.loadTimeoutMs = 20000;
    form.session = 'ready';
    await form.clear();
  });
  assert.equal(await page.getByText('Please call us.').isVisible(), false);
});

test('white space alone is no fallback', async () => {
  const page = await stage.open('<payment-form gateway="{{gateway}}">\n  <!-- the form -->\n</payment-form>', { shim: false });
  await failure(page);
  await page.getByText(SENTENCE).waitFor();
});

test('M11 a fatal message of the frame leaves its screen, ends every call and can be retried', async () => {
  const page = await stage.open('<payment-form gateway="{{gateway}}" session="ready"></payment-form>');
  await page.evaluate(() => window.live(document.querySelector('payment-form')));
  const frame = await formIn(page);
  await frame.evaluate(() => (window.fake.answer = () => {}));
  const ends = page.evaluate(async () => {
    const form = document.querySelector('payment-form');
    const ends = await Promise.all([form.confirm(), form.clear()].map(window.settled));
    return [...ends, await window.settled(form.focus())].map(({ code }) => code);
  });
  await frame.evaluate(async () => {
    await window.fake.command(1);
    window.fake.send({ type: 'fatal', code: 'frame_crashed', message: 'RuntimeError' });
    window.fake.send({ type: 'ready' });
    window.fake.send({ type: 'result', outcome: 'approved', orderId: 'x', final: true });
    window.fake.send({ type: 'resize', height: 100 });
  });
  assert.deepEqual(await ends, ['frame_crashed', 'frame_crashed', 'frame_crashed']);
  await page.waitForFunction(() => document.querySelector('payment-form').offsetHeight === 100);
  assert.deepEqual(await page.evaluate(() => window.heard), [['ready', null, ''], ['error', { code: 'frame_crashed', message: 'The form broke down: RuntimeError.', fatal: true }, '']]);
  assert.equal(await page.locator('iframe').count(), 1);
  await page.evaluate(async () => {
    const form = document.querySelector('payment-form');
    form.reload();
    await form.clear();
  });
});

test('O6 loader and frame of different versions → they agree on a common protocol or say which one to update', async () => {
  const newer = await stage.open('<payment-form gateway="{{gateway}}" session="waiting"></payment-form>', { shim: false });
  const live = newer.evaluate(() => window.next(document.querySelector('payment-form'), 'ready'));
  await newer.evaluate(() => void import(`${window.gateway}/sdk/payframe.js`));
  await newer.locator('payment-form iframe').waitFor();
  const frame = await formIn(newer);
  await frame.evaluate(() => window.fake.hello({ versions: [2, 1] }));
  await frame.waitForFunction(() => window.fake.port);
  assert.equal(await frame.evaluate(() => window.fake.inits[0].version), 1, 'the one that both speak');
  await frame.evaluate(() => window.fake.send({ type: 'ready' }));
  await live;

  const alien = await stage.open('<payment-form gateway="{{gateway}}" session="waiting"></payment-form>', { shim: false });
  const remedy = alien.waitForEvent('console', (message) => message.type() === 'info' && message.text().startsWith('payframe: '));
  const over = failure(alien);
  await alien.locator('payment-form iframe').waitFor();
  await (await formIn(alien)).evaluate(() => window.fake.hello({ versions: [2, 3] }));
  assert.equal((await over).code, 'protocol_version');
  assert.match((await remedy).text(), /^payframe: protocol_version: Update payframe\.js.*update the gateway/);
});

test('a fatal error is in the console, unless the page took care of it', async () => {
  const page = await stage.open('<payment-form></payment-form><payment-form id="quiet"></payment-form>', { shim: false });
  await page.evaluate(async () => {
    document.querySelector('#quiet').addEventListener('error', (event) => event.preventDefault());
    await import(`${window.gateway}/sdk/payframe.js`);
    await Promise.resolve();
  });
  assert.deepEqual(await page.evaluate(() => window.written.error.map((text) => text.split(':')[0])), ['PayframeError']);
});
