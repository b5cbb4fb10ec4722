// @ts-check
// Five fields of one card, each in a frame of its own: driven by one widget, as in one session, compared with the same five
// frames in five sessions, where each runs its own widget. Run by `cargo xtask bench --fields`.

import { readFile } from 'node:fs/promises';
import { startShop } from './shop.mjs';
import { compare, heapOf, launch, listen, openSession, rest, setting, until } from './measure.mjs';
import { SLOW_4G, startSlowLink } from './slow-link.mjs';

const FIELDS = 5;
/** A terminal with more than four fields. */
const KEY = 'sandbox-six-fields';

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
 * One cold load, until all fields are live.
 * @param {'ours' | 'bare'} side one session, or one for each field @param {import('./measure.mjs').Condition} condition
 */
async function load(side, condition) {
  const sessions = await Promise.all(Array.from({ length: FIELDS }, () => openSession(gateway, shop.origin, { key: KEY })));
  const query = new URLSearchParams();
  for (let place = 0; place < FIELDS; place++) query.append('src', sessions[side === 'ours' ? 0 : place]?.fields[place]?.src ?? '');
  const link = condition.slow4g ? { proxy: { server: slow4g.proxy, bypass: '<-loopback>' } } : {};
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...link });
  try {
    await context.addInitScript(probe);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Emulation.setCPUThrottlingRate', { rate: condition.cpu });
    const traffic = listen(session, gateway);
    await rest();
    await page.goto(`${shop.origin}/fields?${query}`, { waitUntil: 'commit' });
    await until(session, 'payframeBench.lived');
    const top = await page.evaluate(() => ({ start: performance.timeOrigin, ...Reflect.get(globalThis, 'payframeBench') }));
    const heap = await heapOf(session);
    let memory = 0;
    for (const frame of page.frames()) memory += await frame.evaluate(() => Reflect.get(globalThis, 'payframeBench').memory);
    return { live: top.live - top.start, ...traffic(top.live), heap: heap + memory, longest: top.longest, blocking: top.blocking };
  } finally {
    await context.close();
  }
}
