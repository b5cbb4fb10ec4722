/** Clickjacking: attacks of a page, and for each attack an honest press that pays. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { APPROVED } from './cards.mjs';
import { Payment, says } from './checkout.mjs';
import { servePages } from './page-server.mjs';
import { Stage } from './stage.mjs';

const COVERED = 'Something on the page covers this button. Scroll until you see all of it, then press again.';
const AGAIN = 'This button has just moved or come into view. Check the amount, then press again.';
const SUM = 'Make sure that you see the whole amount, then press again.';

/** An element of the attacker's page that buyers want to press. */
const BAIT = '<button id="bait" style="position:absolute;left:700px;top:640px;width:320px;height:60px">Win a prize</button>';

/** A form below the edge of a phone's screen. */
const PHONE = { place: 'left:0;top:900px;width:360px', context: { viewport: { width: 360, height: 740 } } };

suite('presses', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('presses');
  });
  after(() => stage.close());

  /**
   * A page of a shop with a form that is filled in, and the place of its pay button on the screen.
   * @param {import('node:test').TestContext} t
   * @param {{ attributes?: string, place?: string, context?: import('playwright-core').BrowserContextOptions }} [how]
   */
  async function filled(t, { attributes = '', place = 'left:20px;top:20px;width:400px', context = {} } = {}) {
    let session = '';
    const body = () => `<meta name="viewport" content="width=device-width"><script type="module" src="${stage.gatewayOrigin}/sdk/payframe.js"></script><body style="margin:0;height:2400px">${BAIT}
      <section aria-label="Payment" style="position:absolute;${place}"><payment-form gateway="${stage.gatewayOrigin}" session="${session}" ${attributes}></payment-form></section>`;
    const shop = await servePages(t, body);
    ({ sessionId: session } = await stage.api.open({ shop, form: { closing: 'FRAME' } }));
    const checkout = await stage.checkout(t, {}, { context });
    await checkout.page.goto(shop);
    const payment = checkout.payment();
    await payment.fill(APPROVED);
    await payment.settled();
    const form = payment.region.locator('payment-form');
    const told = await form.evaluateHandle((form) => ({ error: new Promise((resolve) => form.addEventListener('error', (event) => resolve(/** @type {CustomEvent} */ (event).detail), { once: true })) }));
    /** Why the shop hears that a press was not taken. */
    const refusal = () => told.evaluate(({ error }) => /** @type {Promise<{ code: string, message: string }>} */ (error));
    return { page: checkout.page, payment, form, refusal };
  }

  /** Waits until the button has been wholly visible for as long as a press needs. @param {Payment} payment */
  async function steady(payment) {
    const frame = await payment.document();
    await frame.evaluate(() => new Promise((resolve) => {
      const watching = new IntersectionObserver((entries) => {
        if ((entries.at(-1)?.intersectionRatio ?? 0) > 0.98) setTimeout(resolve, 1000), watching.disconnect();
      });
      watching.observe(/** @type {Element} */ (document.getElementById('pay')));
    }));
  }

  /** The middle of an element on the screen. @param {import('playwright-core').Locator} locator */
  async function middle(locator) {
    const { x, y, width, height } = /** @type {{ x: number, y: number, width: number, height: number }} */ (await locator.boundingBox());
    return { x: x + width / 2, y: y + height / 2 };
  }

  /** The form asks for another press, has paid nothing, and announces this at once. @param {Payment} payment @param {string} sentence */
  async function asksAgain(payment, sentence) {
    await says(payment.frame.locator('form, #panel').getByText(sentence, { exact: true }), sentence);
    await says(payment.alert, sentence);
    assert.equal(payment.checkout.requestsTo('fe/build/text').length, 0, 'nothing was sent');
  }

  /** @param {Payment} payment */
  async function pays(payment) {
    await payment.press();
    await payment.ends('Payment complete');
  }

  /** What a page does to the form. @type {[string, (form: HTMLElement | SVGElement) => void][]} */
  const attacks = [
    ['a strip of two pixels', (form) => {
      const frame = /** @type {HTMLElement} */ (form.parentElement);
      const height = Number(form.shadowRoot?.querySelector('iframe')?.getBoundingClientRect().height);
      Object.assign(frame.style, { overflow: 'hidden', height: '2px' });
      form.style.cssText = `display:block;margin-top:${-(height - 90)}px`;
    }],
    ['a clip-path', (form) => void (form.style.clipPath = 'inset(calc(100% - 80px) 60% 0 0)')],
    ['a cover that lets presses through', () => {
      const cover = Object.assign(document.createElement('div'), { id: 'cover', textContent: 'A prize' });
      cover.style.cssText = 'position:fixed;inset:0;z-index:9;background:#fff;pointer-events:none';
      document.body.append(cover);
    }],
    ['a form that lets its ground shine through', (form) => void (form.style.opacity = '0.01')],
  ];
  for (const [what, attack] of attacks) {
    test(`N18 a press by pointer does not pay through ${what}, and pays once the button is whole`, async (t) => {
      const { page, payment, form, refusal } = await filled(t);
      await steady(payment);
      await form.evaluate(attack);
      const frame = await payment.document();
      // The browser has reported the visibility.
      await frame.evaluate(() => new Promise((resolve) => {
        new IntersectionObserver((entries) => {
          const { intersectionRatio, isVisible } = /** @type {any} */ (entries.at(-1));
          if (intersectionRatio < 0.98 || !isVisible) setTimeout(resolve, 200);
        }, /** @type {any} */ ({ threshold: [0, 0.5, 0.98, 1], trackVisibility: true, delay: 100 })).observe(/** @type {Element} */ (document.getElementById('pay')));
      }));
      const { x, y, height } = /** @type {{ x: number, y: number, height: number }} */ (await payment.pay.boundingBox());
      const region = /** @type {{ y: number, height: number }} */ (await payment.region.boundingBox());
      // Where the button can be hit: in the strip, or in its corner.
      await page.mouse.click(x + 12, what.includes('strip') ? region.y + 1 : y + height / 2);
      await asksAgain(payment, COVERED);
      const { code, message } = await refusal();
      assert.equal(code, 'button_covered');
      assert.match(message, /^A press on Pay was not taken: (covered|shrunk)\.$/);
      await form.evaluate((form) => {
        form.style.cssText = '';
        /** @type {HTMLElement} */ (form.parentElement).style.cssText = 'position:absolute;left:20px;top:20px;width:400px';
        document.getElementById('cover')?.remove();
      });
      await steady(payment);
      await pays(payment);
    });
  }

  for (const ms of [0, 40, 160]) {
    test(`N18 a form that comes under a pointer at rest ${ms} ms before the second of two presses is not paid by it, and by the next`, async (t) => {
      const { page, payment, form, refusal } = await filled(t);
      await steady(payment);
      const pay = await middle(payment.pay);
      const bait = await middle(page.locator('#bait'));
      await page.mouse.move(bait.x, bait.y);
      await page.mouse.down();
      await page.mouse.up();
      await form.evaluate(async (form, [dx, dy, ms]) => {
        /** @type {HTMLElement} */ (form.parentElement).style.transform = `translate(${dx}px,${dy}px)`;
        // The browser knows where it is before the press comes.
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, ms))));
      }, [bait.x - pay.x, bait.y - pay.y, ms]);
      await page.mouse.down();
      await page.mouse.up();
      await asksAgain(payment, AGAIN);
      assert.equal((await refusal()).message, 'A press on Pay was not taken: moved.');
      await steady(payment);
      await page.mouse.down();
      await page.mouse.up();
      await payment.ends('Payment complete');
    });
  }

  test('N18 the second press of a double click whose first was elsewhere does not pay', async (t) => {
    const { page, payment } = await filled(t);
    await steady(payment);
    const { x, y } = await middle(payment.pay);
    await page.mouse.move(x, y);
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    await asksAgain(payment, AGAIN);
    await steady(payment);
    await pays(payment);
  });

  test('N18 a press by key pays, whatever covers the button', async (t) => {
    const { page, payment } = await filled(t);
    await page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<div style="position:fixed;inset:0;z-index:9;background:#fff;pointer-events:none"></div>'));
    await payment.pay.focus();
    await page.keyboard.press('Enter');
    await payment.ends('Payment complete');
  });

  /** Scrolls to the top of the page, and waits until the button is below the edge of the screen. @param {Payment} payment */
  async function belowTheFold(payment) {
    await payment.checkout.page.evaluate(() => scrollTo(0, 0));
    const frame = await payment.document();
    await frame.waitForFunction(() => new Promise((resolve) => new IntersectionObserver((entries, watching) => resolve((watching.disconnect(), !entries[0]?.isIntersecting))).observe(/** @type {Element} */ (document.getElementById('pay')))));
  }

  test('N18 a mouse that presses what was scrolled into view a moment ago pays half a second later', async (t) => {
    const { payment, form } = await filled(t);
    await form.evaluate((form) => void (/** @type {HTMLElement} */ (form.parentElement).style.top = '1300px'));
    await belowTheFold(payment);
    await pays(payment);
  });

  test('N18 on ten new pages of the width of a phone, a mouse scrolls to the button and presses at once: each press pays, and none is called covered', async (t) => {
    for (let page = 1; page <= 10; page++) {
      await t.test(`page ${page}`, async (t) => {
        const { payment, form } = await filled(t, PHONE);
        await belowTheFold(payment);
        const told = await form.evaluateHandle((form) => ({
          it: new Promise((resolve) => {
            form.addEventListener('result', (event) => resolve(Object(event).detail.outcome));
            form.addEventListener('error', (event) => resolve(Object(event).detail.message));
          }),
        }));
        await payment.pay.click();
        assert.equal(await told.evaluate(({ it }) => it), 'approved');
      });
    }
  });

  // ---- The page's own button -----------------------------------------------------------------------------------------------

  /** The result of a call by the page's script, at a press of the page's own button. @param {Awaited<ReturnType<typeof filled>>} shop */
  async function confirms({ page, form }) {
    const ended = await form.evaluateHandle((form) => ({
      it: new Promise((resolve) => {
        /** @type {HTMLElement} */ (document.getElementById('bait')).onclick = () => resolve(/** @type {any} */ (form).confirm().then((/** @type {{ outcome: string }} */ { outcome }) => outcome, (/** @type {{ code: string }} */ { code }) => code));
      }),
    }));
    await page.locator('#bait').click();
    return ended.evaluate(({ it }) => it);
  }

  for (const [what, style] of [['see-through', 'opacity:0'], ['moved out of sight', 'position:relative;left:-9999px'], ['clipped to a strip', 'clip-path:inset(0 0 calc(100% - 2px) 0)']]) {
    test(`N18 confirm() does not pay with a form that is ${what}, and pays once its sum can be read`, async (t) => {
      const shop = await filled(t, { attributes: 'button="hidden"' });
      const { payment, form } = shop;
      await form.evaluate((form, style) => form.setAttribute('style', style), String(style));
      assert.equal(await confirms(shop), 'form_unseen');
      await asksAgain(payment, SUM);
      await form.evaluate((form) => form.removeAttribute('style'));
      assert.equal(await confirms(shop), 'approved');
    });
  }

  test('N18 confirm() by a script alone, also one that claims a gesture, does not pay, and at a press of the page\'s button it does', async (t) => {
    const shop = await filled(t, { attributes: 'button="hidden"' });
    const { payment, form } = shop;
    const codes = await form.evaluate(async (form) => {
      // Some seconds later the buyer's last action does not count as a gesture any more.
      while (navigator.userActivation.isActive) await new Promise((resolve) => setTimeout(resolve, 50));
      const confirm = () => /** @type {any} */ (form).confirm().catch((/** @type {{ code: string }} */ { code }) => code);
      const alone = await confirm();
      const { postMessage } = MessagePort.prototype;
      MessagePort.prototype.postMessage = function (/** @type {object} */ command) {
        postMessage.call(this, { ...command, userActivation: { isActive: true, hasBeenActive: true } });
      };
      const claimed = await confirm();
      MessagePort.prototype.postMessage = postMessage;
      return [alone, claimed];
    });
    assert.deepEqual(codes, ['press_needed', 'press_needed']);
    await asksAgain(payment, SUM);
    assert.equal(await confirms(shop), 'approved');
    await payment.ends('Payment complete');
  });
});
