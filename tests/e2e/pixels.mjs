/** Colours as they are on the screen, whatever layers made them. */

import assert from 'node:assert/strict';

/**
 * The colour just inside the upper left corner of an element, as `rgb(1, 2, 3)`.
 * @param {import('playwright-core').Page} page
 * @param {import('playwright-core').Locator | import('playwright-core').ElementHandle} element
 */
export async function cornerColour(page, element) {
  // Not Playwright's own scrolling, which is content with any part of a tall element.
  await /** @type {import('playwright-core').Locator} */ (element).evaluate((shown) => shown.scrollIntoView({ block: 'start', behavior: 'instant' }));
  const box = await element.boundingBox();
  assert.ok(box, 'the element is on the screen');
  const picture = await page.screenshot({ clip: { x: Math.ceil(box.x) + 1, y: Math.ceil(box.y) + 1, width: 1, height: 1 }, animations: 'disabled' });
  // The page's policy is not to be in the way of reading the picture.
  const reader = await page.context().newPage();
  try {
    return await reader.evaluate(async (bytes) => {
      const image = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: 'image/png' }));
      const canvas = new OffscreenCanvas(1, 1).getContext('2d');
      canvas?.drawImage(image, 0, 0);
      const [red, green, blue] = canvas?.getImageData(0, 0, 1, 1).data ?? [];
      return `rgb(${red}, ${green}, ${blue})`;
    }, [...picture]);
  } finally {
    await reader.close();
  }
}
