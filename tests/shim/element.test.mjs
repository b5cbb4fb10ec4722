/** The element in a page: forms, labels, changed texts, the server's errors, `destroy()`; and the diagnostics. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { formIn, openStage } from './stage.mjs';

/** @type {Awaited<ReturnType<typeof openStage>>} */
let stage;
before(async () => void (stage = await openStage()));
after(() => stage.close());

const TAG = '<payment-form gateway="{{gateway}}" session="ready"></payment-form>';
const CHANGE = { type: 'change', complete: true, empty: false, brand: 'VISA', candidates: ['VISA'], fields: [{ id: 'CARD_NUMBER', empty: false, complete: true }] };

/** A page with a live form. @param {string} [body] @param {object} [options] */
async function live(body = TAG, options) {
  const page = await stage.open(body, options);
  await page.evaluate(() => window.live((window.form = document.querySelector('payment-form'))));
  const frame = await formIn(page);
  const send = (/** @type {object} */ message) => frame.evaluate((message) => window.fake.send(message), message);
  return { page, frame, send };
}

test("J11 in a page's own form it is invalid until the card is complete, with a reason in the buyer's language", async () => {
  const page = await stage.open(`<form><input name="note" value="x">${TAG.replace('ready', 'waiting')}<button>Pay</button></form>`);
  const frame = await formIn(page);
  await page.evaluate(() => {
    window.form = document.querySelector('payment-form');
    window.submitted = 0;
    document.forms[0].addEventListener('submit', (event) => (event.preventDefault(), (window.submitted += 1)));
  });
  const standing = () => page.evaluate(() => [document.forms[0].checkValidity(), window.form.matches(':invalid'), document.forms[0].elements.length]);
  // The element is invalid from the start, before there is a frame that could give the reason.
  assert.deepEqual(await standing(), [false, true, 3]);
  await frame.evaluate(() => window.fake.hello());
  await frame.waitForFunction(() => window.fake.port);
  const ready = page.evaluate(() => window.next(window.form, 'ready'));
  await frame.evaluate(() => window.fake.send({ type: 'ready', reason: 'Completa i dati della carta.' }));
  assert.equal(await ready, null);

  // The press does not submit: all faults are shown, and the first field gets the focus.
  await frame.evaluate(() => (window.fake.answer = ({ id, type }) => window.fake.send({ type: 'reply', id, ...(type === 'validate' && { faults: [{ field: 'EXPIRATION_DATE', code: 'expiry_empty' }] }) })));
  await page.getByRole('button', { name: 'Pay' }).click();
  assert.deepEqual(await frame.evaluate(async () => [await window.fake.command(0), await window.fake.command(1)].map(({ type, field }) => [type, field])), [['validate', undefined], ['focus', 'EXPIRATION_DATE']]);
  assert.equal(await page.evaluate(() => window.submitted), 0);

  const changed = page.evaluate(() => window.next(window.form, 'change'));
  await frame.evaluate((change) => window.fake.send(change), CHANGE);
  await changed;
  assert.deepEqual(await standing(), [true, false, 3]);
  await page.getByRole('button', { name: 'Pay' }).click();
  assert.equal(await page.evaluate(() => window.submitted), 1);
});

test("J12 the page's form is reset, or its fieldset disabled, and the card form with it", async () => {
  const { page, frame } = await live(`<form><fieldset>${TAG}</fieldset></form>`);
  await page.evaluate(() => document.forms[0].reset());
  assert.equal((await frame.evaluate(() => window.fake.command(0))).type, 'clear');
  const look = () => page.evaluate(async () => [window.form.matches(':disabled'), window.form.shadowRoot.querySelector('iframe').inert, (await window.settled(window.form.confirm())).code]);
  await page.evaluate(() => (document.querySelector('fieldset').disabled = true));
  assert.deepEqual(await look(), [true, true, 'wrong_state']);
  await page.evaluate(() => (document.querySelector('fieldset').disabled = false));
  await frame.evaluate(() => (window.fake.answer = ({ id }) => window.fake.send({ type: 'reply', id, error: { code: 'busy', message: '' } })));
  assert.deepEqual(await look(), [false, false, 'busy']);
});

test("J13 the page's own form sends nothing of the card", async () => {
  const { page, send } = await live(`<form><input name="note" value="x">${TAG.replace('<payment-form', '<payment-form name="card"')}</form>`);
  const changed = page.evaluate(() => window.next(window.form, 'change'));
  await send({ ...CHANGE, bin: '454900', last4: '4549' });
  await changed;
  assert.deepEqual(await page.evaluate(() => [...new FormData(document.forms[0])]), [['note', 'x']]);
});

test('J14 the change tells states and no value', async () => {
  const { page, send } = await live();
  const changed = page.evaluate(() => window.next(window.form, 'change'));
  await send({ ...CHANGE, value: '4549100000000003', pan: '4549', fields: [{ ...CHANGE.fields[0], value: '4549100000000003' }] });
  const { type: _, ...detail } = CHANGE;
  assert.deepEqual(await changed, detail);
});

test('J19 options change in place, or are refused by name', async () => {
  const { page, frame } = await live();
  const ends = await page.evaluate(async () => {
    const update = (options) => window.settled(window.form.update(options));
    return [await update({ locale: 'it', texts: { label_expiry: 'Scade' } }), await update({ gateway: 'https://other.example' }), await update({ layout: 'fields' }), await update({ theme: 'blue' })].map(({ code, message }) => [code, message]);
  });
  assert.deepEqual(ends, [[undefined, undefined], ['option_fixed', 'The option can not change in place: gateway.'], ['option_fixed', 'The option can not change in place: layout.'], ['bad_option', 'An option has the wrong type or an unknown value: theme: blue.']]);
  assert.deepEqual(await frame.evaluate(() => window.fake.commands.at(-1).options), { theme: 'light', button: 'auto', cancellation: 'auto', advance: 'auto', locale: 'it', appearance: '', texts: '{"label_expiry":"Scade"}', renew: false });
  assert.equal(stage.requestsOf('other'), 0);
});

test('K29 another session takes over in place, or is refused and the former one stays', async () => {
  const { page, frame } = await live();
  const update = () => page.evaluate(async () => [(await window.settled(window.form.update({ session: 'other', theme: 'dark' }))).code, window.form.session, window.form.theme]);
  await frame.evaluate(() => (window.fake.answer = ({ id, type }) => window.fake.send({ type: 'reply', id, ...(type === 'renew' && { error: { code: 'wrong_state', message: '' } }) })));
  const [code, session, theme] = await update();
  assert.deepEqual([code, theme], ['wrong_state', 'dark']);
  assert.notEqual(session, 'other');
  await frame.evaluate(() => (window.fake.answer = ({ id }) => window.fake.send({ type: 'reply', id })));
  assert.deepEqual(await update(), [undefined, 'other', 'dark']);
  assert.deepEqual(await frame.evaluate(() => window.fake.commands.filter(({ type }) => type === 'renew').map(({ session }) => session)), ['other', 'other']);
  assert.equal(stage.requestsOf('other'), 0, 'nothing is loaded anew');
});

test('K29 the page has the form look at the gateway', async () => {
  const { page, frame } = await live();
  assert.equal(await page.evaluate(async () => (await window.settled(window.form.refresh())).code), undefined);
  assert.equal(await frame.evaluate(() => window.fake.commands.at(-1).type), 'refresh');
});

test('J14 what changes neither its states nor its validity costs the page no new style', async () => {
  const { page, frame } = await live();
  const changes = async () => page.evaluate(() => window.form.dataset.state && window.marked.splice(0).length);
  await page.evaluate(() => {
    window.marked = [];
    window.form.dataset.state = '';
    new MutationObserver((records) => window.marked.push(...records)).observe(window.form, { attributeFilter: ['data-state'] });
  });
  const change = { type: 'change', complete: false, empty: false, brand: null, candidates: ['VISA', 'MASTERCARD'], fields: [{ id: 'CARD_NUMBER', empty: false, complete: false }] };
  for (const [more, marks] of /** @type {[object, number][]} */ ([[{}, 1], [{ brand: 'VISA', candidates: ['VISA'] }, 0], [{ complete: true }, 1], [{ complete: true, reason: undefined }, 0], [{ reason: 'Fill in the card form.' }, 1]])) {
    const heard = page.evaluate(() => window.next(window.form, 'change'));
    await frame.evaluate((change) => window.fake.send(change), { ...change, ...more });
    await heard;
    assert.equal(await changes(), marks, JSON.stringify(more));
  }
  assert.equal(await page.evaluate(() => window.form.matches(':invalid')), true);
});

test('J20 destroyed, it does nothing more, and calls reject', async () => {
  const { page } = await live();
  const ends = await page.evaluate(async () => {
    const { form } = window;
    const waiting = form.clear();
    form.destroy();
    document.body.append(form);
    form.session = 'ready-again';
    await new Promise((resume) => setTimeout(resume));
    return [await window.settled(waiting), ...(await Promise.all([form.confirm(), form.clear(), form.validate(), form.focus(), form.update({ theme: 'dark' })].map(window.settled)))].map(({ code }) => code);
  });
  assert.deepEqual(ends, Array(6).fill('destroyed'));
  assert.equal(await page.locator('iframe').count(), 0);
  assert.equal(stage.requestsOf('ready-again'), 0);
  assert.deepEqual(await page.evaluate(() => window.uncaught), []);
});

test('D13 an error of the server is handed on by field and code, and a wrong one is refused by name', async () => {
  const { page, frame } = await live();
  const ends = await page.evaluate(async () => [await window.settled(window.form.setServerError({ field: 'EXPIRATION_DATE', code: 'expiry_past' })), await window.settled(window.form.setServerError({ code: '<b>' }))].map(({ code }) => code));
  assert.deepEqual(ends, [undefined, 'bad_option']);
  assert.deepEqual(await frame.evaluate(() => window.fake.commands.map(({ id, ...rest }) => rest)), [{ type: 'servererror', code: 'expiry_past', field: 'EXPIRATION_DATE' }]);
});

test('D14 a validation answers with a code for each field, and nothing else that the frame may say', async () => {
  const { page, frame } = await live();
  await frame.evaluate(() => {
    window.fake.answer = ({ id }) => window.fake.send({ type: 'reply', id, faults: [{ field: 'CARD_NUMBER', code: 'card_number_empty', value: '4549' }, { field: 'a b', code: 'x' }, null, { field: 'SECURITY_CODE', code: '12 3' }] });
  });
  assert.deepEqual(await page.evaluate(() => window.form.validate()), [{ field: 'CARD_NUMBER', code: 'card_number_empty' }]);
});

test('E8 on a phone, focus without a gesture is refused and the frame left alone', async () => {
  const { page, frame } = await live();
  await page.evaluate(() => {
    window.matchMedia = (query) => ({ matches: query === '(pointer:coarse)' });
    Object.defineProperty(navigator, 'userActivation', { value: { isActive: false }, configurable: true });
  });
  assert.deepEqual(await page.evaluate(async () => [(await window.settled(window.form.focus())).code, document.activeElement === document.body]), ['focus_refused', true]);
  assert.equal(await frame.evaluate(() => window.fake.commands.length), 0);
  await page.evaluate(() => Object.defineProperty(navigator, 'userActivation', { value: { isActive: true } }));
  assert.deepEqual(await page.evaluate(() => window.settled(window.form.focus())), { value: null });
});

test("E11 a click on the page's label puts the focus into the form", async () => {
  const { page, frame } = await live(`<label for="card">Your card</label>${TAG.replace('<payment-form', '<payment-form id="card"')}`);
  await page.getByText('Your card').click();
  assert.equal((await frame.evaluate(() => window.fake.command(0))).type, 'focus');
  assert.equal(await page.evaluate(() => document.activeElement === window.form), true);
});

test('M9 the second script is blocked: a named error, and the next call brings it', async () => {
  const { page } = await live();
  await page.route('**/lazy.js', (route) => route.abort());
  assert.equal((await page.evaluate(() => window.settled(window.form.clear()))).code, 'script_blocked');
  await page.unroute('**/lazy.js');
  assert.deepEqual(await page.evaluate(() => window.settled(window.form.clear())), { value: null });
});

test('N12 the second script has another byte: it does not run', async () => {
  stage.changes.set('/sdk/lazy/lazy.js', (script) => `${script}\nwindow.alien = true;`);
  const { page } = await live();
  const end = await page.evaluate(() => window.settled(window.form.clear()));
  stage.changes.clear();
  assert.deepEqual([end.code, await page.evaluate(() => window.alien)], ['script_blocked', undefined]);
});

test('N13 what is added to the page carries its nonce', async () => {
  const policy = `default-src 'none'; script-src 'nonce-abc' 'strict-dynamic'; frame-src ${stage.gateway}`;
  const page = await stage.open(`<script type="module" nonce="abc" src="{{gateway}}/sdk/payframe.js"></script>${TAG.replace('<payment-form', '<payment-form nonce="abc"')}`, { shim: false, headers: { 'content-security-policy': policy } });
  await page.waitForFunction(() => document.querySelector('payment-form').matches(':state(ready)'));
  assert.deepEqual(await page.evaluate(() => window.settled(document.querySelector('payment-form').clear())), { value: null });
  assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('link')].map(({ nonce, rel }) => [nonce, rel])), [['abc', 'modulepreload']]);
  assert.deepEqual(await page.evaluate(() => window.violations), []);
});

test("M10 what the buyer reads in place of the form is in the form's language", async () => {
  const page = await stage.open('<payment-form gateway="{{gateway}}" session="hanging" locale="ITA" loadtimeoutms="50"></payment-form>');
  const alert = page.getByRole('alert').filter({ hasText: 'Il modulo della carta non si è avviato.' });
  await alert.getByRole('button', { name: 'Riprova' }).waitFor();
  assert.deepEqual(await alert.evaluate(({ lang, dir }) => [lang, dir]), ['it', 'ltr']);
});

/** What the console says of a page, as far as it is ours. @param {string} body @param {object} session @param {object} [options] */
async function diagnose(body, session, options) {
  const page = await stage.open(body.replace('ready', 'waiting'), { shim: false, ...options });
  /** @type {string[]} */
  const said = [];
  page.on('console', (entry) => /payframe: diagnostics|^\d\. /.test(entry.text()) && said.push(entry.text()));
  const frame = await formIn(page, 'payment-form:not([hidden])');
  await page.evaluate(() => (window.form = document.querySelector('payment-form')));
  await frame.evaluate(() => window.fake.hello());
  await frame.waitForFunction(() => window.fake.port);
  await frame.evaluate(() => window.fake.send({ type: 'ready' }));
  await page.evaluate(() => window.live(window.form));
  await frame.evaluate((session) => window.fake.send({ type: 'ask', what: 'title', title: 'Card payment form', ...session }), session);
  await page.getByTitle('Card payment form', { exact: true }).waitFor();
  // The diagnostics are called as the shim does it, to know when they have finished.
  const found = await page.evaluate(async () => {
    const [{ findings }, { withheld }] = await Promise.all(['diagnostics', 'lazy'].map((name) => import(`${window.gateway}/sdk/lazy/${name}.js`)));
    return (await findings(window.form, withheld)).map(({ code }) => code);
  });
  return { page, frame, said, found };
}

const SCRIPT = () => `<script type="module" crossorigin src="{{gateway}}/sdk/payframe.js" integrity="${stage.integrity}"></script>`;

test('O5 the diagnostics name each fault in one panel, and are silent where all is well and where the session is live', async () => {
  const well = await diagnose(SCRIPT() + TAG, { diagnostics: true });
  assert.deepEqual([well.found, well.said], [[], []]);

  const bad = `<script type="module" src="{{gateway}}/sdk/payframe.js"></script><div style="opacity:.9;width:200px">${TAG}</div><payment-form hidden gateway="{{gateway}}" session="waiting"></payment-form>`;
  const found = ['script_without_integrity', 'session_twice', 'container_narrow', 'button_unclear'];
  const ill = await diagnose(bad, { diagnostics: true });
  assert.deepEqual(ill.found, found);
  while (ill.said.length < 2) await ill.page.waitForEvent('console');
  assert.equal(ill.said.length, 2);
  assert.match(ill.said[0] ?? '', /found 4 faults/);
  for (const code of found) assert.ok(ill.said[1]?.includes(code), code);

  const quiet = await diagnose(bad, {});
  assert.deepEqual([quiet.found, quiet.said], [found, []]);
});

test('F9 page header forbids autofill in frames → diagnostics and load report name the header', async () => {
  // As in a browser that knows the features, in a page whose header withholds them.
  const policy = (/** @type {boolean} */ allows) => `<script>
    Object.defineProperty(HTMLIFrameElement.prototype, 'featurePolicy', { get: () => ({ features: () => ['payment', 'autofill', 'shared-autofill'], allowsFeature: (name) => ${allows} || name === 'payment' }) });
  </script>`;
  const report = async (/** @type {Awaited<ReturnType<typeof diagnose>>} */ { page, frame }) => {
    const named = (/** @type {string} */ title) => frame.evaluate((title) => window.fake.send({ type: 'ask', what: 'title', title }), title);
    await named('One');
    await page.getByTitle('One', { exact: true }).waitFor();
    await named('Two');
    await page.getByTitle('Two', { exact: true }).waitFor();
    return page.evaluate(() => window.heard.filter(([type]) => type === 'error').map(([, detail]) => detail));
  };
  const ill = await diagnose(policy(false) + SCRIPT() + TAG, { diagnostics: true });
  assert.deepEqual(ill.found, ['permission_missing', 'permission_missing']);
  assert.deepEqual(await report(ill), [{ code: 'autofill_withheld', message: "The page's header Permissions-Policy withholds autofill, shared-autofill from the form.", fatal: false }]);
  const well = await diagnose(policy(true) + SCRIPT() + TAG, { diagnostics: true });
  assert.deepEqual([well.found, await report(well)], [[], []]);
});

test('H9 a live form, an entry and a failure change no attribute of the element', async () => {
  const { page, send } = await live('<payment-form gateway="{{gateway}}" session="ready" class="card"></payment-form>');
  const look = () => page.evaluate(() => [window.statesOf(window.form), window.form.outerHTML]);
  const tag = `<payment-form gateway="${stage.gateway}" session="ready" class="card"></payment-form>`;
  assert.deepEqual(await look(), ['ready', tag]);
  const changed = page.evaluate(() => window.next(window.form, 'change'));
  await send(CHANGE);
  await changed;
  assert.deepEqual(await look(), ['ready complete filled', tag]);
  const failed = page.evaluate(() => window.next(window.form, 'error'));
  await send({ type: 'fatal', code: 'frame_crashed', message: 'x' });
  await failed;
  assert.deepEqual(await look(), ['failed', tag]);
});

test('H9 in an engine without custom states the attribute has them', async () => {
  const old = '<script>delete ElementInternals.prototype.states; delete window.CustomStateSet;</script>';
  const page = await stage.open(old + TAG);
  await page.waitForFunction(() => document.querySelector('payment-form').dataset.state === 'ready');
});
