/** Looks: a checkout whose form has an appearance, and what elements look like. */

/**
 * Gives the form of the page that is loaded next an appearance from the start, and puts an input of the page's own before it.
 * @param {import('playwright-core').Page} page @param {unknown} appearance @param {string} [style] of that input, `#mail`
 */
export async function withAppearance(page, appearance, style) {
  const text = typeof appearance === 'string' ? appearance : JSON.stringify(appearance);
  await page.addInitScript(([text = '', style]) => {
    if (window !== top) return;
    const watch = new MutationObserver(() => {
      const form = document.querySelector('payment-form');
      if (!form) return;
      watch.disconnect();
      form.setAttribute('appearance', text);
      if (!style) return;
      const input = document.createElement('input');
      input.id = 'mail';
      input.ariaLabel = 'E-mail';
      // The page's policy forbids attributes, not this.
      input.style.cssText = style;
      form.before(input);
    });
    watch.observe(document, { childList: true, subtree: true });
  }, [text, style]);
}

/** How an element looks now. @param {import('playwright-core').Locator} element @param {keyof CSSStyleDeclaration} property @returns {Promise<string>} */
export const computed = (element, property) => element.evaluate((shown, property) => String(getComputedStyle(shown)[/** @type {any} */ (property)]), property);

/** Waits until an element looks so. @param {import('playwright-core').Locator} element @param {keyof CSSStyleDeclaration & string} property @param {string} expected */
export async function looks(element, property, expected) {
  await element.evaluate((shown, [property, expected]) => new Promise((resolve, reject) => {
    const limit = performance.now() + 5000;
    const look = () => {
      const found = getComputedStyle(shown)[/** @type {any} */ (property)];
      if (found === expected) resolve(undefined);
      else if (performance.now() > limit) reject(new Error(`${property} is ${found}, not ${expected}`));
      else requestAnimationFrame(look);
    };
    look();
  }), [property, expected]);
}

/** @param {string} colour as browsers compute it: rgb(…) */
function luminance(colour) {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
    const share = Number(part) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast of two colours by WCAG 2.2, 1 to 21. @param {string} one @param {string} other */
export function contrastOf(one, other) {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}
