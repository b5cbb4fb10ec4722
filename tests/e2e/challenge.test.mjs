/** The issuer's page: its place and size, and the payment if the page fails. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { APPROVED, CHALLENGED, DEMANDING, OTHER_NETWORK, UNCONVINCED } from './cards.mjs';
import { recordEvents, says } from './checkout.mjs';
import { Stage } from './stage.mjs';

/** The way out is offered after ten seconds at the latest. */
const PATIENT = { timeout: 60_000 };

suite('challenge', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('challenge');
  });
  after(() => stage.close());

  for (const width of [250, 390, 500, 600, 1280]) {
    test(`L4 challenge in each standard size, and on a small screen → fits, full screen where needed, nothing cut: ${width} px`, async (t) => {
      const checkout = await stage.checkout(t, {}, { context: { viewport: { width, height: 900 }, screen: { width, height: 900 } } });
      const payment = checkout.payment();
      await payment.payWith(CHALLENGED);
      await payment.issuer.code.waitFor();
      const leave = payment.frame.getByRole('button', { name: 'Back to the card', exact: true });
      const form = checkout.page.getByTitle('Card payment');
      if (width < 600) {
        await checkout.page.waitForFunction(() => getComputedStyle(/** @type {Element} */ (document.querySelector('payment-form')?.shadowRoot?.querySelector('iframe'))).position === 'fixed');
        const box = await form.boundingBox();
        assert.deepEqual(box, { x: 0, y: 0, width, height: 900 }, 'the whole screen is the issuer\'s');
        const button = await leave.boundingBox();
        assert.ok(button && button.y + button.height <= 900, `the way back is on the screen: ${JSON.stringify(button)}`);
      }
      const challenge = checkout.document('/threeds/challenge/');
      const cut = await challenge.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.equal(cut, 0, 'nothing is cut at the side');
      await payment.issuer.answer('123456');
      await payment.ends('Payment complete');
    });
  }

  test('L8 issuer page refuses to be framed → same payment goes on by redirect', async (t) => {
    const checkout = await stage.checkout(t, {}, { noise: /refused|X-Frame-Options|frame/i });
    const payment = checkout.payment();
    await payment.live();
    await checkout.page.route('**/threeds/challenge/**', async (route) => {
      if (route.request().frame() === checkout.page.mainFrame()) return route.continue();
      const answer = await route.fetch();
      await route.fulfill({ response: answer, headers: { ...answer.headers(), 'content-security-policy': "frame-ancestors 'none'" } });
    });
    await payment.payWith(CHALLENGED);
    const orderId = await payment.orderId();
    const whole = payment.frame.getByRole('button', { name: 'Open in the whole window' });
    await whole.waitFor(PATIENT);
    await whole.click();
    await checkout.page.waitForURL('**/threeds/challenge/**');
    await checkout.page.getByTestId('acs-approve').click();
    await checkout.page.waitForURL((url) => url.origin === stage.shopOrigin);
    const operations = await stage.api.operations(orderId);
    assert.deepEqual(operations.map(({ operationResult }) => operationResult), ['EXECUTED']);
  });

  test('L10 buyer reloads during the challenge → the same attempt resumes or ends, without a second charge', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.payWith(CHALLENGED);
    await payment.issuer.code.waitFor();
    await checkout.page.locator('payment-form').evaluate((form) => /** @type {any} */ (form).reload());
    await payment.live();
    await payment.issuer.answer('123456');
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION EXECUTED');
    assert.equal(checkout.requestsTo('build/finalize_payment').length, 1);
  });

  test('L12 challenge result comes twice, late, or forged by the page → exactly one outcome, the server\'s', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.live();
    await payment.payWith(CHALLENGED);
    await payment.issuer.code.waitFor();
    const outcomes = await recordEvents(payment, 'result', 'outcome');
    const forge = () => checkout.page.locator('payment-form').evaluate((form, gateway) => {
      const frame = /** @type {HTMLIFrameElement} */ (form.shadowRoot?.querySelector('iframe')).contentWindow;
      for (let i = 0; i < 3; i++) /** @type {Window} */ (frame).postMessage({ type: 'challenge-returned', outcome: 'approved' }, gateway);
    }, stage.gatewayOrigin);
    await forge();
    await payment.recorded();
    await payment.issuer.answer('123456');
    await payment.ends('Payment complete');
    await forge();
    await payment.recorded('AUTHORIZATION EXECUTED');
    assert.deepEqual(await outcomes(), ['approved']);
  });

  test('issuer declines without an authentication → its challenge follows, nothing is typed again, and a second operation pays', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.payWith(DEMANDING);
    await payment.issuer.code.waitFor();
    await payment.recorded('AUTHORIZATION DECLINED');
    await payment.issuer.answer('123456');
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION DECLINED', 'AUTHORIZATION EXECUTED');
    assert.equal(checkout.requestsTo('build/finalize_payment').length, 1);
    assert.equal(checkout.requestsTo('fe/build/text').length, 1);
  });

  test('issuer declines without an authentication, and after the challenge too → the form says so, and another card pays', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.payWith(UNCONVINCED);
    await payment.issuer.answer('123456');
    await payment.issuer.element.waitFor({ state: 'detached' });
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION DECLINED', 'AUTHORIZATION DECLINED', 'AUTHORIZATION EXECUTED');
  });

  for (const [what, address] of /** @type {const} */ ([
    ['a page of its own', '/'],
    ['an empty page, to write into', 'about:blank'],
    ['a page without an origin', 'data:text/html,<h1>Enter your card again</h1>'],
    ['another page of the gateway', '/health'],
  ])) {
    test(`L17 script in the page leads the issuer's frame to ${what} → it is taken away with a sentence, and the payment goes on`, async (t) => {
      const checkout = await stage.checkout(t, {}, { noise: /Content Security Policy|Framing/ });
      const payment = checkout.payment();
      await payment.payWith(CHALLENGED);
      await payment.issuer.code.waitFor();
      const troubles = await recordEvents(payment, 'error', 'code');
      const orderId = await payment.orderId();
      const url = what.startsWith('another') ? `${stage.gatewayOrigin}${address}` : address;
      const written = await checkout.page.locator('payment-form').evaluate(async (form, url) => {
        const frame = /** @type {HTMLIFrameElement} */ (form.shadowRoot?.querySelector('iframe')).contentWindow;
        const nested = /** @type {Window} */ (/** @type {Window} */ (frame)[0]);
        nested.location.href = new URL(url, location.href).href;
        // Tries for a second, as an attacker does, to write a text into the document that replaces the issuer's page.
        const until = performance.now() + 1000;
        let written = false;
        while (url === 'about:blank' && !written && performance.now() < until) {
          await new Promise((resolve) => setTimeout(resolve));
          try {
            nested.document.body.textContent = 'Enter your card again';
            written = true;
          } catch {
            // The frame is not there yet, or not any more.
          }
        }
        return written;
      }, url);
      t.diagnostic(`written into: ${written}`);
      await payment.frame.getByText("Your bank's page cannot be shown here. Never enter card details in its place.").first().waitFor();
      await payment.issuer.element.waitFor({ state: 'detached' });
      assert.equal(await payment.frame.getByText('Enter your card again').count(), 0);
      const whole = payment.frame.getByRole('button', { name: 'Open in the whole window' });
      await whole.waitFor();
      await troubles.until('challenge_replaced');
      await whole.click();
      await checkout.page.waitForURL('**/threeds/challenge/**');
      await checkout.page.getByTestId('acs-approve').click();
      await checkout.page.waitForURL((url) => url.origin === stage.shopOrigin);
      const operations = await stage.api.operations(orderId);
      assert.deepEqual(operations.map(({ operationResult }) => operationResult), ['EXECUTED']);
    });
  }

  test('L13 report of the challenge result is lost → outcome still arrives, by polling', async (t) => {
    const checkout = await stage.checkout(t, {}, { noise: /ERR_FAILED/ });
    const payment = checkout.payment();
    await payment.live();
    await checkout.page.route('**/assets/threeds/return.*.js', (route) => route.abort());
    await payment.payWith(CHALLENGED);
    await payment.issuer.answer('123456');
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION EXECUTED');
  });

  test('L9 merchant asks for redirect → page leaves and returns, and the outcome is read from the server, not from the address', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.live();
    const orderId = await payment.orderId();
    await checkout.page.locator('payment-form').evaluate((form) => form.setAttribute('challenge', 'redirect'));
    await payment.payWith(CHALLENGED);
    await checkout.page.waitForURL('**/threeds/challenge/**');
    await checkout.page.getByTestId('acs-otp').waitFor();
    // The shop does not trust an address that claims a success: it asks the gateway, which has no operation.
    assert.deepEqual(await stage.api.operations(orderId), []);
    await checkout.page.getByTestId('acs-approve').click();
    await checkout.page.waitForURL((url) => url.origin === stage.shopOrigin);
    const operations = await stage.api.operations(orderId);
    assert.deepEqual(operations.map(({ operationResult }) => operationResult), ['EXECUTED']);
  });

  test('L14 authentication fails → text says the bank did not confirm, and another card can be used', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.payWith(CHALLENGED);
    await payment.issuer.reject.click();
    await says(payment.alert, 'Your bank did not confirm');
    await payment.keeps(CHALLENGED);
    await payment.payWith(OTHER_NETWORK);
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION THREEDS_FAILED', 'AUTHORIZATION EXECUTED');
  });

  test('L15 buyer approves in the bank\'s app and returns → the form goes on without a press', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.payWith(CHALLENGED);
    await payment.issuer.code.waitFor();
    const challenge = checkout.document('/threeds/challenge/');
    // The app tells the issuer; the page in the form is not told.
    const action = await challenge.evaluate(() => /** @type {HTMLFormElement} */ (document.querySelector('form')).action);
    await checkout.page.context().request.post(action, { form: { answer: 'approve' }, maxRedirects: 0 });
    const asked = checkout.page.waitForRequest((request) => request.url().includes('/api/build/state'));
    const form = await payment.document();
    await form.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await asked;
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION EXECUTED');
  });

  test('L16 issuer frame → may use passkeys, and cannot navigate the page or read ours', async (t) => {
    const checkout = await stage.checkout(t, {}, { noise: /Unsafe attempt to initiate navigation|sandboxed|Blocked a frame/ });
    const payment = checkout.payment();
    await payment.payWith(CHALLENGED);
    await payment.issuer.code.waitFor();
    const address = checkout.page.url();
    const frame = await payment.issuer.element.evaluate((frame) => ({ allow: frame.getAttribute('allow'), sandbox: frame.getAttribute('sandbox') }));
    assert.match(frame.allow ?? '', /publickey-credentials-get/);
    assert.doesNotMatch(frame.sandbox ?? 'allow-top-navigation', /allow-top-navigation(?!-to-custom-protocols)/);
    const challenge = checkout.document('/threeds/challenge/');
    const refused = await challenge.evaluate(() => {
      const tries = [() => (/** @type {Window} */ (top).location.href = 'about:blank'), () => /** @type {Window} */ (top).document];
      return tries.map((act) => {
        try {
          act();
          return '';
        } catch (error) {
          return /** @type {Error} */ (error).name;
        }
      });
    });
    assert.deepEqual(refused, ['SecurityError', 'SecurityError']);
    assert.equal(checkout.page.url(), address);
    await payment.issuer.answer('123456');
    await payment.ends('Payment complete');
  });
});
