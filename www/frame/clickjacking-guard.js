// @ts-check
/**
 * Judges the presses that pay: a page that covers the button, clips the form, or moves it under the pointer could make somebody pay
 * who means to press something else. A press by pointer counts once the button has been wholly visible for half a second, where
 * the browser can tell (IntersectionObserver with `isVisible`), and did not come under a pointer at rest. A call of the page's
 * script pays only while the sum is wholly visible, and soon after a gesture of the buyer. Presses by key always count: keys can not be led astray.
 * Brought in once the form is live; presses until then wait for it.
 */

/** Corners that the page rounds, and fractions of a pixel, take away less of a button. */
const WHOLE = 0.98;
/** So long the buyer has had the button before their eyes. */
const STEADY_MS = 500;
/** A machine that is busy tells late what it saw. */
const LATE_MS = 3000;
/** Within this the page gives the frame the height that the form has grown to, and what that clipped is whole again. */
const GROWTH_MS = 300;
/** So long nothing is typed before a button that was free is looked at again. */
const PAUSE_MS = 200;
const LOOK_AGAIN_MS = 50;
/** Presses that are further apart are no double click on any system. */
const DOUBLE_MS = 1000;

/** @typedef {'covered' | 'shrunk' | 'unseen' | 'moved' | 'soon'} Why a press is not taken */
/**
 * What the browser said of a button: why it is not wholly visible, if so; since when it is as it is; what it was before; when it
 * came into view, if it was not wholly visible there yet.
 * @typedef {{ why?: Why | undefined, since: number, was: Why, steadySince: number, byGrowth: boolean, cameAt: number }} View
 */
/** Where a pointer was, in the frame and on the screen. @typedef {{ x: number, y: number, screenX: number, screenY: number, at: number }} Place */

/** @param {string} id */
const byId = (id) => document.getElementById(id);
const canSee = () => typeof IntersectionObserverEntry !== 'undefined' && 'isVisible' in IntersectionObserverEntry.prototype;

/** @param {IntersectionObserverEntry} entry @returns {Why | undefined} */
function fault(entry) {
  if (!entry.isIntersecting) return 'unseen';
  if (entry.intersectionRatio < WHOLE) return 'shrunk';
  return /** @type {IntersectionObserverEntry & { isVisible: boolean }} */ (entry).isVisible ? undefined : 'covered';
}

/** @param {(entries: IntersectionObserverEntry[], observer: IntersectionObserver) => void} callback */
const observer = (callback) => new IntersectionObserver(callback, /** @type {IntersectionObserverInit} */ ({ threshold: [0, WHOLE, 1], trackVisibility: true, delay: 100 }));

/**
 * Whether the frame moved between two places of a pointer: then one of both ways is much longer than the other. Not how much, because
 * a page that is enlarged measures the two differently.
 * @param {Place} from @param {Place} to
 */
function moved(from, to) {
  const inFrame = Math.hypot(to.x - from.x, to.y - from.y);
  const onScreen = Math.hypot(to.screenX - from.screenX, to.screenY - from.screenY);
  return inFrame > 5 * onScreen + 8 || onScreen > 5 * inFrame + 8;
}

/** Whether the focus is in this form, in whichever of its frames. */
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
  /** When the focus went elsewhere. */
  #leftAt = -Infinity;
  /** Where a mouse was last in the frame, having moved there by itself. @type {Place | undefined} */
  #mouse;
  /** Where any pointer was last. @type {Place | undefined} */
  #last;
  /** By what was pressed last. */
  #pointer = '';
  /** Which one of presses without a pause this frame saw last, and when. */
  #presses = 0;
  #pressedAt = -Infinity;
  /** The button whose press waits. @type {HTMLElement | undefined} */
  #held;
  #sentence = Object.assign(document.createElement('p'), { className: 'message bad' });

  /**
   * @param {Pick<import('./bootstrap.js').Page, 'texts'>} page
   * @param {(code: 'button_covered', why: Why) => void} reportError tells the shop
   */
  constructor(page, reportError) {
    this.#page = page;
    this.#reportError = reportError;
    this.#followPointers();
    addEventListener('input', (event) => this.#onInput(event));
    if (canSee()) this.#observe();
  }

  /**
   * Whether a press by pointer counts now. One that does not is held, or asked for again.
   * @param {HTMLElement} button
   */
  accepts(button) {
    const why = this.#whyNot(button);
    if (!why) {
      this.#sentence.remove();
      return true;
    }
    // A mouse that went to the button by itself meant it; what was scrolled there a moment ago is only too young.
    const meant = this.#byMouse() || this.#views.get(button)?.byGrowth;
    if (meant && why !== 'covered' && why !== 'moved') this.holdPress(button);
    else this.#askAgain(button, why);
    return false;
  }

  /** Carries a press out once the button has been seen for long enough, if nothing happens meanwhile. @param {HTMLElement} button */
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
   * Why a call of the page's script does not pay, as a code; none where it does, or where there is nothing to pay.
   * Whether the buyer made a gesture in the page is what the browser wrote beside the call (`includeUserActivation`), which no script can
   * forge. Capability delegation (`delegate`, https://wicg.github.io/capability-delegation/spec.html) says no more: it hands on the right to
   * call one of the browser's own functions, uses the page's gesture up, and the frame that gets it can not see that it has it.
   * @param {MessageEvent} call
   * @returns {Promise<'press_needed' | 'form_unseen' | undefined>}
   */
  async refusalOf(call) {
    const sum = sumElement();
    if (!sum) return undefined;
    // Other browsers do not tell.
    const active = !('userActivation' in MessageEvent.prototype) || /** @type {any} */ (call).userActivation?.isActive;
    const code = active ? ((await isSeen(sum)) ? undefined : 'form_unseen') : 'press_needed';
    if (!code) this.#sentence.remove();
    else {
      sum.scrollIntoView({ block: 'nearest' });
      this.#say(sum, this.#page.texts.sum_again);
    }
    return code;
  }

  /** Whether a mouse pressed last, and had moved to that place by itself. */
  #byMouse() {
    return this.#pointer === 'mouse' && !!this.#mouse;
  }

  /** @param {HTMLElement} button @returns {Why | undefined} */
  #whyNot(button) {
    const now = performance.now();
    const view = this.#views.get(button);
    // Of what has just been scrolled into view browsers say at first that a part is missing or that it is covered, while they have yet to see.
    if (view?.why) return now - view.cameAt < STEADY_MS ? 'unseen' : view.why;
    if (now - this.#movedAt < STEADY_MS) return 'moved';
    // A mouse that went from there to the button is waited for; a finger that pressed there can not be told from one that follows.
    if (now - this.#leftAt < STEADY_MS) return this.#byMouse() ? 'soon' : 'moved';
    if (view && now - view.steadySince < STEADY_MS) return view.was === 'covered' ? 'covered' : 'soon';
    return undefined;
  }

  /** @param {HTMLElement} button @param {Why} why */
  #askAgain(button, why) {
    const { button_covered: covered, press_again: again } = this.#page.texts;
    // What was out of sight and is pressed has just come into view.
    this.#say(button, why === 'covered' || why === 'shrunk' ? covered : again);
    this.#reportError('button_covered', why);
  }

  /** Behind what it is about, so that nothing above moves, and at once to who does not see it. @param {Element} place @param {string} [text] */
  #say(place, text = '') {
    this.#sentence.textContent = text;
    place.after(this.#sentence);
    const urgent = byId('urgent');
    // The same again is heard again.
    if (urgent) urgent.textContent = urgent.textContent === text ? `${text}\u{a0}` : text;
  }

  // ---- What is seen -----------------------------------------------------------------------------------------------------

  #observe() {
    for (const id of ['pay', 'press']) {
      const button = byId(id);
      if (button) this.#views.set(button, { why: 'unseen', since: Infinity, was: 'unseen', steadySince: Infinity, byGrowth: false, cameAt: -Infinity });
    }
    this.#observer = observer((entries) => {
      for (const entry of entries) this.#onVisibility(entry);
    });
    this.#look();
    // Before the browser tells what it sees of the same picture.
    const main = byId('main');
    let height = 0;
    if (main)
      new ResizeObserver(() => {
        if (main.offsetHeight > height) this.#grewAt = performance.now();
        height = main.offsetHeight;
      }).observe(main);
    // A page that makes the form narrower lays it out anew.
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
      // What the form's own growth clipped for a moment was there all the time.
      if (!view.byGrowth || now - view.since > GROWTH_MS) view.steadySince = now;
      if (now - view.cameAt < STEADY_MS) view.was = 'unseen';
      Object.assign(view, { since: now, byGrowth: false, cameAt: -Infinity });
    }
    view.why = why;
  }

  /** To see whether it is covered takes the browser as long, at each picture, as a key takes the widget. Who types does not press. @param {Event} event */
  #onInput({ timeStamp }) {
    this.#sentence.remove();
    this.#typedAt = timeStamp;
    // What is in the way may be gone the next moment, as where the frame has yet to grow with what it shows.
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

  // ---- Where pointers are -----------------------------------------------------------------------------------------------

  #followPointers() {
    const heard = /** @type {const} */ (['pointermove', 'pointerdown', 'pointerup', 'pointercancel']);
    for (const type of heard) addEventListener(type, (event) => this.#onPointer(event), true);
    document.documentElement.addEventListener('pointerleave', () => (this.#mouse = undefined));
    addEventListener(
      'mousedown',
      ({ detail }) => {
        const now = performance.now();
        if (now - this.#pressedAt > DOUBLE_MS) this.#presses = 0;
        // The second press of two, and the first was elsewhere.
        if (detail > this.#presses + 1) this.#movedAt = now;
        this.#presses = detail;
        this.#pressedAt = now;
      },
      true,
    );
    // What was pressed in the page takes the focus from the frame.
    addEventListener('blur', () => {
      const before = this.#leftAt;
      const now = (this.#leftAt = performance.now());
      // Where it went is known a moment later.
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
      // A form that comes under a mouse at rest is pressed without a move before.
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

/** Where the buyer reads what is about to be paid. Nothing where that can not be decided now. A page that says the sum itself shows it beside the end of the form. */
function sumElement() {
  if (byId('panel')?.hidden !== false) {
    const inputs = [.../** @type {HTMLFormElement} */ (byId('card')).elements].filter((input) => /** @type {HTMLElement} */ (input).offsetHeight);
    return document.documentElement.dataset.button === 'none' ? (inputs.at(-1) ?? null) : byId('promise');
  }
  const [text, press] = [byId('text'), byId('press')];
  if (!press || press.dataset.pays === undefined) return null;
  return text?.textContent ? text : press;
}

/** Whether all of it is visible, now or as soon as the page has made room for what the form grew to. @param {Element} sum @returns {Promise<boolean>} */
function isSeen(sum) {
  if (!canSee()) return Promise.resolve(true);
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
