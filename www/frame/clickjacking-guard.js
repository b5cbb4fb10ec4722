// @ts-check
/**
 * Checks the presses that pay: a page that covers the button, clips the form, or moves it under the pointer could make a buyer pay
 * who wants to press something else. A press by pointer counts once the button has been wholly visible for half a second, and was not
 * moved under a resting pointer. Chromium and WebKit tell a frame what of it an element cuts off that hides what overflows. Only
 * Chromium tells what covers it, or lets it shine through (`isVisible`), and counts what a `clip-path` cuts off. A call of the page's
 * script pays only while the sum is wholly visible, and soon after a gesture of the buyer. Presses by key always count: a page can not redirect them.
 * Loaded once the form is live; earlier presses wait for it.
 */

/** Rounded corners of the page, and fractions of a pixel, hide less of a button than the rest. */
const WHOLE = 0.98;
/** For this time the buyer must have seen the button. */
const STEADY_MS = 500;
/** How late a busy machine may report visibility. */
const LATE_MS = 3000;
/** Within this time the page gives the frame the form's new height after growth, and what was clipped is whole again. */
const GROWTH_MS = 300;
/** For this time nothing is typed before a visible button is observed again. */
const PAUSE_MS = 200;
const LOOK_AGAIN_MS = 50;
/** Presses with a longer pause between them are a double click on no system. */
const DOUBLE_MS = 1000;

/** @typedef {'covered' | 'shrunk' | 'unseen' | 'moved' | 'soon'} Why a press is not taken */
/**
 * What the browser reported about a button: why it is not wholly visible, if so; since when its state lasts; its former state; when it
 * came into view, if it has not been wholly visible yet.
 * @typedef {{ why?: Why | undefined, since: number, was: Why, steadySince: number, byGrowth: boolean, cameAt: number }} View
 */
/** The position of a pointer, in the frame and on the screen. @typedef {{ x: number, y: number, screenX: number, screenY: number, at: number }} Place */

/** @param {string} id */
const byId = (id) => document.getElementById(id);

/** @param {IntersectionObserverEntry} entry @returns {Why | undefined} */
function fault(entry) {
  if (!entry.isIntersecting) return 'unseen';
  if (entry.intersectionRatio < WHOLE) return 'shrunk';
  return /** @type {IntersectionObserverEntry & { isVisible?: boolean }} */ (entry).isVisible === false ? 'covered' : undefined;
}

/** @param {(entries: IntersectionObserverEntry[], observer: IntersectionObserver) => void} callback */
const observer = (callback) => new IntersectionObserver(callback, /** @type {IntersectionObserverInit} */ ({ threshold: [0, WHOLE, 1], trackVisibility: true, delay: 100 }));

/**
 * Whether the frame moved between two positions of a pointer: then the distance in the frame differs much from that on the screen. Small
 * differences do not count, because a zoomed page measures the two in different units.
 * @param {Place} from @param {Place} to
 */
function moved(from, to) {
  const inFrame = Math.hypot(to.x - from.x, to.y - from.y);
  const onScreen = Math.hypot(to.screenX - from.screenX, to.screenY - from.screenY);
  return inFrame > 5 * onScreen + 8 || onScreen > 5 * inFrame + 8;
}

/** Whether the focus is in one of the frames of this form. */
function hasFocus() {
  if (document.hasFocus()) return true;
  for (let at = 0; at < parent.length; at++) {
    try {
      if (parent[at]?.document.hasFocus()) return true;
    } catch {
      // Of another origin.
    }
  }
  return false;
}

export class ClickjackingGuard {
  #page;
  #reportError;
  /** @type {Map<Element, View>} */
  #views = new Map();
  /** @type {IntersectionObserver | undefined} */
  #observer;
  #watches = true;
  #typedAt = -Infinity;
  #grewAt = -Infinity;
  #movedAt = -Infinity;
  /** When the focus left the form. */
  #leftAt = -Infinity;
  /** The last position to which the mouse itself moved in the frame. @type {Place | undefined} */
  #mouse;
  /** The last position of any pointer. @type {Place | undefined} */
  #last;
  /** The type of the pointer that pressed last. */
  #pointer = '';
  /** The count of the last press in this frame, within a series of presses without a pause, and its time. */
  #presses = 0;
  #pressedAt = -Infinity;
  /** The button whose press waits. @type {HTMLElement | undefined} */
  #held;
  #sentence = Object.assign(document.createElement('p'), { className: 'message bad' });

  /**
   * @param {{ texts: Record<string, string> }} page
   * @param {(code: 'button_covered', why: Why) => void} reportError tells the shop
   */
  constructor(page, reportError) {
    this.#page = page;
    this.#reportError = reportError;
    this.#followPointers();
    addEventListener('input', (event) => this.#onInput(event));
    this.#observe();
  }

  /**
   * Whether a press by pointer counts now. Otherwise it is held, or the buyer is asked for another press.
   * @param {HTMLElement} button
   */
  accepts(button) {
    const why = this.#whyNot(button);
    if (!why) {
      this.#sentence.remove();
      return true;
    }
    // If the mouse itself moved to the button, the press was meant; a button that was scrolled into view has only not been visible long enough.
    const meant = this.#byMouse() || this.#views.get(button)?.byGrowth;
    if (meant && why !== 'covered' && why !== 'moved') this.holdPress(button);
    else this.#askAgain(button, why);
    return false;
  }

  /** Carries out a press once the button has been visible for long enough, if nothing happens meanwhile. @param {HTMLElement} button */
  holdPress(button) {
    if (this.#held) return;
    this.#held = button;
    const from = performance.now();
    const decide = () => {
      const why = this.#whyNot(button);
      const waited = performance.now() - from;
      const known = this.#views.get(button)?.since !== Infinity;
      const hopeless = why === 'covered' || why === 'moved' || (known && this.#views.get(button)?.why && waited > STEADY_MS);
      if (why && !hopeless && waited < LATE_MS) return setTimeout(decide, LOOK_AGAIN_MS);
      this.#held = undefined;
      if (why) return this.#askAgain(button, why);
      this.#sentence.remove();
      button.click();
    };
    decide();
  }

  /**
   * Why a call of the page's script does not pay, as a code; `undefined` if it pays, or if there is nothing to pay.
   * The browser adds to the message whether the buyer made a gesture in the page (`includeUserActivation`); no script can
   * forge that. Capability delegation (`delegate`, https://wicg.github.io/capability-delegation/spec.html) would not help: it passes on the right to
   * call one of the browser's own functions, consumes the page's gesture, and the frame that receives it can not detect that.
   * @param {MessageEvent} call
   * @returns {Promise<'press_needed' | 'form_unseen' | undefined>}
   */
  async refusalOf(call) {
    const sum = sumElement();
    if (!sum) return undefined;
    // Other browsers do not tell whether there was a gesture.
    const active = !('userActivation' in MessageEvent.prototype) || /** @type {any} */ (call).userActivation?.isActive;
    const code = active ? ((await isSeen(sum)) ? undefined : 'form_unseen') : 'press_needed';
    if (!code) this.#sentence.remove();
    else {
      sum.scrollIntoView({ block: 'nearest' });
      this.#say(sum, this.#page.texts.sum_again);
    }
    return code;
  }

  /** Whether the last press was by a mouse that itself had moved to that position. */
  #byMouse() {
    return this.#pointer === 'mouse' && !!this.#mouse;
  }

  /** @param {HTMLElement} button @returns {Why | undefined} */
  #whyNot(button) {
    const now = performance.now();
    const view = this.#views.get(button);
    // Browsers report an element that was just scrolled into view as covered until they have checked it.
    if (view?.why) return view.why === 'covered' && now - view.cameAt < STEADY_MS ? 'unseen' : view.why;
    if (now - this.#movedAt < STEADY_MS) return 'moved';
    // With a mouse that moved from there to the button, the press waits. A finger that pressed in the page can not be distinguished from one that
    // follows a moved form.
    if (now - this.#leftAt < STEADY_MS) return this.#byMouse() ? 'soon' : 'moved';
    if (view && now - view.steadySince < STEADY_MS) return view.was === 'covered' ? 'covered' : 'soon';
    return undefined;
  }

  /** @param {HTMLElement} button @param {Why} why */
  #askAgain(button, why) {
    const { button_covered: covered, press_again: again } = this.#page.texts;
    // A button that is pressed while the browser has not reported it as visible has just come into view.
    this.#say(button, why === 'covered' || why === 'shrunk' ? covered : again);
    this.#reportError('button_covered', why);
  }

  /** Shows the text after the element that it is about, so that nothing above moves, and announces it at once. @param {Element} place @param {string} [text] */
  #say(place, text = '') {
    this.#sentence.textContent = text;
    place.after(this.#sentence);
    const urgent = byId('urgent');
    // A text that does not change would not be announced again.
    if (urgent) urgent.textContent = urgent.textContent === text ? `${text}\u{a0}` : text;
  }

  // ---- Visibility ---------------------------------------------------------------------------------------------------------

  #observe() {
    this.#find();
    this.#observer = observer((entries) => {
      for (const entry of entries) this.#onVisibility(entry);
    });
    this.#look();
    // This runs before the browser reports the visibility of the same frame.
    const main = byId('main');
    let height = 0;
    if (main) {
      new ResizeObserver(() => {
        if (main.offsetHeight > height) this.#grewAt = performance.now();
        height = main.offsetHeight;
      }).observe(main);
      // The widget draws the panel with its button later.
      new MutationObserver(() => this.#find() && this.#watches && this.#look()).observe(main, { childList: true });
    }
    // A page that makes the form narrower changes its layout.
    let width = innerWidth;
    addEventListener('resize', () => {
      if (innerWidth === width) return;
      width = innerWidth;
      for (const view of this.#views.values()) if (!view.why) Object.assign(view, { was: 'unseen', steadySince: performance.now() });
    });
  }

  /** @param {IntersectionObserverEntry} entry */
  #onVisibility(entry) {
    const view = this.#views.get(entry.target);
    if (!view) return;
    const now = performance.now();
    const why = fault(entry);
    if (view.why === 'unseen' && why !== 'unseen') view.cameAt = now;
    if (why) {
      if (!view.why) Object.assign(view, { since: now, byGrowth: why !== 'covered' && now - this.#grewAt < GROWTH_MS });
      view.byGrowth &&= why !== 'covered';
      view.since = Math.min(view.since, now);
      view.was = why;
    } else if (view.why) {
      // A button that the form's own growth clipped for a moment counts as visible all the time.
      if (!view.byGrowth || now - view.since > GROWTH_MS) view.steadySince = now;
      if (now - view.cameAt < STEADY_MS) view.was = 'unseen';
      Object.assign(view, { since: now, byGrowth: false, cameAt: -Infinity });
    }
    view.why = why;
  }

  /** At each paint the check whether the button is covered takes the browser as long as a key takes the widget. So it pauses while the buyer types. @param {Event} event */
  #onInput({ timeStamp }) {
    this.#sentence.remove();
    this.#typedAt = timeStamp;
    // An obstacle may be gone in a moment, for example when the frame has grown with its content.
    const inTheWay = [...this.#views.values()].some(({ why }) => why === 'covered' || why === 'shrunk');
    if (!this.#observer || inTheWay || !this.#watches) return;
    this.#watches = false;
    for (const button of this.#views.keys()) this.#observer.unobserve(button);
    this.#lookLater();
  }

  #lookLater() {
    const rest = this.#typedAt + PAUSE_MS - performance.now();
    if (rest > 0) return setTimeout(() => this.#lookLater(), rest);
    this.#watches = true;
    this.#look();
  }

  #look() {
    for (const button of this.#views.keys()) this.#observer?.observe(button);
  }

  /** Takes up the buttons that are in the page now. Gives whether one is new. */
  #find() {
    const known = this.#views.size;
    for (const id of ['pay', 'press']) {
      const button = byId(id);
      if (button && !this.#views.has(button)) this.#views.set(button, { why: 'unseen', since: Infinity, was: 'unseen', steadySince: Infinity, byGrowth: false, cameAt: -Infinity });
    }
    return this.#views.size > known;
  }

  // ---- Pointers -----------------------------------------------------------------------------------------------------------

  #followPointers() {
    const heard = /** @type {const} */ (['pointermove', 'pointerdown', 'pointerup', 'pointercancel']);
    for (const type of heard) addEventListener(type, (event) => this.#onPointer(event), true);
    document.documentElement.addEventListener('pointerleave', () => (this.#mouse = undefined));
    addEventListener(
      'mousedown',
      ({ detail }) => {
        const now = performance.now();
        if (now - this.#pressedAt > DOUBLE_MS) this.#presses = 0;
        // This is the second press of a double click whose first press was not in this frame.
        if (detail > this.#presses + 1) this.#movedAt = now;
        this.#presses = detail;
        this.#pressedAt = now;
      },
      true,
    );
    // A press in the page takes the focus from the frame.
    addEventListener('blur', () => {
      const before = this.#leftAt;
      const now = (this.#leftAt = performance.now());
      // The new focus is known in the next task.
      setTimeout(() => {
        if (this.#leftAt === now && hasFocus()) this.#leftAt = before;
      });
    });
  }

  /** @param {PointerEvent} event */
  #onPointer({ type, pointerType, clientX: x, clientY: y, screenX, screenY }) {
    const at = performance.now();
    const place = { x, y, screenX, screenY, at };
    if (pointerType === 'mouse') {
      // A form that was moved under a resting mouse is pressed without a preceding move of the mouse.
      if (type === 'pointerdown' && (!this.#mouse || moved(this.#mouse, place))) {
        this.#movedAt = at;
        this.#mouse = place;
      } else if (type === 'pointermove' || this.#mouse) this.#mouse = place;
    } else if (this.#last && at - this.#last.at < STEADY_MS && type === 'pointerdown' && moved(this.#last, place)) this.#movedAt = at;
    this.#last = place;
    if (type === 'pointerdown') this.#pointer = pointerType;
  }
}

// ---- The sum ------------------------------------------------------------------------------------------------------------

/** The element with the sum that is about to be paid; `null` if nothing can be paid now. */
function sumElement() {
  if (byId('panel')?.hidden !== false) return byId('promise');
  const [text, press] = [byId('text'), byId('press')];
  if (!press || press.dataset.pays === undefined) return null;
  return text?.textContent ? text : press;
}

/** Whether all of it is visible, now or as soon as the page has given the frame the form's new height. @param {Element} sum @returns {Promise<boolean>} */
function isSeen(sum) {
  return new Promise((resolve) => {
    /** @type {ReturnType<typeof setTimeout>} */
    let limit;
    /** @type {IntersectionObserver} */
    const watching = observer((entries) => {
      const entry = entries.at(-1);
      if (entry && !fault(entry)) end(true);
      else wait(GROWTH_MS);
    });
    const end = (/** @type {boolean} */ whole) => {
      clearTimeout(limit);
      watching.disconnect();
      resolve(whole);
    };
    let waits = false;
    const wait = (/** @type {number} */ ms) => {
      if (waits) return;
      waits = ms === GROWTH_MS;
      clearTimeout(limit);
      limit = setTimeout(end, ms, false);
    };
    wait(LATE_MS);
    watching.observe(sum);
  });
}
