// @ts-check
// Five fields of one card, each in a frame of its own: driven by one widget, as in one session, compared with the same five
// frames in five sessions, where each runs its own widget. Run by `cargo xtask bench --fields`.

import { freshContext, heapOf, listen, openSession, rest, staged, until } from './measure.mjs';

const FIELDS = 5;
/** A terminal with more than four fields. */
const KEY = 'sandbox-six-fields';

await staged(['ours', 'bare'], load);

/**
 * One cold load, until all fields are live.
 * @param {'ours' | 'bare'} side one session, or one for each field @param {import('./measure.mjs').Condition} condition @param {import('./measure.mjs').Stage} stage
 */
async function load(side, condition, stage) {
  const { gateway, shop } = stage;
  const sessions = await Promise.all(Array.from({ length: FIELDS }, () => openSession(gateway, shop, { key: KEY })));
  const query = new URLSearchParams();
  for (let place = 0; place < FIELDS; place++) query.append('src', sessions[side === 'ours' ? 0 : place]?.fields[place]?.src ?? '');
  const context = await freshContext(stage, condition);
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Emulation.setCPUThrottlingRate', { rate: condition.cpu });
    const traffic = listen(session, gateway);
    await rest();
    await page.goto(`${shop}/fields?${query}`, { waitUntil: 'commit' });
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
