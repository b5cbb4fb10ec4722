/** The components in Chromium: hydration without a word on the console, StrictMode, events, calls, and what is left when they go. */

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { PaymentForm, PaymentField } from '@payframe/react';
import { formIn } from '../../../../tests/shim/stage.mjs';
import { bundle, openStage } from '../../../form/tests/browser/stage.mjs';

/** The shop's page: its props are in the window, so that server and browser render the same. */
const CODE = `
  import { createRef, StrictMode, useState } from 'react';
  import { createRoot, hydrateRoot } from 'react-dom/client';
  import { PaymentField, PaymentForm } from '@payframe/react';

  const told = (window.told = []);
  const handle = (window.handle = createRef());
  const tell = (name) => (detail, event) => told.push([name, detail, event?.type]);
  const callbacks = { onReady: tell('ready'), onChange: tell('change'), onResult: tell('result'), onError: tell('error'), onStateChange: tell('statechange') };

  function Page({ props, fields }) {
    const [more, setMore] = useState({});
    const [shown, setShown] = useState(true);
    Object.assign(window, { setMore, setShown });
    return shown && <><PaymentForm ref={handle} {...callbacks} {...props} {...more} />{fields?.map((field) => <PaymentField key={field.name} {...field} onChange={tell(field.name)} />)}</>;
  }
  const root = document.getElementById('root');
  const page = <StrictMode>{window.given.tag ? <payment-form {...window.given.tag} /> : <Page {...window.given} />}</StrictMode>;
  const onRecoverableError = (error) => console.error('recovered: ' + error.message);
  window.begin = () => (window.root = root.hasChildNodes() ? hydrateRoot(root, page, { onRecoverableError }) : createRoot(root), root.hasChildNodes() || window.root.render(page));
  if (!window.later) window.begin();
`;

suite('React components', () => {
  /** @type {Awaited<ReturnType<typeof openStage>>} */
  let stage;
  let code = '';
  before(async () => {
    code = await bundle(CODE, import.meta.url);
    stage = await openStage();
  });
  after(() => stage?.close());

  /** A page as a server renders it. @param {string} session */
  const fragment = (session) => `<payment-form gateway="${stage.gateway}" session="${session}"><template shadowrootmode="open" shadowrootdelegatesfocus>`
    + `<iframe src="${stage.gateway}/form/?lang=ENG&amp;sessionid=${session}" title="Card payment"></iframe></template></payment-form>`;

  /**
   * @param {any} given props, and fields
   * @param {{ server?: boolean, tag?: boolean }} [options] whether a server rendered the page, and whether the page loads the script before React
   */
  async function open(given, { server = false, tag = false } = {}) {
    const { props, fields = [] } = given;
    const markup = server ? renderToString([createElement(PaymentForm, { key: 'form', ...props }), ...fields.map((/** @type {any} */ field) => createElement(PaymentField, { key: field.name, ...field }))]) : '';
    const setting = `<script>window.given = ${JSON.stringify(given).replaceAll('<', '\\u003c')}; window.later = ${tag}</script>`;
    return stage.open(`${setting}<div id="root">${markup}</div><script type="module">${code}</script>`, { shim: tag });
  }

  /** @param {import('playwright-core').Page} page */
  const quiet = async (page) => assert.deepEqual(await page.evaluate(() => [window.written, window.uncaught]), [{ warn: [], error: [] }, []]);
  /** @param {import('playwright-core').Page} page @param {string} name @param {number} [count] */
  const told = (page, name, count = 1) => page.waitForFunction(([name, count]) => window.told.filter(([each]) => each === name).length >= count, [name, count]);

  test('StrictMode loads one frame and tells one ready', async () => {
    const page = await open({ props: { gateway: stage.gateway, session: 'ready-r1' } });
    await told(page, 'ready');
    assert.equal(stage.requestsOf('ready-r1'), 1);
    assert.deepEqual(await page.evaluate(() => window.told.map(([name]) => name)), ['ready']);
    await quiet(page);
  });

  test('what a server rendered is taken over without a word', async () => {
    const page = await open({ props: { gateway: stage.gateway, session: 'ready-r2', className: 'card', appearance: { labels: 'floating' } } }, { server: true });
    await told(page, 'ready');
    assert.equal(stage.requestsOf('ready-r2'), 1);
    assert.equal(await page.locator('payment-form').getAttribute('class'), 'card');
    await quiet(page);
  });

  test('a printed form keeps its frame and what was typed', async () => {
    const page = await open({ props: { html: fragment('ready-r3') } }, { server: true });
    await page.locator('payment-form iframe').contentFrame().getByRole('textbox').fill('typed');
    await told(page, 'ready');
    assert.equal(stage.requestsOf('ready-r3'), 1);
    assert.equal(await page.locator('payment-form iframe').contentFrame().getByRole('textbox').inputValue(), 'typed');
    assert.equal(await page.locator('payment-form').evaluate((form) => form.childElementCount), 0);
    await quiet(page);
  });

  test('a form that was live before React came is taken over, too, and its ready is told', async () => {
    const fields = [{ name: 'CARD_NUMBER', for: 'pay' }];
    const rows = [
      { given: { props: { gateway: stage.gateway, session: 'ready-r4' } }, session: 'ready-r4' },
      { given: { props: { html: fragment('ready-r5') } }, session: 'ready-r5' },
      { given: { props: { gateway: stage.gateway, session: 'ready-r6', id: 'pay', layout: 'fields' }, fields }, session: 'ready-r6' },
    ];
    for (const { given, session } of rows) {
      const page = await open(given, { server: true, tag: true });
      await page.evaluate(() => window.live(document.querySelector('payment-form')));
      if (given.fields) {
        await page.evaluate((gateway) => import(`${gateway}/sdk/fields.js`), stage.gateway);
        await page.locator('payment-field iframe').waitFor({ state: 'attached' });
      }
      await page.evaluate(() => window.begin());
      await told(page, 'ready');
      assert.equal(stage.requestsOf(session), 1, session);
      assert.equal(await page.evaluate(() => window.told.filter(([name]) => name === 'ready').length), 1);
      if (given.fields) assert.equal(await page.locator('payment-field iframe').count(), 1);
      await quiet(page);
    }
  });

  test('the tag alone, live before React came, is taken over without a word', async () => {
    const tag = { gateway: stage.gateway, session: 'ready-r14' };
    const markup = renderToString(createElement('payment-form', tag));
    const setting = `<script>window.given = ${JSON.stringify({ tag })}; window.later = true</script>`;
    const page = await stage.open(`${setting}<div id="root">${markup}</div><script type="module">${code}</script>`);
    await page.evaluate(() => window.live(document.querySelector('payment-form')));
    const before = await page.locator('payment-form').elementHandle();
    await page.evaluate(() => window.begin());
    // React keeps what it knows of an element in members of the element.
    await page.waitForFunction((before) => Object.keys(before).some((name) => name.startsWith('__reactProps')), before);
    assert.ok(await page.evaluate((before) => before === document.querySelector('payment-form'), before));
    assert.equal(stage.requestsOf('ready-r14'), 1);
    await quiet(page);
  });

  test('without a server the printed form is loaded as any other', async () => {
    const page = await open({ props: { html: fragment('ready-r7') } });
    await told(page, 'ready');
    assert.equal(stage.requestsOf('ready-r7'), 1);
    assert.equal(await page.locator('payment-form').evaluate((form) => form.childElementCount), 0);
  });

  test('events are told with what they say, calls go to the form', async () => {
    const page = await open({ props: { gateway: stage.gateway, session: 'ready-r8' } });
    await told(page, 'ready');
    const form = await formIn(page);
    await form.evaluate(() => window.fake.send({ type: 'statechange', state: 'PROCESSING' }));
    await told(page, 'statechange');
    assert.deepEqual(await page.evaluate(() => window.told.at(-1)), ['statechange', { state: 'PROCESSING' }, 'statechange']);
    await page.evaluate(() => window.handle.current.clear());
    const paid = page.evaluate(() => window.handle.current.confirm());
    await form.evaluate(async () => {
      await window.fake.command(1);
      window.fake.send({ type: 'result', outcome: 'approved', orderId: 'A1', final: true });
    });
    assert.equal((await paid).outcome, 'approved');
    assert.deepEqual(await form.evaluate(() => window.fake.commands.map(({ type }) => type)), ['clear', 'confirm']);
  });

  test('an option that changes in place, an object that is the same, and another callback load nothing', async () => {
    const page = await open({ props: { gateway: stage.gateway, session: 'ready-r9', appearance: { labels: 'floating' } } });
    await told(page, 'ready');
    const form = await formIn(page);
    await page.evaluate(() => window.setMore({ locale: 'it', appearance: { labels: 'floating' }, onReady: () => window.told.push(['again']) }));
    const { options } = await form.evaluate(() => window.fake.command(0));
    assert.deepEqual([options.locale, options.appearance], ['it', '{"labels":"floating"}']);
    assert.equal(stage.requestsOf('ready-r9'), 1);
    assert.equal(await page.evaluate(() => window.told.some(([name]) => name === 'again')), false);
    await page.evaluate(() => window.setMore({ session: 'ready-r10', onReady: () => window.told.push(['again']) }));
    await told(page, 'again');
    assert.equal(stage.requestsOf('ready-r10'), 1);
  });

  test('a component that goes leaves nothing, and its calls are refused', async () => {
    const page = await open({ props: { gateway: stage.gateway, session: 'ready-r11' } });
    await told(page, 'ready');
    await page.evaluate(() => {
      Object.assign(window, { former: window.handle.current, element: window.handle.current.element });
      window.told.length = 0;
      window.setShown(false);
    });
    await page.locator('payment-form').waitFor({ state: 'detached' });
    const left = await page.evaluate(async () => {
      window.element.dispatchEvent(new CustomEvent('result', { detail: {} }));
      return [window.element.shadowRoot.childElementCount, window.told.length, window.handle.current, (await window.settled(window.former.clear())).code];
    });
    assert.deepEqual(left, [0, 0, null, 'unmounted']);
    await page.evaluate(() => window.setShown(true));
    await told(page, 'ready');
    assert.equal(stage.requestsOf('ready-r11'), 2);
    await quiet(page);
  });

  test('fields are elements of their own, and tell what is wrong', async () => {
    const page = await open({ props: { gateway: stage.gateway, session: 'ready-r12', id: 'pay', layout: 'fields' }, fields: [{ name: 'CARD_NUMBER', for: 'pay' }] });
    await told(page, 'ready');
    await page.locator('payment-field iframe').waitFor({ state: 'attached' });
    const form = await formIn(page);
    const fields = [{ id: 'CARD_NUMBER', empty: false, complete: false, error: 'card_number_invalid', message: 'Check the number.' }];
    await form.evaluate((fields) => window.fake.send({ type: 'change', complete: false, empty: false, candidates: [], fields }), fields);
    await told(page, 'CARD_NUMBER');
    assert.equal(await page.evaluate(() => window.told.find(([name]) => name === 'CARD_NUMBER')[1].message), 'Check the number.');
    await quiet(page);
  });

  test('a script that does not load is an error of the form, and reload() tries again', async (t) => {
    let broken = true;
    stage.changes.set('/sdk/payframe.js', (script) => (broken ? 'export {}' : script));
    t.after(() => stage.changes.delete('/sdk/payframe.js'));
    const page = await open({ props: { gateway: stage.gateway, session: 'ready-r13' } });
    await told(page, 'error');
    assert.deepEqual(await page.evaluate(() => window.told.map(([name, { code, fatal }]) => [name, code, fatal])), [['error', 'script_blocked', true]]);
    broken = false;
    await page.evaluate(() => window.handle.current.reload());
    await told(page, 'ready');
  });
});
