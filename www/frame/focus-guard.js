// @ts-check
/**
 * A page can take the focus in the middle of a card number: the buyer types on, and the page reads the rest. So a focus that leaves a
 * half-typed number or security code without Tab, a press or a move of the form is given back, where the browser allows that. Buyer and shop
 * are told, and the gateway counts it.
 *
 * A frame can not see presses in the page around it. A focus that leaves soon after a key counts as taken, unless the mouse was moved in
 * the form since then. Who leaves again without having typed is let go.
 */

/** Longer than the pauses of somebody who reads a number from a card. */
const TYPING_MS = 3000;
/** A focus that is gone so soon after it was given back was taken by a script. */
const SCRIPT_MS = 300;
/** So often in a row the form takes the focus back from a page that goes on taking it. */
const MOST = 20;
/** The digits of a whole number or code, by field. @type {Record<string, (digits: string) => boolean>} */
const IS_WHOLE = {
  CARD_NUMBER: (digits) => digits.length >= 12 && passesLuhn(digits),
  SECURITY_CODE: (digits) => digits.length >= 3,
};

/** @param {string} digits */
function passesLuhn(digits) {
  let sum = 0;
  for (let place = 1; place <= digits.length; place++) {
    const digit = Number(digits.at(-place)) * (place % 2 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

/** Whether the buyer is in the middle of this field. @param {EventTarget | null} target @returns {target is HTMLInputElement} */
function isHalfTyped(target) {
  const { id, value, isConnected, disabled, readOnly } = /** @type {HTMLInputElement} */ (target);
  const digits = value?.replace(/\D/g, '');
  return !!digits && isConnected && !disabled && !readOnly && IS_WHOLE[id]?.(digits) === false;
}

export class FocusGuard {
  #tell;
  /** @type {Set<Window>} */
  #frames = new Set();
  #typedAt = -Infinity;
  /** Whether the buyer has pressed Tab, pressed in a frame of the form, or moved the mouse, since the last key. */
  #leaves = false;
  /** The last position of a mouse, on the screen. @type {{ screenX: number, screenY: number } | undefined} */
  #mouse;
  #givenBackAt = -Infinity;
  /** How often the focus was given back since the last key. */
  #count = 0;

  /** @param {() => void} tell called each time that the focus was taken, and came back */
  constructor(tell) {
    this.#tell = tell;
  }

  /** Guards the fields in this frame. @param {Window} frame */
  watch(frame) {
    if (this.#frames.has(frame)) return;
    this.#frames.add(frame);
    /** @param {() => void} act */
    const trusted = (act) => (/** @type {Event} */ { isTrusted }) => isTrusted && act();
    frame.addEventListener('input', trusted(() => {
      this.#typedAt = performance.now();
      this.#leaves = false;
      this.#count = 0;
    }), true);
    frame.addEventListener('focusin', () => (this.#leaves = false));
    frame.addEventListener('keydown', ({ key, isTrusted }) => isTrusted && (key === 'Tab' || key === 'F6') && (this.#leaves = true), true);
    frame.addEventListener('pointerdown', trusted(() => (this.#leaves = true)), true);
    frame.addEventListener('pointermove', ({ pointerType, screenX, screenY }) => {
      if (pointerType !== 'mouse') return;
      // Under a mouse that rests, the page has moved the frame.
      if (this.#mouse && (this.#mouse.screenX !== screenX || this.#mouse.screenY !== screenY)) this.#leaves = true;
      this.#mouse = { screenX, screenY };
    }, true);
    frame.addEventListener('focusout', ({ target }) => {
      // The new focus is known in the next task.
      if (isHalfTyped(target)) setTimeout(() => this.#left(target));
    });
  }

  /** @param {HTMLInputElement} input */
  #left(input) {
    const now = performance.now();
    const again = now - this.#givenBackAt < SCRIPT_MS;
    if (this.#leaves || now - this.#typedAt > TYPING_MS || this.#hasFocus() || document.hidden || !isHalfTyped(input)) return;
    if (this.#count >= (again ? MOST : 1)) return;
    this.#count++;
    this.#givenBackAt = now;
    // If the browser's window has lost the focus, nothing comes back, and nobody has taken anything.
    const onFocus = () => this.#tell();
    const frame = /** @type {Window} */ (input.ownerDocument.defaultView);
    frame.addEventListener('focus', onFocus, { once: true });
    setTimeout(() => frame.removeEventListener('focus', onFocus), SCRIPT_MS);
    input.focus();
  }

  #hasFocus() {
    return [...this.#frames].some(({ closed, document }) => !closed && document.hasFocus());
  }
}
