// @ts-check
/** The fake elements in jsdom and in happy-dom: loading, events in their order, calls and their errors, and fields of their own. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { installFake } from '@payframe/testing/fake';
import { reactCheckout } from './react-checkout.mjs';
import { happyDom, jsdom } from './windows.mjs';

/** @import { PaymentFieldElement, PaymentFormEventMap } from '@payframe/form' */

/** @type {(keyof PaymentFormEventMap)[]} */
const EVENTS = ['ready', 'change', 'focus', 'blur', 'enter', 'resize', 'statechange', 'result', 'expiring', 'error'];
const FIELDS = /** @type {const} */ (['CARD_NUMBER', 'EXPIRATION_DATE', 'SECURITY_CODE', 'CARDHOLDER_NAME']);
const TAG = '<payment-form gateway="https://gateway.example" session="s1"></payment-form>';

/** The sources of the declarations that the fake implements. */
const declared = Object.fromEntries(['payframe', 'fields'].map((name) => [name, readFileSync(new URL(`../../../www/sdk/${name}.d.ts`, import.meta.url), 'utf8')]));

/** The names of members in an interface of the SDK's declarations. @param {'payframe' | 'fields'} file @param {string} name */
function membersOf(file, name) {
  const body = new RegExp(`^export interface ${name} [^]*?\\{\\n([^]*?)^\\}`, 'm').exec(declared[file] ?? '')?.[1] ?? '';
  const members = [...body.matchAll(/^ {2}(?:readonly |get |set )?(\w+)[?(:<]/gm)].map(([, member = '']) => member);
  assert.ok(members.length > 2, name);
  return [...new Set(members)];
}

const LIBRARIES = { jsdom: await jsdom(), 'happy-dom': await happyDom() };

for (const [library, open] of Object.entries(LIBRARIES)) {
  suite(`fake elements in ${library}`, () => {
    /** A page with a form, and all that it hears. @param {string} [html] */
    function page(html = TAG) {
      const window = open();
      const fake = installFake(window);
      window.document.body.innerHTML = html;
      /** @type {[string, any][]} */
      const told = [];
      const form = fake.form();
      for (const type of EVENTS) form.addEventListener(type, (event) => told.push([type, /** @type {CustomEvent} */ (event).detail]));
      /** What was heard since the last call: states, outcomes and codes by their word. */
      const heard = () => told.splice(0).map(([type, detail]) => [type, detail?.state ?? detail?.field ?? detail?.outcome ?? detail?.code].filter(Boolean).join(' '));
      return { window, fake, form, told, heard, body: window.document.body };
    }
    /** A page whose form can be paid with. @param {string} [html] */
    async function filled(html) {
      const opened = page(html);
      await opened.fake.buyer().fill();
      opened.told.splice(0);
      return opened;
    }
    /** @param {Promise<unknown>} call @returns {Promise<string>} its code */
    const refused = (call) => call.then(() => 'done', ({ name, code, message }) => {
      assert.equal(name, 'PayframeError');
      assert.match(message, / .*\.$/);
      return code;
    });

    test('every member and every event of the real elements is there', async () => {
      const { form, window, fake } = page(`${TAG}<payment-field></payment-field>`);
      const field = window.document.querySelector('payment-field');
      for (const name of membersOf('payframe', 'PaymentFormElement')) assert.ok(name in form, name);
      for (const name of membersOf('fields', 'PaymentFieldElement')) assert.ok(field && name in field, name);
      const events = membersOf('payframe', 'PaymentFormEventMap');
      assert.deepEqual([...events].sort(), [...EVENTS].sort());
      for (const name of events) {
        let heard = 0;
        form.addEventListener(name, () => heard++);
        fake.emit(/** @type {any} */ (name), /** @type {any} */ (name === 'change' ? { fields: [] } : {}));
        assert.equal(heard, 1, name);
      }
    });

    test('a form loads, and says what is entered without a value', async () => {
      const { form, fake, heard, told } = page();
      assert.equal(form.dataset.state ?? '', '');
      await form.whenReady;
      assert.equal(form.dataset.state, 'ready');
      assert.deepEqual(heard(), ['ready', 'statechange CARD_DATA_COLLECTION']);
      await fake.buyer().enter('CARD_NUMBER');
      assert.deepEqual(told.splice(0), [
        ['focus', { field: 'CARD_NUMBER' }],
        ['change', {
          complete: false, empty: false, brand: 'VISA', candidates: ['VISA'], reason: 'Complete the card details.',
          fields: FIELDS.map((id) => ({ id, empty: id !== 'CARD_NUMBER', complete: id === 'CARD_NUMBER' })),
        }],
      ]);
      await fake.buyer().fill({ EXPIRATION_DATE: 'expiry_past' });
      const [, last] = told.at(-1) ?? [];
      assert.deepEqual([last.complete, last.fields[1]], [false, { id: 'EXPIRATION_DATE', empty: false, complete: false, error: 'expiry_past', message: 'This card has expired.' }]);
      assert.equal(form.dataset.state, 'ready filled invalid focused');
      assert.deepEqual(await form.validate(), [{ field: 'EXPIRATION_DATE', code: 'expiry_past' }]);
      await assert.rejects(fake.buyer().enter('CARDHOLDER_EMAIL'), /no field CARDHOLDER_EMAIL; it has CARD_NUMBER,/);
    });

    test('an approved payment: the same promise for two calls, and the events in their order', async () => {
      const { form, heard, told, window } = await filled();
      assert.equal(form.dataset.state, 'ready complete filled focused');
      const calls = [form.confirm(), form.confirm()];
      const [result, same] = await Promise.all(calls);
      assert.equal(result, same);
      assert.deepEqual(result, { outcome: 'approved', orderId: 'ORDER-1', operationId: '000000000000000001', final: true });
      assert.ok(told.every(([type, detail]) => type !== 'result' || detail === result));
      assert.deepEqual(heard(), ['blur CARDHOLDER_NAME', 'statechange PROCESSING', 'change', 'statechange FINALIZING', 'statechange PAYMENT_COMPLETE', 'result approved']);
      assert.equal(form.dataset.state, 'ready filled');
      for (const call of [form.confirm(), form.validate(), form.clear(), form.focus(), form.setServerError({ code: 'x' })]) assert.equal(await refused(call), 'wrong_state');
      await Promise.all([form.cancel(), form.refresh(), form.update({ locale: 'it' })]);
      assert.deepEqual([heard(), form.locale, window.document.querySelectorAll('iframe').length], [[], 'it', 0]);
    });

    test('a refusal that allows another try, then one after the bank\'s page', async () => {
      const { form, fake, heard } = await filled();
      fake.outcome = ['declined', 'challenged'];
      const first = await fake.buyer().pay();
      assert.deepEqual([first.outcome, first.final], ['declined', false]);
      assert.deepEqual(heard().slice(-3), ['statechange CARD_DATA_COLLECTION', 'result declined', 'focus SECURITY_CODE']);
      assert.equal(await refused(form.confirm()), 'invalid_data');
      await fake.buyer().enter('SECURITY_CODE');
      heard();
      assert.equal((await form.confirm()).outcome, 'approved');
      assert.deepEqual(heard().filter((each) => each !== 'change'), [
        'blur SECURITY_CODE', 'statechange PROCESSING', 'statechange FINALIZING', 'statechange CHALLENGE', 'statechange PAYMENT_COMPLETE', 'result approved',
      ]);
    });

    test('the details of a result, also where the merchant\'s server closes', async () => {
      const { form, fake, heard } = await filled();
      fake.outcome = { outcome: 'declined', cause: 'challenge_timeout', final: true, operationId: '7', bin: '476173', last4: '0003', serverCloses: true };
      assert.deepEqual(await form.confirm(), { outcome: 'declined', orderId: 'ORDER-1', operationId: '7', cause: 'challenge_timeout', final: true, bin: '476173', last4: '0003' });
      assert.ok(heard().includes('statechange READY_FOR_PAYMENT'));
      fake.outcome = /** @type {any} */ ('paid');
      const other = await filled();
      other.fake.outcome = /** @type {any} */ ('paid');
      await assert.rejects(other.form.confirm(), /no outcome "paid"; there are approved, pending/);
    });

    test('the form is at work while an outcome is pending; the buyer gives up on the bank\'s page', async () => {
      const { form, fake, heard } = await filled();
      fake.outcome = new Promise(() => {});
      const press = fake.buyer().pay();
      await form.whenReady;
      assert.equal(form.dataset.state, 'ready busy complete filled');
      assert.equal(await refused(form.confirm()), 'busy');
      assert.equal(await refused(form.validate()), 'wrong_state');
      form.reload();
      assert.equal(await refused(press), 'data_lost');
      await fake.buyer().fill();
      fake.outcome = { outcome: 'approved', challenge: new Promise(() => {}) };
      heard();
      const confirmed = form.confirm();
      while (!heard().includes('statechange CHALLENGE')) await null;
      await fake.buyer().cancel();
      const { outcome, cause, final } = await confirmed;
      assert.deepEqual({ outcome, cause, final }, { outcome: 'cancelled', cause: 'challenge_cancelled', final: true });
      assert.deepEqual(heard(), ['statechange FINALIZING', 'statechange PAYMENT_COMPLETE', 'result cancelled']);
    });

    test('cancel() gives the payment up', async () => {
      const { form, heard } = await filled();
      await form.cancel();
      assert.deepEqual(heard(), ['statechange FINALIZING', 'statechange PAYMENT_COMPLETE', 'result cancelled']);
    });

    test('an empty form is not sent: all faults are shown', async () => {
      const { form, heard, told } = page();
      assert.equal(await refused(form.confirm()), 'invalid_data');
      assert.deepEqual(told.find(([type]) => type === 'change')?.[1].fields[0], { id: 'CARD_NUMBER', empty: true, complete: false, error: 'card_number_empty', message: 'Enter your card number.' });
      assert.deepEqual(heard(), ['ready', 'statechange CARD_DATA_COLLECTION', 'change', 'focus CARD_NUMBER']);
      assert.deepEqual((await form.validate()).map(({ field }) => field), FIELDS);
      await form.clear();
      assert.equal(form.dataset.state, 'ready empty focused');
      await form.setServerError({ field: 'CARD_NUMBER', code: 'card_number_declined' });
      assert.equal(form.dataset.state, 'ready empty invalid focused');
      assert.equal(await refused(form.setServerError({ code: '<b>' })), 'bad_option');
    });

    test('confirm() is refused before anything is sent, or withdrawn', async () => {
      const { form, fake, heard, window } = await filled();
      fake.refusal = 'offline';
      assert.equal(await refused(form.confirm()), 'offline');
      fake.refusal = undefined;
      assert.equal(await refused(form.confirm({ signal: window.AbortSignal.abort() })), 'aborted');
      form.setAttribute('disabled', '');
      assert.equal(await refused(form.confirm()), 'wrong_state');
      assert.deepEqual(heard(), []);
      form.removeAttribute('disabled');
      const early = page();
      early.fake.load = new Promise(() => {});
      const controller = new early.window.AbortController();
      const call = early.form.confirm({ signal: controller.signal });
      controller.abort();
      assert.equal(await refused(call), 'aborted');
    });

    test('the payment breaks: editable again, or fatal', async (t) => {
      const logged = t.mock.method(console, 'error', () => {});
      const { form, fake, told, heard } = await filled();
      fake.outcome = { error: 'encryption_unavailable' };
      assert.equal(await refused(form.confirm()), 'not_completed');
      assert.deepEqual(told.at(-1), ['error', { code: 'encryption_unavailable', message: 'The script that encrypts the card did not load.', fatal: false }]);
      assert.equal(logged.mock.callCount(), 0);
      fake.outcome = { error: 'frame_crashed', fatal: true };
      assert.equal(await refused(form.confirm()), 'frame_crashed');
      assert.deepEqual(told.at(-1), ['error', { code: 'frame_crashed', message: 'The form broke down.', fatal: true }]);
      assert.equal(form.dataset.state, 'failed');
      assert.equal(logged.mock.callCount(), 1);
      assert.equal(await refused(form.confirm()), 'frame_crashed');
      heard();
      form.reload();
      await form.whenReady;
      assert.deepEqual(heard(), ['ready', 'statechange CARD_DATA_COLLECTION']);
    });

    test('a session ends; another one takes over if the page gives one', async () => {
      const { form, fake, told, heard } = await filled();
      fake.emit('expiring', { secondsLeft: 20 });
      fake.outcome = 'expired';
      assert.deepEqual(await form.confirm(), { outcome: 'failed', orderId: 'ORDER-1', final: true });
      assert.deepEqual(told.at(-1), ['error', { code: 'session_expired', message: 'The session is over: build session expired.', fatal: false }]);
      assert.deepEqual(heard().slice(-4), ['statechange PROCESSING', 'statechange EXPIRED', 'result failed', 'error session_expired']);
      const other = await filled();
      other.form.renewSession = async () => 's2';
      other.fake.outcome = ['expired', 'approved'];
      assert.equal((await other.form.confirm()).outcome, 'approved');
      assert.equal(other.form.session, 's2');
      assert.deepEqual(other.heard().filter((each) => /state|ready/.test(each)), ['PROCESSING', 'PROCESSING', 'FINALIZING', 'PAYMENT_COMPLETE'].map((state) => `statechange ${state}`));
      const idle = await filled();
      await idle.fake.expire();
      assert.deepEqual(idle.heard(), ['statechange EXPIRED', 'result failed', 'error session_expired']);
    });

    test('a load fails with one fatal error, which calls reject with', async (t) => {
      const logged = t.mock.method(console, 'error', () => {});
      const { form, fake, told } = page();
      fake.load = 'frame_blocked';
      assert.equal(await refused(form.whenReady), 'frame_blocked');
      assert.deepEqual(told, [['error', { code: 'frame_blocked', message: 'The gateway shows no form for this session in this page.', fatal: true }]]);
      assert.equal(await refused(form.confirm()), 'frame_blocked');
      assert.equal(form.dataset.state, 'failed');
      for (const [html, code] of [['<payment-form session="s"></payment-form>', 'bad_gateway_url'], ['<payment-form gateway="https://gateway.example"></payment-form>', 'session_missing']]) {
        assert.equal(await refused(page(html).form.whenReady), code);
      }
      assert.equal(logged.mock.callCount(), 3);
      const quiet = page('<payment-form></payment-form>');
      quiet.form.addEventListener('error', (event) => event.preventDefault());
      assert.equal(await refused(quiet.form.whenReady), 'bad_gateway_url');
      assert.equal(logged.mock.callCount(), 3);
    });

    test('options are attributes and properties; some change in place, others load the form again', async (t) => {
      const warned = t.mock.method(console, 'warn', () => {});
      const { form, heard, fake } = page();
      assert.deepEqual([form.layout, form.label, form.loadTimeoutMs, form.theme, form.appearance], ['form', 'Card payment', 20000, 'auto', '']);
      form.appearance = { labels: 'floating' };
      form.loadTimeoutMs = 5;
      assert.deepEqual([form.appearance, form.loadTimeoutMs], ['{"labels":"floating"}', 5]);
      form.theme = /** @type {any} */ ('blue');
      assert.equal(form.theme, 'auto');
      await form.update({ theme: 'dark', button: 'hidden', .../** @type {any} */ ({ [`colour-${library}`]: 'red' }) });
      assert.deepEqual([form.theme, form.button, warned.mock.callCount()], ['dark', 'hidden', 1]);
      assert.equal(await refused(form.update({ theme: /** @type {any} */ ('blue') })), 'bad_option');
      assert.equal(await refused(form.update(/** @type {any} */ ({ label: 'Card' }))), 'option_fixed');
      await assert.rejects(fake.buyer().pay(), /shows no pay button/);
      heard();
      await form.update({ session: 's2' });
      assert.deepEqual([form.session, heard()], ['s2', []]);
      fake.sessionRefusal = 'session_missing';
      assert.equal(await refused(form.update({ session: 's3' })), 'session_missing');
      form.session = 's4';
      await form.whenReady;
      assert.deepEqual(heard(), ['ready', 'statechange CARD_DATA_COLLECTION']);
    });

    test('mount, move, unmount and destroy', async () => {
      const { window, fake, body } = page();
      const { form: make } = fake.loadPayframe('https://gateway.example');
      assert.throws(() => fake.loadPayframe('https://gateway.example/path'), { code: 'bad_gateway_url' });
      assert.throws(() => make({ layout: /** @type {any} */ ('rows') }), { code: 'bad_option' });
      body.innerHTML = '<div id="pay"></div>';
      const form = make({ session: 's', locale: 'it' });
      /** @type {string[]} */
      const heard = [];
      for (const type of EVENTS) form.addEventListener(type, (event) => heard.push(`${type} ${/** @type {any} */ (event).detail?.code ?? ''}`.trim()));
      const early = form.whenReady;
      assert.throws(() => form.mount('#nowhere'), { code: 'mount_target' });
      assert.equal(form.mount('#pay'), form);
      await early;
      body.append(form);
      await form.whenReady;
      assert.deepEqual(heard.splice(0), ['ready', 'statechange', 'error data_lost', 'ready', 'statechange']);
      form.unmount();
      assert.equal(await refused(form.confirm()), 'unmounted');
      body.append(form);
      await form.whenReady;
      form.destroy();
      body.append(form);
      assert.equal(await refused(form.confirm()), 'destroyed');
      assert.equal(installFake(window), fake);
    });

    test('the reset of the page\'s own form empties it', async () => {
      const { form, heard, window } = await filled(`<form>${TAG}</form>`);
      window.document.querySelector('form')?.reset();
      await form.whenReady;
      await null;
      assert.deepEqual([heard(), form.dataset.state], [['change'], 'ready empty focused']);
    });

    test('separate fields follow their form, which may come later', async () => {
      const fields = FIELDS.map((id) => `<label for="${id}">${id}</label><payment-field id="${id}" name="${id}" for="pay"></payment-field>`).join('');
      const window = open();
      const fake = installFake(window);
      window.document.body.innerHTML = `<form>${fields}<button>Pay</button></form>`;
      window.document.body.insertAdjacentHTML('beforeend', TAG.replace('<payment-form', '<payment-form id="pay" layout="fields" button="hidden"'));
      const form = fake.form();
      await form.whenReady;
      // Observers of the document are told in a task of their own in happy-dom.
      await new Promise((resolve) => new window.MutationObserver(resolve).observe(window.document.body, { attributes: true }) ?? window.document.body.setAttribute('data-seen', ''));
      const field = /** @type {PaymentFieldElement} */ (window.document.querySelector('payment-field'));
      /** @type {[string, unknown][]} */
      const heard = [];
      for (const type of /** @type {const} */ (['change', 'focus', 'blur'])) field.addEventListener(type, (event) => heard.push([type, /** @type {CustomEvent} */ (event).detail]));
      await fake.buyer().fill({ CARD_NUMBER: 'card_number_check_digit' });
      const message = 'Check the card number: there is a typing mistake in it.';
      assert.deepEqual(heard, [['focus', null], ['change', { empty: false, complete: false, error: 'card_number_check_digit', message, unused: false }], ['blur', null]]);
      assert.deepEqual([field.error, field.className, field.dataset.state], [message, 'is-ready is-filled is-invalid', 'ready filled invalid']);
      assert.deepEqual([field.labels.length, field.form?.localName, field.placeholder], [1, 'form', '']);
      let submitted = 0;
      field.form?.addEventListener('submit', (event) => {
        event.preventDefault();
        submitted++;
      });
      await fake.buyer().pressEnter('CARD_NUMBER');
      assert.equal(submitted, 1);
      field.focus();
      await form.whenReady;
      await null;
      assert.equal(field.dataset.state, 'ready filled invalid focused');
    });

    test('what tests have decided is gone after reset(); several forms are named by a selector', () => {
      const { fake, window, body } = page();
      Object.assign(fake, { outcome: 'failed', load: 'frame_blocked', refusal: 'offline', fields: ['CARD_NUMBER'], orderId: 'X' });
      fake.reset();
      assert.deepEqual({ ...fake }, { ...installFake(open()) });
      body.innerHTML = `${TAG}${TAG.replace(' ', ' id="b" ')}`;
      assert.throws(() => fake.form(), /There are 2 of payment-form/);
      assert.equal(fake.form('#b').id, 'b');
      body.innerHTML = '';
      assert.throws(() => fake.form(), /no payment-form in the page/);
      const other = open();
      other.customElements.define('payment-form', class extends other.HTMLElement {});
      assert.throws(() => installFake(other), /install the fake first/);
      assert.ok(window.customElements.get('payment-form'));
    });
  });
}

for (const [library, open] of Object.entries(LIBRARIES)) reactCheckout(library, open);

test('without a window there is nothing to install', () => {
  assert.throws(() => installFake(), { code: 'no_browser' });
});
