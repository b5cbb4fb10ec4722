/**
 * Many malformed commands of a page: the frame throws nothing, does nothing else than it was told, and pays once. The fuzz test of
 * the other direction is `tests/shim/fuzz.test.mjs`; `PAYFRAME_FUZZ_SEED` and `PAYFRAME_FUZZ_CASES` have the same meaning here.
 */

import { readFileSync } from 'node:fs';
import { after, before, suite, test } from 'node:test';
import { APPROVED } from './cards.mjs';
import { says } from './checkout.mjs';
import { Fields } from './fields.mjs';
import { Stage } from './stage.mjs';

const SEED = Number(process.env.PAYFRAME_FUZZ_SEED ?? 1);
const CASES = Number(process.env.PAYFRAME_FUZZ_CASES ?? 1000);
const read = (/** @type {string} */ path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
/** Added by the browser, because the page's policy allows no other script. */
const STRANGE = `(() => { ${read('tests/shim/strange.mjs').replace('export function strange', 'window.strange = function strange')} })()`;
/** A page may cancel, change texts, and bring another session: these are no attacks. */
const ALLOWED = ['cancel', 'update', 'renew'];
const EXAMPLES = JSON.parse(read('crates/protocol/fixtures/frame-messages.json')).shimCommands.filter((/** @type {{ type: string }} */ { type }) => !ALLOWED.includes(type));

suite('strange messages', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('strange-messages');
  });
  after(() => stage.close());

  test(`strange commands on the port and on the window change nothing (seed ${SEED}, ${CASES} cases)`, async (t) => {
    const checkout = await stage.checkout(t, {}, { prepare });
    const payment = checkout.payment();
    await payment.live();
    await say(checkout.page);
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete');
    await says(payment.status, 'Paid. ');
    await payment.recorded('AUTHORIZATION EXECUTED');
  });

  test(`nor do they where each field has a frame of its own (seed ${SEED}, ${CASES} cases)`, async (t) => {
    const fields = new Fields(await stage.checkout(t, {}, { path: '/fields', prepare }));
    await fields.live();
    await say(fields.page);
    await fields.fill(APPROVED);
    await fields.press();
    await says(fields.status, 'Paid. ');
  });
});

/** The number of commands that a frame obeys in a second, less one for the command at the end. */
const AT_ONCE = 9;

/** Sends malformed messages to all frames of the form, and waits until they have arrived. @param {import('playwright-core').Page} page */
async function say(page) {
  for (let from = 0; from < CASES; from += AT_ONCE) {
    await page.evaluate(async ([examples, seed, count, from, to, allowed]) => {
      const world = /** @type {any} */ (window);
      const form = /** @type {any} */ (document.querySelector('payment-form'));
      const gateway = form.getAttribute('gateway');
      /** Also those in shadow trees of the page. @param {Document | ShadowRoot} root @returns {any[]} */
      const elements = (root) => [...root.querySelectorAll('*')].flatMap((element) => [element, ...(element.shadowRoot ? elements(element.shadowRoot) : [])]);
      const frames = elements(document).filter((element) => element instanceof HTMLIFrameElement).map((frame) => frame.contentWindow);
      world.all ??= [...world.strange(examples, seed, count)];
      for (const message of world.all.slice(from, to)) {
        if (allowed.includes(message?.type)) continue;
        // Answers must not have the id of one of the element's own commands.
        if (typeof message?.id === 'number') message.id += 1_000_000;
        for (const line of world.lines) line.postMessage(message);
        for (const frame of frames) frame?.postMessage(message, gateway);
      }
      // Commands are answered in their order: after this one, all have arrived.
      await form.clear();
    }, /** @type {const} */ ([EXAMPLES, SEED, CASES, from, from + AT_ONCE, ALLOWED]));
    // The frames obey the next commands in the next second.
    await page.clock.fastForward(1100);
  }
}

/** @param {import('playwright-core').Page} page */
async function prepare(page) {
  await page.clock.install();
  await page.addInitScript(keepLines);
  await page.addInitScript({ content: STRANGE });
}

/** Runs first in every document: keeps this side of each line that it makes. */
function keepLines() {
  const world = /** @type {any} */ (window);
  world.lines = [];
  const Channel = MessageChannel;
  world.MessageChannel = class extends Channel {
    constructor() {
      super();
      world.lines.push(this.port1);
    }
  };
}
