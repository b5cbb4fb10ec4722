/** What axe-core finds against WCAG 2.2 AA in a page and in every frame nested in it. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cornerColour } from './pixels.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * Violations as `path of the document: rule at element`; none is `[]`.
 * @param {import('playwright-core').Page} page
 * @param {string} gateway origin whose frames are looked at too
 * @param {'everything' | 'frames'} [extent] `frames` where the page itself is as in another audit
 */
export async function violations(page, gateway, extent = 'everything') {
  /** @type {string[]} */
  const found = [];
  for (const frame of page.frames()) {
    if (extent === 'frames' && !frame.parentFrame()) continue;
    // In a sandboxed document no script runs, so axe can not run either.
    if (frame.parentFrame() && (await isSandboxed(frame))) continue;
    const { origin, pathname } = new URL(frame.url());
    if (frame.parentFrame() && (origin !== gateway || !(await isSeen(frame)))) continue;
    // Axe does not know what is behind a transparent form, so it gets the colour on the screen.
    const behind = frame.parentFrame() && (await isTransparent(frame)) ? await cornerColour(page, await frame.frameElement()) : undefined;
    // Half a megabyte, once for each document.
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(AXE);
    const results = await frame.evaluate(look, { rules: RULES, behind });
    found.push(...results.map((result) => `${pathname}: ${result}`));
  }
  return found;
}

/** @param {import('playwright-core').Frame} frame */
async function isSeen(frame) {
  const element = await frame.frameElement();
  return element.isVisible();
}

/** @param {import('playwright-core').Frame} frame */
async function isSandboxed(frame) {
  const element = await frame.frameElement();
  const sandbox = await element.getAttribute('sandbox');
  return sandbox !== null && !sandbox.includes('allow-scripts');
}

/** @param {import('playwright-core').Frame} frame */
const isTransparent = (frame) => frame.evaluate(() => [document.documentElement, document.body].every((element) => getComputedStyle(element).backgroundColor === 'rgba(0, 0, 0, 0)'));

/** Runs in the page. @param {{ rules: string[], behind: string | undefined }} task @returns {Promise<string[]>} */
async function look({ rules, behind }) {
  const root = document.documentElement;
  const before = root.style.background;
  if (behind) root.style.background = behind;
  const { axe } = /** @type {any} */ (window);
  const { violations } = await axe.run(document, { runOnly: rules, iframes: false, resultTypes: ['violations'] });
  root.style.background = before;
  return violations.flatMap((/** @type {any} */ rule) => rule.nodes.map((/** @type {any} */ node) => `${rule.id} at ${node.html}: ${node.failureSummary.replaceAll(/\s+/g, ' ')}`));
}
