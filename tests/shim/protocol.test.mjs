/** The shim against the protocol's fixtures, the same file that Rust reads: each message arrives completely, each command equals its example. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { formIn, openStage } from './stage.mjs';

const fixture = JSON.parse(readFileSync(new URL('../../crates/protocol/fixtures/frame-messages.json', import.meta.url), 'utf8'));

/** @type {Awaited<ReturnType<typeof openStage>>} */
let stage;
before(async () => void (stage = await openStage()));
after(() => stage.close());

async function live(options = '') {
  const renew = "<script>document.querySelector('payment-form').renewSession = () => window.another ?? ''</script>";
  const page = await stage.open(`<payment-form gateway="{{gateway}}" session="waiting" ${options}></payment-form>${renew}`);
  const frame = await formIn(page);
  await frame.evaluate((hello) => {
    window.fake.nonce = hello.nonce;
    window.fake.hello(hello);
  }, fixture.hello);
  await frame.waitForFunction(() => window.fake.port);
  return { page, frame };
}

test('each message of the frame becomes its event, unchanged', async () => {
  const { page, frame } = await live();
  const events = fixture.frameMessages.filter(({ type, field }) => !['reply', 'ask'].includes(type) && (type !== 'resize' || field));
  const over = page.evaluate(() => window.next(document.querySelector('payment-form'), 'error', ({ fatal }) => fatal));
  // `fatal` ends the form, so it goes last.
  await frame.evaluate((messages) => messages.forEach(window.fake.send), [...events].sort((a, b) => Number(a.type === 'fatal') - Number(b.type === 'fatal')));
  await over;
  const heard = await page.evaluate(() => window.heard.map(([type, detail]) => ({ type, ...detail })));
  // There is one `ready`, and its members are for the shim.
  const [ready, ...others] = events.filter(({ type, reason }) => type !== 'ready' || !reason);
  const wanted = [{ type: ready.type }, ...others].map((message) => {
    if (message.type === 'error') return { ...message, fatal: false };
    return message.type === 'fatal' ? { ...message, type: 'error', fatal: true } : message;
  });
  assert.deepEqual(heard, wanted);
});

test('the fixture names every type that the shim knows', async () => {
  // The types are the members of `DETAILS`, the closed set in the shim.
  const details = stage.shim.match(/^const DETAILS = \{\n([^]*?)^\};/m)?.[1] ?? '';
  const known = [...details.matchAll(/^  ([a-z]+):/gm)].map(([, type]) => type).sort();
  assert.equal(known.length, 12);
  assert.deepEqual([...new Set(fixture.frameMessages.map(({ type }) => type))].sort(), known);
});

test('a resize sets the height, a reply ends its call', async () => {
  const { page, frame } = await live();
  await frame.evaluate(() => (window.fake.answer = () => {}));
  const ends = page.evaluate(() => Promise.all([document.querySelector('payment-form').clear(), document.querySelector('payment-form').cancel()].map(window.settled)));
  await frame.evaluate(() => window.fake.send({ type: 'ready' }));
  await frame.evaluate(() => window.fake.command(1));
  const sent = fixture.frameMessages.filter(({ type, faults }) => ['resize', 'reply'].includes(type) && !faults);
  // The message with a field comes later and is for that field, not for the form.
  assert.deepEqual(sent.filter(({ type }) => type === 'resize').map(({ field }) => field), [undefined, 'CARD_NUMBER']);
  await frame.evaluate((messages) => messages.forEach(window.fake.send), sent);
  assert.deepEqual(await ends, [{ value: null }, { code: 'invalid_data', name: 'PayframeError', message: 'EXPIRATION_DATE is in the past.' }]);
  assert.equal(await page.evaluate(() => document.querySelector('payment-form').offsetHeight), 368);
});

test('init and every command are as in the fixture', async () => {
  const { page, frame } = await live(`theme="dark" button="hidden" cancellation="hidden" advance="off" appearance="minimal" locale="it" texts='{"label_expiry":"Scade"}'`);
  assert.deepEqual(await frame.evaluate(() => window.fake.inits), [fixture.init]);
  await frame.evaluate(() => {
    // The confirm stays open, so that the abort can withdraw it.
    window.fake.answer = ({ id, type }) => type !== 'confirm' && window.fake.send({ type: 'reply', id });
    window.fake.send({ type: 'ready' });
  });
  await page.evaluate(async () => {
    const form = document.querySelector('payment-form');
    await window.live(form);
    window.controller = new AbortController();
    window.ends = window.settled(form.confirm({ signal: window.controller.signal }));
  });
  await frame.evaluate(() => window.fake.command(0));
  await page.evaluate(async () => {
    const form = document.querySelector('payment-form');
    window.controller.abort();
    await window.ends;
    await form.cancel();
    await form.focus();
    await form.focus('SECURITY_CODE');
    await form.clear();
    await form.validate();
    await form.setServerError({ field: 'EXPIRATION_DATE', code: 'expiry_past' });
    await form.setServerError({ code: 'stolen' });
    window.another = 'm3p0';
  });
  const asked = fixture.frameMessages.filter(({ type }) => type === 'ask');
  const ask = (/** @type {string} */ what) => frame.evaluate((message) => window.fake.send(message), asked.find((message) => message.what === what));
  await ask('renew');
  await frame.evaluate(() => window.fake.command(9));
  // In place: the attribute changes, and nothing is loaded again.
  assert.deepEqual([await page.evaluate(() => document.querySelector('payment-form').session), stage.requestsOf('m3p0')], ['m3p0', 0]);
  await page.evaluate(() => delete window.another);
  await ask('renew');
  await frame.evaluate(() => window.fake.command(10));
  await page.evaluate(() => Object.assign(document.querySelector('payment-form'), { challenge: 'redirect' }));
  await ask('challenge');
  await frame.evaluate(() => window.fake.command(12));
  await page.evaluate(() => Object.assign(document.querySelector('payment-form'), { challenge: 'auto' }));
  const expiring = page.evaluate(() => window.next(document.querySelector('payment-form'), 'expiring'));
  await page.setViewportSize({ width: 390, height: 700 });
  await page.evaluate(() => Object.defineProperty(screen, 'width', { value: 390 }));
  await ask('challenge');
  await frame.evaluate(() => window.fake.command(14));
  const place = () => page.evaluate(() => getComputedStyle(/** @type {Element} */ (document.querySelector('payment-form')?.shadowRoot?.querySelector('iframe'))).position);
  assert.equal(await place(), 'fixed');
  await ask('uncover');
  await ask('expiring');
  assert.deepEqual(await expiring, { secondsLeft: 60 });
  assert.equal(await place(), 'static');
  await page.evaluate(async () => {
    const form = document.querySelector('payment-form');
    await form.refresh();
    await form.update({ theme: 'light', button: 'auto', cancellation: 'auto', advance: 'auto', appearance: { variables: { radius: 8 } }, locale: 'en', texts: '' });
  });
  const commands = await frame.evaluate(() => window.fake.commands);
  const wanted = fixture.shimCommands;
  // Each change of an attribute is sent at once and by itself, without an answer; `update()` expects one.
  const told = commands.filter(({ id, type }) => id === 0 && type === 'update');
  assert.deepEqual([told.length, told.at(-1)], [9, { ...wanted.at(-1), id: 0 }]);
  const room = (/** @type {any[]} */ commands) => commands.filter(({ type }) => ['redirect', 'cover'].includes(type));
  assert.deepEqual(room(commands), room(wanted));
  // Ids count up by one: none is used twice.
  assert.deepEqual(commands.filter(({ id }) => id !== 0), wanted.filter(({ id }) => id !== 0));
});
