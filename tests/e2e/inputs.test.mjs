/** What browsers, keypads, password managers and readers find in the form, and what the form asks of the network. */

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { APPROVED, NO_FUNDS, WRONG_CHECK_DIGIT } from './cards.mjs';
import { hasFocus, recordEvents, holds, says } from './checkout.mjs';
import { Stage } from './stage.mjs';

suite('inputs', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('inputs');
  });
  after(() => stage.close());

  /** @param {import('node:test').TestContext} t @param {Record<string, string>} [query] @param {import('./stage.mjs').Opening} [opening] */
  async function open(t, query, opening) {
    const checkout = await stage.checkout(t, query, opening);
    const payment = checkout.payment(query?.locale === 'it' ? { locale: 'it' } : {});
    await payment.live();
    return payment;
  }

  /** An attribute of the four inputs, in their order. @param {import('./checkout.mjs').Payment} payment @param {string} name */
  const each = (payment, name) => Promise.all([payment.number, payment.expiry, payment.code, payment.name].map((input) => input.getAttribute(name)));

  test('F1 each input carries the standard autocomplete token for its content', async () => {
    const payment = await stage.unpaid();
    assert.deepEqual(await each(payment, 'autocomplete'), ['cc-number', 'cc-exp', 'cc-csc', 'cc-name']);
  });

  test('F1 what the session does not ask for is not in the page, so that no browser fills it in unseen', async () => {
    const form = await (await stage.unpaid()).document();
    const asked = ['CARD_NUMBER', 'EXPIRATION_DATE', 'SECURITY_CODE', 'CARDHOLDER_NAME'];
    assert.deepEqual(await form.locator('input[autocomplete], input[name=privacy]').evaluateAll((inputs) => inputs.map(({ id }) => id)), asked);
  });

  test('E6 key of the keypad that ends a field → it is called next, and that of the last field pays', async () => {
    const payment = await stage.unpaid();
    assert.deepEqual(await each(payment, 'enterkeyhint'), ['next', 'next', 'next', 'go']);
  });

  test('form is laid out narrower than any form → the page is told no height, and the former one stays', async () => {
    const payment = await stage.unpaid();
    const form = payment.region.locator('payment-form');
    const height = () => form.evaluate((form) => /** @type {HTMLElement} */ (form).offsetHeight);
    const before = await height();
    const frame = await payment.document();
    /** @param {string} width */
    const laidOut = async (width) => {
      await form.evaluate((form, width) => void (/** @type {HTMLElement} */ (form).style.width = width), width);
      // Waits until the frame has that width, and its observers have been called.
      await frame.evaluate(([narrow]) => new Promise((resolve) => {
        const look = () => (innerWidth < 60 === narrow ? setTimeout(resolve, 300) : requestAnimationFrame(look));
        look();
      }), [width !== '']);
    };
    await laidOut('40px');
    assert.equal(await height(), before);
    await laidOut('');
    assert.equal(await height(), before);
  });

  test('messages of two fields side by side on a phone → each takes the width of both, one below the other', async (t) => {
    const payment = await open(t, {}, { context: { viewport: { width: 360, height: 900 } } });
    await payment.press();
    await says(payment.alert, 'Enter your card number.');
    const [number, expiry, code] = await Promise.all(['CARD_NUMBER', 'EXPIRATION_DATE', 'SECURITY_CODE'].map((id) => payment.frame.locator(`#${id}-note`).boundingBox()));
    assert.deepEqual([expiry?.x, expiry?.width, code?.x, code?.width], [number?.x, number?.width, number?.x, number?.width]);
    assert.ok(Number(code?.y) >= Number(expiry?.y) + Number(expiry?.height));
    const [first, second] = await Promise.all([payment.expiry.boundingBox(), payment.code.boundingBox()]);
    assert.equal(first?.y, second?.y, 'the inputs stand side by side');
  });

  test('I6 expiry date in Arabic → the month stays at its place while the year comes', async (t) => {
    const checkout = await stage.checkout(t, { locale: 'ar' });
    const input = checkout.page.frameLocator('payment-form iframe').locator('#EXPIRATION_DATE');
    await input.pressSequentially('1');
    /** The alignment and direction of the text. */
    const begins = () => input.evaluate((input) => getComputedStyle(input).textAlign + getComputedStyle(input).direction);
    const before = await begins();
    await input.pressSequentially('230');
    await holds(input, '12 / 30');
    assert.deepEqual([before, await begins()], ['leftltr', 'leftltr']);
  });

  test('F2 F8 the frame may be filled in, and has its real address from the first moment', async (t) => {
    /** @type {string[]} */
    const addresses = [];
    const payment = await open(t, {}, { prepare: async (page) => void page.on('framenavigated', (frame) => frame.parentFrame() === page.mainFrame() && addresses.push(new URL(frame.url()).pathname)) });
    const frame = payment.region.getByTitle('Card payment');
    const allowed = ((await frame.getAttribute('allow')) ?? '').split(/;\s*/);
    for (const feature of ['autofill', 'shared-autofill', 'payment', 'publickey-credentials-get']) {
      assert.ok(allowed.some((grant) => grant.split(' ')[0] === feature), `${feature} in ${allowed}`);
    }
    assert.equal(new URL((await frame.getAttribute('src')) ?? '').origin, stage.gatewayOrigin);
    assert.deepEqual(addresses, ['/form/'], 'no empty document before it');
  });

  test('F6 browser only previews a suggestion → no value, no event, no error', async (t) => {
    const payment = await open(t);
    const form = await payment.document();
    await payment.number.focus();
    const changes = await recordEvents(payment, 'change', 'fields');
    const client = await payment.checkout.page.context().newCDPSession(form);
    await client.send('DOM.enable');
    await client.send('CSS.enable');
    const { root } = await client.send('DOM.getDocument');
    const inputs = [payment.number, payment.expiry, payment.code, payment.name];
    const { nodeIds } = await client.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: 'input' });
    /** A browser's preview: a field has the style of a filled one without a value. @param {string[]} forcedPseudoClasses */
    const preview = (...forcedPseudoClasses) => Promise.all(nodeIds.map((nodeId) => client.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses })));
    await preview('autofill');
    for (const input of inputs) {
      assert.ok(await input.evaluate((input) => input.matches(':autofill')), 'it looks filled');
      assert.equal(await input.inputValue(), '');
    }
    await preview();
    assert.equal(await form.locator('[aria-invalid=true]').count(), 0);
    // The next edit is the first that is reported.
    await payment.name.fill('Ada');
    await payment.region.locator('payment-form:state(filled)').waitFor();
    assert.deepEqual((await changes())[0].map((/** @type {{ id: string, empty: boolean }} */ { id, empty }) => [id, empty]), [['CARD_NUMBER', true], ['EXPIRATION_DATE', true], ['SECURITY_CODE', true], ['CARDHOLDER_NAME', false]]);
  });

  test('F11 payment succeeds → the browser can offer to keep the card; after a failure it does not', async (t) => {
    const payment = await open(t);
    const form = await payment.document();
    // Browsers offer to save a card if a form with a card is submitted, requests follow, and then the form is hidden.
    const submitted = await form.evaluateHandle(() => {
      const seen = /** @type {unknown[]} */ ([]);
      addEventListener('submit', ({ isTrusted, target }) => {
        const { elements } = /** @type {HTMLFormElement} */ (target);
        seen.push([isTrusted, ...['cc-number', 'cc-exp', 'cc-name'].map((token) => [...elements].some((input) => /** @type {any} */ (input).autocomplete === token && /** @type {any} */ (input).value))]);
      }, true);
      return seen;
    });
    const inSight = () => form.locator('#card').isVisible();
    await payment.payWith(NO_FUNDS);
    await says(payment.alert, 'lack of funds');
    await payment.keeps(NO_FUNDS);
    assert.equal(await inSight(), true);
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete');
    assert.equal(await inSight(), false);
    assert.deepEqual(await submitted.jsonValue(), [[true, true, true, true], [true, true, true, true]]);
  });

  test('F3 F4 a card that the browser fills in at once is one change for each field, and its brand is found', async (t) => {
    const payment = await open(t);
    const form = await payment.document();
    await payment.expiry.focus();
    await form.evaluate(
      ([number, expiry, name]) => {
        const fill = (/** @type {string} */ id, /** @type {string} */ value) => {
          const input = /** @type {HTMLInputElement} */ (document.getElementById(id));
          input.value = value;
          input.dispatchEvent(new Event('input', { bubbles: true }));
          input.dispatchEvent(new Event('change', { bubbles: true }));
        };
        fill('CARD_NUMBER', number ?? '');
        fill('EXPIRATION_DATE', expiry ?? '');
        fill('CARDHOLDER_NAME', name ?? '');
      },
      [APPROVED.number, APPROVED.expiry.replace(' / ', '/20'), APPROVED.name],
    );
    await holds(payment.number, APPROVED.shown);
    await holds(payment.expiry, APPROVED.expiry);
    await holds(payment.name, APPROVED.name);
    await payment.frame.getByRole('img', { name: 'Visa' }).waitFor();
    await hasFocus(payment.expiry);
    await payment.code.fill(APPROVED.code);
    await payment.press();
    await payment.ends('Payment complete');
  });

  test('F7 G16 no field is a password, and each takes what is pasted', async () => {
    const payment = await stage.unpaid();
    assert.deepEqual(await each(payment, 'type'), ['text', 'text', 'text', 'text']);
    for (const [input, text, shown] of /** @type {const} */ ([[payment.number, APPROVED.number, APPROVED.shown], [payment.expiry, '12/30', '12 / 30'], [payment.code, APPROVED.code, APPROVED.code], [payment.name, APPROVED.name, APPROVED.name]])) {
      await input.focus();
      const taken = await input.evaluate((field, text) => {
        const data = new DataTransfer();
        data.setData('text/plain', text);
        // Either the event is not prevented, or the form does the same itself.
        const left = field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
        return !left || document.execCommand('insertText', false, text);
      }, text);
      assert.ok(taken);
      await holds(input, shown);
    }
  });

  test('E5 Backspace in an empty field leads to the end of the one before, which loses nothing', async () => {
    const payment = await stage.unpaid();
    await payment.number.fill(APPROVED.number);
    await payment.expiry.focus();
    await payment.checkout.page.keyboard.press('Backspace');
    await hasFocus(payment.number);
    await holds(payment.number, APPROVED.shown);
    const carets = await payment.number.evaluate((/** @type {HTMLInputElement} */ input) => [input.selectionStart, input.selectionEnd]);
    assert.deepEqual(carets, [APPROVED.shown.length, APPROVED.shown.length]);
  });

  test('E6 a phone shows digits for numbers and letters for the name', async () => {
    const payment = await stage.unpaid();
    assert.deepEqual(await each(payment, 'inputmode'), ['numeric', 'numeric', 'numeric', null]);
  });

  for (const { layout, path, message } of [{ layout: 'the form', path: '/', message: true }, { layout: 'fields in frames of their own', path: '/fields', message: false }]) {
    test(`E9 a keypad that covers the focused field → the field, and its message, are scrolled into view: ${layout}`, async (t) => {
      const checkout = await stage.checkout(t, { locale: 'it' }, { path, context: { viewport: { width: 390, height: 900 } } });
      const { page } = checkout;
      // From then on the shim has named the frame.
      await page.getByTitle('Pagamento con carta', { exact: true }).waitFor();
      const payment = checkout.payment({ locale: 'it' });
      const name = path === '/' ? payment.name : page.locator('payment-field[name=CARDHOLDER_NAME] iframe').contentFrame().getByRole('textbox');
      await name.fill('4');
      await name.press('Tab');
      await name.focus();
      const note = payment.frame.locator('#CARDHOLDER_NAME-note');
      if (message) await says(note, /./);
      // At the lower end of the window, as of a page that is short.
      await page.evaluate(() => document.body.prepend(Object.assign(document.createElement('div'), { id: 'above' })));
      const low = async () => (await name.boundingBox())?.y ?? 0;
      await page.evaluate((px) => /** @type {HTMLElement} */ (document.getElementById('above')).style.setProperty('height', `${px}px`), 780 - (await low()));
      await page.evaluate(() => scrollTo(0, 0));
      assert.ok(await low() > 700, 'the field is low');
      await page.setViewportSize({ width: 390, height: 480 });
      const seen = (/** @type {import('playwright-core').Locator} */ part) =>
        part.evaluate((element) => new Promise((resolve) => {
          const observer = new IntersectionObserver(([entry]) => entry && entry.intersectionRatio > 0.99 && (observer.disconnect(), resolve(true)), { threshold: [0.5, 0.99, 1] });
          observer.observe(element);
        }));
      await seen(name);
      if (message) await seen(note);
      await hasFocus(name);
    });
  }

  test('C12 a likely slip in an e-mail address → another one is offered in the form, and applied only if the buyer says so', async (t) => {
    const checkout = await stage.checkout(t);
    const { sessionId } = await stage.api.open({ shop: stage.shopOrigin, key: 'sandbox-six-fields', form: { closing: 'FRAME' } });
    const payment = checkout.payment();
    await payment.live();
    await checkout.page.locator('payment-form').evaluate((form, session) => form.setAttribute('session', session), sessionId);
    const email = payment.frame.getByRole('textbox', { name: 'E-mail address' });
    const offer = payment.frame.getByRole('button', { name: /^Did you mean/ });
    const polite = payment.frame.getByRole('status').filter({ hasText: 'Did you mean' });
    await email.waitFor();
    await payment.live();
    await email.fill('  ada@gmial.com ');
    await email.press('Tab');
    await says(offer, 'ada@gmail.com');
    await polite.waitFor({ state: 'attached' });
    await holds(email, '  ada@gmial.com ');
    // Further typing withdraws it.
    await email.focus();
    await email.press('End');
    await email.press('Backspace');
    await offer.waitFor({ state: 'detached' });
    await email.press('Tab');
    await offer.click();
    await holds(email, 'ada@gmail.com');
    await hasFocus(email);
    await offer.waitFor({ state: 'detached' });
    // A buyer who means this address keeps it.
    await email.fill('ada@gmial.com');
    await email.press('Tab');
    await offer.waitFor();
    await payment.frame.getByRole('textbox', { name: 'Surname on card' }).fill('Lovelace');
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete');
    assert.ok(!checkout.requests.some((request) => request.url().includes('gmail')), 'no address is in an address');
  });

  test('G1 G6 each input has a label in its own document that stays in sight, and is named by it', async () => {
    const payment = await stage.unpaid();
    await payment.fill(APPROVED);
    for (const [input, name] of /** @type {const} */ ([[payment.number, 'Card number'], [payment.expiry, 'Expiry date'], [payment.code, 'Security code'], [payment.name, 'Name on card']])) {
      const label = payment.frame.locator(`label[for="${await input.getAttribute('id')}"]`);
      assert.ok(await label.isVisible(), name);
      assert.equal((await label.innerText()).trim(), name);
    }
    assert.equal((await payment.pay.innerText()).trim(), 'Pay €35.45', 'the button is called what it says');
  });

  test('G2 an error is the description of its field, and the invalid mark comes and goes with it', async () => {
    const payment = await stage.unpaid();
    await payment.number.fill(WRONG_CHECK_DIGIT.number);
    await payment.number.blur();
    await payment.frame.locator('#CARD_NUMBER[aria-invalid=true]').waitFor();
    const note = payment.frame.locator(`[id="${await payment.number.getAttribute('aria-describedby')}"]`);
    assert.match(await note.innerText(), /number/i);
    await payment.number.fill(APPROVED.number);
    await payment.frame.locator('#CARD_NUMBER:not([aria-invalid=true])').waitFor();
    assert.equal((await note.innerText()).trim(), '');
  });

  test('G4 what is found and what is going on is said politely, in a region that was there before', async (t) => {
    const payment = await open(t);
    const polite = payment.frame.locator('[role=status]');
    assert.equal(await polite.count(), 1);
    assert.equal((await polite.innerText()).trim(), '');
    await payment.number.pressSequentially(APPROVED.number.slice(0, 6));
    await says(polite, 'Visa');
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete');
  });

  test('G14 a refusal is said in words and marked by more than its colour', async () => {
    const payment = await stage.unpaid();
    await payment.number.fill(WRONG_CHECK_DIGIT.number);
    await payment.number.blur();
    await payment.frame.locator('#CARD_NUMBER[aria-invalid=true]').waitFor();
    const border = (/** @type {import('playwright-core').Locator} */ input) => input.evaluate((field) => getComputedStyle(field).boxShadow);
    const note = await payment.frame.locator('#CARD_NUMBER-note').innerText();
    assert.match(note, /\w+ \w+/, 'a sentence');
    assert.notEqual(await border(payment.number), await border(payment.expiry), 'and a thicker border');
  });

  test('G18 the choice of a network is a named group that is worked with the arrows', async () => {
    const payment = await stage.unpaid();
    await payment.number.pressSequentially('4761732500000004');
    const group = payment.frame.getByRole('group', { name: "Choose the card's network", exact: true });
    await group.waitFor();
    await payment.number.press('Tab');
    const choices = group.getByRole('radio');
    assert.equal(await choices.count(), 2);
    await payment.checkout.page.keyboard.press('ArrowDown');
    await hasFocus(choices.nth(1));
    assert.ok(await choices.nth(1).isChecked());
  });

  test('N17 a page that is loaded again, or gone back to, brings back no digit', async (t) => {
    const payment = await open(t);
    const { page } = payment.checkout;
    await payment.fill(APPROVED);
    await page.reload({ waitUntil: 'commit' });
    await payment.live();
    await holds(payment.number, '');
    await holds(payment.code, '');
    await payment.fill(APPROVED);
    await page.goto('about:blank');
    await page.goBack({ waitUntil: 'commit' });
    await payment.live();
    await holds(payment.number, '');
    await holds(payment.code, '');
  });

  test('N16 N19 O1 O2 a whole payment asks gateway and shop alone, tells nobody where it stands, reports nothing, and leaves no digit in an input', async (t) => {
    const payment = await open(t);
    const form = await payment.document();
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete');
    const left = await form.evaluate(() => [.../** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll('input:not([type=radio], [type=checkbox])'))].map((input) => input.value).join(''));
    assert.equal(left, '');
    const { requests } = payment.checkout;
    const sentByFrames = requests.filter((request) => request.frame() !== payment.checkout.page.mainFrame());
    const origins = new Set(sentByFrames.map((request) => new URL(request.url()).origin));
    assert.deepEqual([...origins], [stage.gatewayOrigin]);
    const known = new Set([stage.gatewayOrigin, stage.shopOrigin]);
    for (const request of requests) assert.ok(known.has(new URL(request.url()).origin), request.url());
    for (const request of sentByFrames) {
      const referrer = (await request.allHeaders()).referer;
      assert.ok(referrer === undefined || new URL(referrer).href === `${new URL(referrer).origin}/`, `${request.url()} was told ${referrer}`);
    }
  });

  test('O3 a released file is the same for ever, and may be kept as long', async () => {
    const payment = await stage.unpaid();
    // Pictures of networks and methods keep their names from release to release.
    const assets = payment.checkout.requests.filter((request) => /^\/assets\/(?!methods\/)/.test(new URL(request.url()).pathname));
    assert.ok(assets.length > 0, 'there are some');
    for (const request of assets) {
      const cache = (await (await request.response())?.allHeaders())?.['cache-control'] ?? '';
      assert.match(cache, /max-age=31536000.*immutable/, request.url());
    }
  });
});
