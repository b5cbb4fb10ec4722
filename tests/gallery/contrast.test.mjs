/** G9: the contrast of every text and every control's border in the gallery, in each look. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { contrastOf } from '../e2e/looks.mjs';
import { DESKTOP, Stage } from './stage.mjs';

suite('contrast', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('contrast');
  });
  after(() => stage.close());

  for (const look of ['standard', 'minimal', 'high-contrast']) {
    for (const theme of ['light', 'dark']) {
      test(`G9 text and control borders of every state reach AA contrast: ${look}, ${theme}`, () =>
        stage.shown({ look, theme }, DESKTOP, async (page) => {
          const pairs = await page.evaluate(colours);
          assert.ok(pairs.length > 300, `${pairs.length} texts and controls were found`);
          const poor = pairs.filter(({ front, back, least }) => Math.max(...front.map((colour) => contrastOf(colour, back))) < least);
          assert.deepEqual(poor, []);
        }));
    }
  }
});

/**
 * Runs in the page: for every form, the colours of each text and of each control's border, with their background. Disabled
 * controls need no contrast (WCAG 2.2, 1.4.3 and 1.4.11).
 */
function colours() {
  /** @typedef {{ state: string, what: string, front: string[], back: string, least: number }} Pair */
  /** @type {Pair[]} */
  const pairs = [];
  const clear = (/** @type {string} */ colour) => /^rgba\(.*, 0\)$|^transparent$/.test(colour);
  // Where nothing is painted, the background is white.
  const around = [document.body, document.documentElement].map((element) => getComputedStyle(element).backgroundColor).find((colour) => !clear(colour)) ?? 'rgb(255, 255, 255)';
  for (const form of document.querySelectorAll('payment-form')) {
    const inside = /** @type {Document} */ (form.shadowRoot?.querySelector('iframe')?.contentDocument);
    /** @param {Element | null | undefined} element @returns {string} */
    const behind = (element) => {
      if (!element) return around;
      const { backgroundColor } = getComputedStyle(element);
      return clear(backgroundColor) ? behind(element.parentElement) : backgroundColor;
    };
    for (const element of inside.querySelectorAll('main *')) {
      const shown = getComputedStyle(element);
      const off = element.closest(':disabled, [inert], [aria-disabled="true"], [hidden], svg, .sr-only');
      if (off || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      const pair = { state: form.id, what: `${element.localName}#${element.id}.${element.className}` };
      const text = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim());
      if (text || (element.matches('input') && 'value' in element && element.value)) pairs.push({ ...pair, front: [shown.color], back: behind(element), least: 4.5 });
      // The browser's own check boxes and radio buttons have its colours. A button that is only text has no border.
      const drawn = element.matches('input:not([type=checkbox], [type=radio]), button, .option') && shown.appearance !== 'auto';
      const edge = [shown.borderBottomWidth !== '0px' && shown.borderBottomColor, shown.backgroundColor].filter((colour) => colour && !clear(colour));
      if (drawn && edge.length) pairs.push({ ...pair, front: /** @type {string[]} */ (edge), back: behind(element.parentElement), least: 3 });
    }
  }
  return pairs;
}
