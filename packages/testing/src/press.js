// @ts-check

/** Longer than Chromium drops presses for. */
const STABLE_MS = 600;
const TRIES = 10;

/**
 * Presses a button. Chromium's headless shell, the usual browser of Playwright, drops a press at a form that moved within the last half
 * second, as the page does that scrolls to it (https://chromestatus.com/feature/5406180975312896). Such a press is made again.
 * @param {import('playwright-core').Locator} button
 */
export async function press(button) {
  const arrival = await button.evaluateHandle((element) => ({ press: new Promise((resolve) => element.addEventListener('pointerdown', () => resolve(true), { once: true })) }));
  const arrives = () =>
    arrival
      .evaluate(({ press }, limit) => Promise.race([press, new Promise((resolve) => setTimeout(resolve, limit, false))]), STABLE_MS)
      // The press has arrived if its page is gone.
      .catch(() => true);
  for (let tries = 0; tries < TRIES; tries++) {
    await button.click();
    if (await arrives()) return;
  }
  throw new Error('The form keeps moving, so the browser drops every press.');
}
