/** The components on a server and in Chromium: hydration without a word on the console, events, calls, and what is left when they go. */

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { formIn } from '../../../../tests/shim/stage.mjs';
import { bundle, openStage } from '../../../form/tests/browser/stage.mjs';
import { sveltePlugin } from './svelte-plugin.mjs';

const SERVER = `
  export { render } from 'svelte/server';
  export { PaymentField, PaymentForm } from '@payframe/svelte';
  export { default as Page } from './Page.svelte';
`;
const BROWSER = `
  import { hydrate, mount } from 'svelte';
  import Page from './Page.svelte';
  const told = (window.told = []);
  const tell = (name) => (detail, event) => told.push([name, detail, event?.type]);
  const target = document.getElementById('root');
  window.begin = () => void (window.page = (target.hasChildNodes() ? hydrate : mount)(Page, { target, props: { ...window.given, tell } }));
  if (!window.later) window.begin();
`;

const FRAME = '<template shadowrootmode="open" shadowrootdelegatesfocus><iframe src="https://gateway.example/form/?sessionid=s1"></iframe></template>';
const HTML = `<payment-form gateway="https://gateway.example" session="s1">${FRAME}</payment-form>`;

suite('Svelte components', () => {
  /** @type {Awaited<ReturnType<typeof openStage>>} */
  let stage;
  let code = '';
  /** @type {{ render: typeof import('svelte/server').render, PaymentForm: any, PaymentField: any, Page: any }} */
  let server;
  before(async () => {
    const conditions = ['svelte', 'development'];
    const forServer = await bundle(SERVER, import.meta.url, { plugins: [sveltePlugin('server')], conditions, platform: 'node' });
    server = await import(`data:text/javascript,${encodeURIComponent(forServer)}`);
    code = await bundle(BROWSER, import.meta.url, { plugins: [sveltePlugin('client')], conditions: [...conditions, 'browser'] });
    stage = await openStage();
  });
  after(() => stage?.close());

  /** @param {any} component @param {object} props */
  const rendered = (component, props) => server.render(component, { props }).body.replaceAll(/<!--.*?-->/g, '');

  test('a server renders props as attributes; callbacks and what the loader needs are none', () => {
    const props = {
      gateway: 'https://gateway.example', session: 's1', appearance: { labels: 'floating' }, loadTimeoutMs: 5000, button: 'hidden', integrity: 'x', release: 'y', fieldsIntegrity: 'z',
      renewSession: () => '', onready() {}, onresult() {}, class: 'card', id: 'pay',
    };
    assert.equal(
      rendered(server.PaymentForm, props),
      '<payment-form class="card" id="pay" gateway="https://gateway.example" session="s1" loadTimeoutMs="5000" button="hidden" appearance="{&quot;labels&quot;:&quot;floating&quot;}"></payment-form>',
    );
    assert.equal(rendered(server.PaymentForm, { html: HTML, locale: 'it' }), `<payment-form gateway="https://gateway.example" session="s1" locale="it">${FRAME}</payment-form>`);
    assert.equal(rendered(server.PaymentField, { name: 'CARD_NUMBER', for: 'pay' }), '<payment-field name="CARD_NUMBER" for="pay"></payment-field>');
  });

  /** @param {any} given @param {{ onServer?: boolean, tag?: boolean }} [options] whether a server rendered the page, and whether the page loads the script before Svelte */
  async function open(given, { onServer = false, tag = false } = {}) {
    const markup = onServer ? server.render(server.Page, { props: given }).body : '';
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
    const page = await open({ props: { gateway: stage.gateway, session: 'ready-s1' } });
    await told(page, 'ready');
    const form = await formIn(page);
    await form.evaluate(() => window.fake.send({ type: 'statechange', state: 'PROCESSING' }));
    await told(page, 'statechange');
    assert.deepEqual(await page.evaluate(() => window.told.at(-1)), ['statechange', { state: 'PROCESSING' }, 'statechange']);
    await page.evaluate(() => window.page.handle().clear());
    await page.evaluate(() => void window.page.setMore({ locale: 'it' }));
    assert.equal((await form.evaluate(() => window.fake.command(1))).options.locale, 'it');
    assert.equal(stage.requestsOf('ready-s1'), 1);

    await page.evaluate(() => {
      Object.assign(window, { former: window.page.handle(), element: window.page.handle().element() });
      window.told.length = 0;
      window.page.setShown(false);
    });
    await page.locator('payment-form').waitFor({ state: 'detached' });
    const left = await page.evaluate(async () => {
      window.element.dispatchEvent(new CustomEvent('result', { detail: {} }));
      return [window.element.shadowRoot.childElementCount, window.told.length, (await window.settled(window.former.clear())).code];
    });
    assert.deepEqual(left, [0, 0, 'unmounted']);
    await quiet(page);
  });

  test('what a server rendered is taken over without a word, before and after the script', async () => {
    const fields = [{ name: 'CARD_NUMBER', for: 'pay' }];
    const rows = [
      { given: { props: { gateway: stage.gateway, session: 'ready-s2', class: 'card' } }, tag: false },
      { given: { props: { gateway: stage.gateway, session: 'ready-s3', id: 'pay', layout: 'fields' }, fields }, tag: true },
      { given: { props: { html: fragment('ready-s4') } }, tag: true },
    ];
    for (const { given, tag } of rows) {
      const page = await open(given, { onServer: true, tag });
      const before = await page.locator('payment-form').elementHandle();
      if (tag) {
        await page.evaluate(() => window.live(document.querySelector('payment-form')));
        if (given.fields) await page.evaluate((gateway) => import(`${gateway}/sdk/fields.js`), stage.gateway);
        if (given.fields) await page.locator('payment-field iframe').waitFor({ state: 'attached' });
        await page.evaluate(() => window.begin());
      }
      await told(page, 'ready');
      assert.ok(await page.evaluate((before) => before === document.querySelector('payment-form'), before), 'the same element');
      const session = await page.locator('payment-form').getAttribute('session');
      assert.equal(stage.requestsOf(session ?? ''), 1, session ?? '');
      if (given.fields) assert.equal(await page.locator('payment-field iframe').count(), 1);
      await quiet(page);
    }
  });

  test('a printed form keeps its frame and what was typed', async () => {
    const page = await open({ props: { html: fragment('ready-s5') } }, { onServer: true });
    await page.locator('payment-form iframe').contentFrame().getByRole('textbox').fill('typed');
    await told(page, 'ready');
    assert.equal(stage.requestsOf('ready-s5'), 1);
    assert.equal(await page.locator('payment-form iframe').contentFrame().getByRole('textbox').inputValue(), 'typed');
    await quiet(page);
  });

  test('a script that does not load is an error of the form', async (t) => {
    stage.changes.set('/sdk/payframe.js', () => 'export {}');
    t.after(() => stage.changes.delete('/sdk/payframe.js'));
    const page = await open({ props: { gateway: stage.gateway, session: 'ready-s6' } });
    await told(page, 'error');
    assert.deepEqual(await page.evaluate(() => window.told.map(([name, { code, fatal }]) => [name, code, fatal])), [['error', 'script_blocked', true]]);
  });
});
