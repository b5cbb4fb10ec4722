// @ts-check
/**
 * Watches that the buyer can see the pay button: a page that lays something over it, lets it shine through or shrinks it could
 * make somebody pay who means to press something else. Brought in once the form is live. Browsers that can not tell
 * (IntersectionObserver without `isVisible`) take every press, and so does every press by key: keys can not be led astray.
 */

/** Less of the button than this, and nobody can be sure what it is. */
const LEAST = 0.2;
/** So long nothing is typed before a button that was free is looked at again. */
const PAUSE_MS = 200;

/**
 * @param {Pick<import('./live.js').Page, 'show' | 'texts'>} page tells the buyer of a press that was not taken
 * @param {(code: 'button_covered', why: 'covered' | 'shrunk') => void} complain tells the shop
 */
export function guard(page, complain) {
  const button = /** @type {HTMLElement} */ (document.getElementById('pay'));
  if (typeof IntersectionObserverEntry === 'undefined' || !('isVisible' in IntersectionObserverEntry.prototype)) return;
  /** @type {'covered' | 'shrunk' | undefined} */
  let why;
  const observer = new IntersectionObserver(
    (entries) => {
      const { isIntersecting, intersectionRatio, isVisible } = /** @type {IntersectionObserverEntry & { isVisible: boolean }} */ (entries.at(-1));
      // Out of sight there is nothing to press: it was scrolled away, and what the browser says when it is back is on its way.
      if (!isIntersecting) why = undefined;
      else if (intersectionRatio < LEAST) why = 'shrunk';
      else why = isVisible ? undefined : 'covered';
    },
    /** @type {IntersectionObserverInit} */ ({ threshold: [0, LEAST, 0.5, 1], trackVisibility: true, delay: 100 }),
  );
  observer.observe(button);
  // To see whether it is covered takes the browser as long, at each picture, as a key takes the widget. Who types does not press.
  let watches = true;
  let typedAt = -Infinity;
  addEventListener('input', ({ timeStamp }) => {
    typedAt = timeStamp;
    // What is in the way may be gone the next moment, as where the frame has yet to grow with what it shows.
    if (why || !watches) return;
    watches = false;
    observer.unobserve(button);
    look();
  });
  function look() {
    const rest = typedAt + PAUSE_MS - performance.now();
    if (rest > 0) return setTimeout(look, rest);
    watches = true;
    observer.observe(button);
  }
  addEventListener(
    'click',
    (event) => {
      // A click without a count is one by key or by a tool for people who see nothing.
      if (!why || !event.detail || !event.composedPath().includes(button)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      page.show(page.texts.button_covered);
      complain('button_covered', why);
    },
    true,
  );
}
