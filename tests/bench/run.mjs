// @ts-check
// Loads the form and the bare form in Chromium, in turns, and writes the measurements as JSON.
// Run by `cargo xtask bench`, which serves both from one gateway and passes addresses in the environment.
//
// Each load has a browser context of its own: empty caches, no connection. One load of each comes first and is not counted.

import { readFile } from 'node:fs/promises';
import { LOAD_LIMIT_MS, freshContext, heapOf, listen, median, openSession, rest, setting, staged, until } from './measure.mjs';

/** @typedef {'ours' | 'bare'} Form */
/** @typedef {import('./measure.mjs').Condition} Condition */
/** @typedef {Record<'typable' | 'live' | 'bytes' | 'wire' | 'requests' | 'stroke' | 'worstStroke' | 'heap' | 'longest' | 'blocking' | 'shift', number>} Sample */

const CARD = '4761730000000003';
/** Time between two keys of a fast typist. */
const KEY_MS = 120;

const integrity = await scriptIntegrity();
await staged(['ours', 'bare'], load);

/**
 * One cold load: until live, then a card number typed into it.
 * @param {Form} form @param {Condition} condition @param {import('./measure.mjs').Stage} stage
 * @returns {Promise<Sample>}
 */
async function load(form, condition, stage) {
  const { gateway, shop } = stage;
  const query = form === 'ours' ? `?${new URLSearchParams({ session: (await openSession(gateway, shop, { form: { closing: 'FRAME' } })).sessionId, integrity })}` : '';
  const context = await freshContext(stage, condition);
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Emulation.setCPUThrottlingRate', { rate: condition.cpu });
    const traffic = listen(session, gateway);
    await rest();
    await page.goto(`${shop}/${form}${query}`, { waitUntil: 'commit' });
    await until(session, 'payframeBench.lived');
    const frame = page.frames().find((each) => each !== page.mainFrame() && each.url().startsWith(gateway));
    if (!frame) throw new Error('the form has no frame in this process: is site isolation on?');
    await frame.waitForFunction(() => Reflect.get(globalThis, 'payframeBench').typable > 0, undefined, { timeout: LOAD_LIMIT_MS });
    const top = await page.evaluate(() => ({ start: performance.timeOrigin, ...Reflect.get(globalThis, 'payframeBench') }));
    const heap = await heapOf(session);

    await frame.locator('input[autocomplete="cc-number"]').focus();
    // Requested before, because a request during the last key would count as part of it.
    const painted = frame.evaluate((count) => Reflect.get(globalThis, 'payframeBench').painted(count), CARD.length);
    for (const digit of CARD) {
      await new Promise((resume) => setTimeout(resume, KEY_MS));
      await page.keyboard.press(digit);
    }
    await painted;
    const inner = await frame.evaluate(() => Reflect.get(globalThis, 'payframeBench'));
    const typed = await frame.locator('input[autocomplete="cc-number"]').inputValue();
    if (typed.replaceAll(' ', '') !== CARD) throw new Error(`the ${form} form holds another number than the one typed`);
    return {
      typable: inner.typable - top.start,
      live: top.live - top.start,
      ...traffic(top.live),
      stroke: median(inner.strokes),
      worstStroke: Math.max(...inner.strokes),
      heap: heap + inner.memory,
      longest: top.longest,
      blocking: top.blocking,
      shift: top.shift,
    };
  } finally {
    await context.close();
  }
}

/** What the merchant's page puts into `integrity`: the hash in the manifest of the dist that is being served. */
async function scriptIntegrity() {
  const manifest = JSON.parse(await readFile(setting('BENCH_MANIFEST'), 'utf8'));
  return manifest.scripts['payframe.js'].integrity;
}
