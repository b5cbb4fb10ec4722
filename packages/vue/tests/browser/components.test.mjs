/** The components in Chromium: hydration without a word on the console, events, calls, and what is left when they go. */

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { createSSRApp, h } from 'vue';
import { renderToString } from 'vue/server-renderer';
import { PaymentField, PaymentForm } from '@payframe/vue';
import { formIn } from '../../../../tests/shim/stage.mjs';
import { bundle, openStage } from '../../../form/tests/browser/stage.mjs';

const CODE = `
  import { createApp, createSSRApp, h, ref, shallowRef } from 'vue';
  import { PaymentField, PaymentForm } from '@payframe/vue';

  const told = (window.told = []);
  const tell = (name) => (detail, event) => told.push([name, detail, event?.type]);
  const listeners = { onReady: tell('ready'), onChange: tell('change'), onResult: tell('result'), onError: tell('error'), onStatechange: tell('statechange') };
  const handle = (window.handle = shallowRef(null));
  const more = (window.more = ref({}));
  const shown = (window.shown = ref(true));
  const { props, fields = [] } = window.given;
  const page = {
    render: () => h('div', shown.value ? [h(PaymentForm, { ref: handle, ...listeners, ...props, ...more.value }), ...fields.map((field) => h(PaymentField, { ...field, onChange: tell(field.name) }))] : []),
  };
  const root = document.getElementById('root');
  window.begin = () => (root.hasChildNodes() ? createSSRApp(page) : createApp(page)).mount(root);
  if (!window.later) window.begin();
`;

suite('Vue components', () => {
  /** @type {Awaited<ReturnType<typeof openStage>>} */
  let stage;
  let code = '';
  before(async () => {
    const define = Object.fromEntries(['OPTIONS_API', 'PROD_DEVTOOLS', 'PROD_HYDRATION_MISMATCH_DETAILS'].map((name) => [`__VUE_${name}__`, 'true']));
    code = await bundle(CODE, import.meta.url, { define: { ...define, 'process.env.NODE_ENV': '"development"' } });
    stage = await openStage();
  });
  after(() => stage?.close());

  /** @param {any} given @param {{ server?: boolean, tag?: boolean }} [options] whether a server rendered the page, and whether the page loads the script before Vue */
  async function open(given, { server = false, tag = false } = {}) {
    const { props, fields = [] } = given;
    const page = { render: () => h('div', [h(PaymentForm, props), ...fields.map((/** @type {any} */ field) => h(PaymentField, field))]) };
    const markup = server ? await renderToString(createSSRApp(page)) : '';
    const setting = `<script>window.given = ${JSON.stringify(given).replaceAll('<', '\\u003c')}; window.later = ${tag}</script>`;
    return stage.open(`${setting}<div id="root">${markup}</div><script type="module">${code}</script>`, { shim: tag });
  }

  /** @param {string} session */
  const fragment = (session) => `<payment-form gateway="${stage.gateway}" session="${session}"><template shadowrootmode="open" shadowrootdelegatesfocus>`
    + `<iframe src="${stage.gateway}/form/?lang=ENG&amp;sessionid=${session}" title="Card payment"></iframe></template></payment-form>`;
  /** @param {import('playwright-core').Page} page */
  const quiet = async (page) => assert.deepEqual(await page.evaluate(() => [window.written, window.uncaught]), [{ warn: [], error: [] }, []]);
  /** @param {import('playwright-core').Page} page @param {string} name */
  const told = (page, name) => page.waitForFunction((name) => window.told.some(([each]) => each === name), name);

  test('events are told, calls go to the form, options change in place, and nothing is left', async () => {
    const page = await open({ props: { gateway: stage.gateway, session: 'ready-v1' } });
    await told(page, 'ready');
    const form = await formIn(page);
    await form.evaluate(() => window.fake.send({ type: 'statechange', state: 'PROCESSING' }));
    await told(page, 'statechange');
    assert.deepEqual(await page.evaluate(() => window.told.at(-1)), ['statechange', { state: 'PROCESSING' }, 'statechange']);
    await page.evaluate(() => window.handle.value.clear());
    await page.evaluate(() => (window.more.value = { locale: 'it' }));
    assert.equal((await form.evaluate(() => window.fake.command(1))).options.locale, 'it');
    assert.equal(stage.requestsOf('ready-v1'), 1);

    await page.evaluate(() => {
      Object.assign(window, { former: window.handle.value, element: window.handle.value.element });
      window.told.length = 0;
      window.shown.value = false;
    });
    await page.locator('payment-form').waitFor({ state: 'detached' });
    const left = await page.evaluate(async () => {
      window.element.dispatchEvent(new CustomEvent('result', { detail: {} }));
      return [window.element.shadowRoot.childElementCount, window.told.length, window.handle.value, (await window.settled(window.former.clear())).code];
    });
    assert.deepEqual(left, [0, 0, null, 'unmounted']);
    await quiet(page);
  });

  test('what a server rendered is taken over without a word, before and after the script', async () => {
    const fields = [{ name: 'CARD_NUMBER', for: 'pay' }];
    const rows = [
      { given: { props: { gateway: stage.gateway, session: 'ready-v2', class: 'card' } }, tag: false },
      { given: { props: { gateway: stage.gateway, session: 'ready-v3', id: 'pay', layout: 'fields' }, fields }, tag: true },
      { given: { props: { html: fragment('ready-v4') } }, tag: true },
    ];
    for (const { given, tag } of rows) {
      const page = await open(given, { server: true, tag });
      if (tag) {
        await page.evaluate(() => window.live(document.querySelector('payment-form')));
        if (given.fields) await page.evaluate((gateway) => import(`${gateway}/sdk/fields.js`), stage.gateway);
        if (given.fields) await page.locator('payment-field iframe').waitFor({ state: 'attached' });
        await page.evaluate(() => void window.begin());
      }
      await told(page, 'ready');
      const session = await page.locator('payment-form').getAttribute('session');
      assert.equal(stage.requestsOf(session ?? ''), 1, session ?? '');
      if (given.fields) assert.equal(await page.locator('payment-field iframe').count(), 1);
      await quiet(page);
    }
  });

  test('a printed form keeps its frame and what was typed', async () => {
    const page = await open({ props: { html: fragment('ready-v5') } }, { server: true });
    await page.locator('payment-form iframe').contentFrame().getByRole('textbox').fill('typed');
    await told(page, 'ready');
    assert.equal(stage.requestsOf('ready-v5'), 1);
    assert.equal(await page.locator('payment-form iframe').contentFrame().getByRole('textbox').inputValue(), 'typed');
    await quiet(page);
  });

  test('a script that does not load is an error of the form', async (t) => {
    stage.changes.set('/sdk/payframe.js', () => 'export {}');
    t.after(() => stage.changes.delete('/sdk/payframe.js'));
    const page = await open({ props: { gateway: stage.gateway, session: 'ready-v6' } });
    await told(page, 'error');
    assert.deepEqual(await page.evaluate(() => window.told.map(([name, { code, fatal }]) => [name, code, fatal])), [['error', 'script_blocked', true]]);
  });
});
