/** The form in one frame, in Firefox and WebKit: whole payments, one with a challenge, a refusal that leaves another try, and who may frame it. */

import { test } from 'node:test';
import { Key } from 'selenium-webdriver';
import { APPROVED, CHALLENGED, HOLDER, NO_FUNDS, OTHER_NETWORK } from '../e2e/cards.mjs';
import { servePages } from '../e2e/page-server.mjs';
import { OneFrame } from './one-frame.mjs';
import { inOtherEngines } from './stage.mjs';

inOtherEngines('one frame', (stage) => {
  test('a card is charged once', async (t) => {
    const payment = await OneFrame.open(stage(), t);
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete', /^Paid\. /);
    await stage().recorded(await payment.orderId(), 'AUTHORIZATION EXECUTED');
  });

  test('E15 what is typed at Cancel does not press it, and a blank alone does', async (t) => {
    const { form } = await OneFrame.open(stage(), t);
    await form.field('Card number').fill(OTHER_NETWORK.number);
    await form.field('Name on card').click();
    // From the name over Pay.
    await form.type(Key.TAB, Key.TAB, `${HOLDER} ${HOLDER}`);
    await form.until("return document.activeElement.id === 'cancel' && document.getElementById('question').hidden");
    await form.field('Name on card').click();
    await form.type(Key.TAB, Key.TAB, ' ');
    await form.until("return !document.getElementById('question').hidden && document.activeElement.id === 'keep'");
  });

  test('N8 a shop\'s page holds the form below another page of its own, and none below a foreign one', async (t) => {
    const { gatewayOrigin: gateway, api } = stage();
    const [holding, nested] = [(/** @type {string} */ src) => `<iframe src="${src}" width="800" height="700"></iframe>`, "document.querySelector('iframe')"];
    let session = '';
    const shop = await servePages(t, (path) => (path === '/outer' ? holding('/') : `<script type="module" src="${gateway}/sdk/payframe.js"></script><payment-form gateway="${gateway}" session="${session}"></payment-form>
      <script>document.querySelector('payment-form').addEventListener('error', ({ detail }) => (document.body.dataset.code = detail.code))</script>`));
    ({ sessionId: session } = await api.open({ shop, form: { closing: 'FRAME' } }));
    const foreign = await servePages(t, () => holding(shop));
    const below = await stage().page(t, foreign, { noise: /frame-ancestors|PayframeError|frame_blocked/ });
    await below.within(nested).until("return document.body.dataset.code === 'frame_blocked'");
    const own = await stage().page(t, `${shop}/outer`, { noise: /frame-ancestors|PayframeError|frame_blocked/ });
    await own.within(nested).until("return document.querySelector('payment-form').matches(':state(ready)') && !document.body.dataset.code");
  });

  test('a challenge is passed inside the form', async (t) => {
    const payment = await OneFrame.open(stage(), t);
    await payment.payWith(CHALLENGED);
    await payment.answerChallenge('123456');
    await payment.ends('Payment complete', /^Paid\. /);
    await stage().recorded(await payment.orderId(), 'AUTHORIZATION EXECUTED');
  });

  test('a refused card leaves another try', async (t) => {
    const payment = await OneFrame.open(stage(), t);
    await payment.payWith(NO_FUNDS);
    await payment.form.says('#message', /lack of funds/);
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete', /^Paid\. /);
    await stage().recorded(await payment.orderId(), 'AUTHORIZATION DECLINED', 'AUTHORIZATION EXECUTED');
  });
});
