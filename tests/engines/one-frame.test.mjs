/** The form in one frame, in Firefox and WebKit: whole payments, one with a challenge, a refusal that leaves another try, and who may frame it. */

import { test } from 'node:test';
import { Key } from 'selenium-webdriver';
import { APPROVED, CHALLENGED, HOLDER, NO_FUNDS, OTHER_NETWORK } from '../e2e/cards.mjs';
import { newOrderId } from '../e2e/gateway-api.mjs';
import { servePages } from '../e2e/page-server.mjs';
import { OneFrame } from './one-frame.mjs';
import { inOtherEngines } from './stage.mjs';

/** A page that holds another one, which is `NESTED`. @param {string} src */
const holding = (src) => `<iframe src="${src}" width="800" height="700"></iframe>`;
const NESTED = "document.querySelector('iframe')";
/** What a browser says of a frame that it refuses. */
const REFUSED = { noise: /frame-ancestors|PayframeError|frame_blocked/ };

inOtherEngines('one frame', (stage) => {
  /** A shop's page with a form, or with the code of its failure. At `/outer` it holds itself. @param {import('node:test').TestContext} t */
  const framableShop = async (t) => {
    const { gatewayOrigin: gateway, api } = stage();
    let session = '';
    const shop = await servePages(t, (path) => (path === '/outer' ? holding('/') : `<script type="module" src="${gateway}/sdk/payframe.js"></script><payment-form gateway="${gateway}" session="${session}"></payment-form>
      <script>document.querySelector('payment-form').addEventListener('error', ({ detail }) => (document.body.dataset.code = detail.code))</script>`));
    /** A session for pages below these too. Gives its order. @param {string[]} ancestorOrigins */
    const open = async (ancestorOrigins) => {
      const orderId = newOrderId();
      ({ sessionId: session } = await api.open({ shop, orderId, ancestorOrigins, form: { closing: 'FRAME' } }));
      return orderId;
    };
    return { shop, open };
  };

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
    const { shop, open } = await framableShop(t);
    await open([]);
    const foreign = await servePages(t, () => holding(shop));
    const below = await stage().page(t, foreign, REFUSED);
    await below.within(NESTED).until("return document.body.dataset.code === 'frame_blocked'");
    const own = await stage().page(t, `${shop}/outer`, REFUSED);
    await own.within(NESTED).until("return document.querySelector('payment-form').matches(':state(ready)') && !document.body.dataset.code");
  });

  test("N8 a hotel's page that the session names holds a booking page with the form, another hotel's does not, and a challenge is passed there", async (t) => {
    const { shop, open } = await framableShop(t);
    const [hotel, foreign] = [await servePages(t, () => holding(shop)), await servePages(t, () => holding(shop))];
    const orderId = await open([hotel, 'https://inn.example']);
    const below = await stage().page(t, foreign, REFUSED);
    await below.within(NESTED).until("return document.body.dataset.code === 'frame_blocked'");
    const booking = (await stage().page(t, hotel, REFUSED)).within(NESTED);
    await booking.until("return document.querySelector('payment-form').matches(':state(ready)') && !document.body.dataset.code");
    const payment = new OneFrame(booking);
    await payment.fill(CHALLENGED);
    // WebKit's driver takes the focus out of a frame as deep as this before each step, and a press by pointer soon after that does not count.
    await payment.form.field('Name on card').press(Key.ENTER);
    await payment.answerChallenge('123456');
    await payment.form.says('#title', /^Payment complete$/);
    await stage().recorded(orderId, 'AUTHORIZATION EXECUTED');
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
