// @ts-check
// The form that the shop's server prints into its page, compared with a bare form that a script adds to the page: when each can be typed
// into. Run by `cargo xtask bench --printed`.

import { readFile } from 'node:fs/promises';
import { startShop } from './shop.mjs';
import { LOAD_LIMIT_MS, compare, launch, openSession, rest, setting, until } from './measure.mjs';
import { SLOW_4G, startSlowLink } from './slow-link.mjs';

const gateway = setting('BENCH_GATEWAY');
const probe = await readFile(new URL('probe.js', import.meta.url), 'utf8');
const shop = await startShop(gateway);
const slow4g = await startSlowLink(SLOW_4G);
const browser = await launch();

try {
  await compare(browser, ['ours', 'bare'], load);
} finally {
  await browser.close();
  shop.stop();
  slow4g.stop();
}

/**
 * One cold load, until the card number can be typed.
 * @param {'ours' | 'bare'} side @param {import('./measure.mjs').Condition} condition
 */
async function load(side, condition) {
  const path = side === 'ours' ? `/printed?${new URLSearchParams({ form: (await openSession(gateway, shop.origin, { form: { closing: 'FRAME' } })).form.html })}` : '/bare';
  const link = condition.slow4g ? { proxy: { server: slow4g.proxy, bypass: '<-loopback>' } } : {};
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...link });
  try {
    await context.addInitScript(probe);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: condition.cpu });
    await rest();
    await page.goto(`${shop.origin}${path}`, { waitUntil: 'commit' });
    await until(session, 'payframeBench.lived');
    const frame = page.frames().find((each) => each !== page.mainFrame() && each.url().startsWith(gateway));
    if (!frame) throw new Error('the form has no frame in this process: is site isolation on?');
    await frame.waitForFunction(() => Reflect.get(globalThis, 'payframeBench').typable > 0, undefined, { timeout: LOAD_LIMIT_MS });
    const start = await page.evaluate(() => performance.timeOrigin);
    return { typable: (await frame.evaluate(() => Reflect.get(globalThis, 'payframeBench').typable)) - start };
  } finally {
    await context.close();
  }
}
