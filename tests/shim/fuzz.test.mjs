/**
 * Many malformed messages from a frame: the shim throws nothing, passes nothing to the page that its types do not have, and continues to work.
 * Each run uses the same input. `PAYFRAME_FUZZ_SEED` gives other input, `PAYFRAME_FUZZ_CASES` more of it.
 */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { formIn, openStage } from './stage.mjs';

/** Made in the browser, because the test tools would normalize the messages on their way there. */
const STRANGE = readFileSync(new URL('strange.mjs', import.meta.url), 'utf8');
const SEED = Number(process.env.PAYFRAME_FUZZ_SEED ?? 1);
const CASES = Number(process.env.PAYFRAME_FUZZ_CASES ?? 2000);
const { hello, frameMessages } = JSON.parse(readFileSync(new URL('../../crates/protocol/fixtures/frame-messages.json', import.meta.url), 'utf8'));
/** A frame may send `fatal` at any time, which ends the form; all other messages are used. */
const HARMLESS = frameMessages.filter((/** @type {{ type: string }} */ { type }) => type !== 'fatal');

/** @type {Awaited<ReturnType<typeof openStage>>} */
let stage;
before(async () => void (stage = await openStage()));
after(() => stage.close());

test(`strange messages on a window and on a port change nothing (seed ${SEED}, ${CASES} cases)`, async () => {
  const page = await stage.open('<payment-form gateway="{{gateway}}" session="silent"></payment-form>');
  const frame = await formIn(page);
  await frame.evaluate(async ([source, hello, seed, count]) => {
    window.strange = (await import(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })))).strange;
    const hellos = window.strange([hello], seed, count).filter((data) => !(data?.payframe === 1 && data.type === 'hello'));
    for (const data of hellos) parent.postMessage(data, document.location.ancestorOrigins[0]);
  }, [STRANGE, hello, SEED, CASES / 4]);
  const ready = page.evaluate(() => window.next(document.querySelector('payment-form'), 'ready'));
  await frame.evaluate(() => window.fake.hello());
  await frame.waitForFunction(() => window.fake.port);
  await frame.evaluate(() => window.fake.send({ type: 'ready' }));
  await ready;
  assert.equal(await page.evaluate(() => window.channels), 1);

  // Messages of one port arrive in order: with the last, all have arrived.
  const last = page.evaluate(() => window.next(document.querySelector('payment-form'), 'result', (detail) => detail.orderId === 'the-last'));
  await frame.evaluate(([examples, seed, count]) => {
    const messages = window.strange(examples, seed, count).filter((message) => message?.type !== 'fatal');
    for (const message of messages) window.fake.send(message);
    window.fake.send({ type: 'result', outcome: 'declined', orderId: 'the-last', final: true });
  }, [HARMLESS, SEED, CASES]);
  assert.deepEqual(await last, { outcome: 'declined', orderId: 'the-last', final: true });

  assert.deepEqual(await page.evaluate(() => window.uncaught), []);
  const told = await page.evaluate(() => window.heard.filter(([type, detail]) => type === 'result' && !['approved', 'pending', 'declined', 'cancelled', 'failed', 'reversed', 'unknown'].includes(detail.outcome)));
  assert.deepEqual(told, [], 'no outcome that there is not');
  assert.equal(await page.evaluate(() => Object.keys(Object.prototype).length), 0);
  assert.deepEqual(await page.evaluate(() => window.settled(document.querySelector('payment-form').clear())), { value: null });
});
