// @ts-check
// The form that the shop's server prints into its page, compared with a bare form that a script adds to the page: when each can be typed
// into. Run by `cargo xtask bench --printed`.

import { LOAD_LIMIT_MS, freshContext, openSession, rest, staged, until } from './measure.mjs';

await staged(['ours', 'bare'], load);

/**
 * One cold load, until the card number can be typed.
 * @param {'ours' | 'bare'} side @param {import('./measure.mjs').Condition} condition @param {import('./measure.mjs').Stage} stage
 */
async function load(side, condition, stage) {
  const { gateway, shop } = stage;
  const path = side === 'ours' ? `/printed?${new URLSearchParams({ form: (await openSession(gateway, shop, { form: { closing: 'FRAME' } })).form.html })}` : '/bare';
  const context = await freshContext(stage, condition);
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: condition.cpu });
    await rest();
    await page.goto(`${shop}${path}`, { waitUntil: 'commit' });
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
