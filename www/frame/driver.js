// @ts-check
// The frames of one session in one page. Browsers let frames of one origin in one page access each other's
// documents, so one of them, the driver, runs the widget for all: one download, one compile, one heap, and no typed
// text in a message. Frames may be added late and in any order, removed and added again; the driver itself may be removed too.

/**
 * The objects that a frame shows its siblings.
 * @typedef {object} Shared
 * @property {Driver} [driver] set in the frame that runs the widget, or is about to
 * @property {Driver} [drivenBy] the driver that it has joined
 * @property {(kept: Kept) => void} [inherit] makes the frame the driver, because the former one is being removed
 */
/** What a frame shows its siblings, as `window.payframe`. @typedef {import('./own-frames.js').SiblingFrame & Shared} Member */

/** The content of fields without a frame, by id. It is passed from one driver to the next and to nobody else. @typedef {Record<string, string>} Kept */
/** @typedef {typeof import('{{glue}}')} Widget */
/** @typedef {import('../sdk/messages.js').FieldReport} Report */

const FIELDS = ['CARD_NUMBER', 'EXPIRATION_DATE', 'SECURITY_CODE', 'CARDHOLDER_NAME', 'CARDHOLDER_SURNAME', 'CARDHOLDER_EMAIL', 'PRIVACY_CONDITIONS'];

/** The other frames of this session, in the order of the page. @param {string} session */
export function siblings(session) {
  /** @type {(Window & { payframe: Member })[]} */
  const found = [];
  for (let place = 0; place < parent.frames.length; place++) {
    try {
      const frame = /** @type {any} */ (parent.frames[place]);
      if (frame !== window && frame.payframe?.session === session) found.push(frame);
    } catch {
      // Of another origin.
    }
  }
  return found;
}

/** The content of a field: its text, or whether it is ticked. @param {HTMLInputElement} input */
const held = (input) => (input.type === 'checkbox' ? (input.checked ? 'true' : '') : input.value);

/** Restores the former content of a field that is empty. @param {HTMLInputElement} input @param {string} text */
function refill(input, text) {
  if (held(input)) return;
  if (input.type === 'checkbox') input.checked = true;
  else input.value = text;
}

export class Driver {
  /** By field, the frame that shows it. @type {Map<string, Window>} */
  #frames = new Map();
  /** Elements outside of every document, for fields without a frame. @type {Map<string, Element>} */
  #standIns = new Map();
  /** @type {Kept} */
  #kept;
  /** @type {Widget | undefined} */
  #widget;
  /** @type {(id: string) => void} */
  #onLive;
  /** What is done with each frame, also with those that are added later. @type {((frame: Window) => void)[]} */
  #acts = [];
  /** Gives a frame the appearance that the page chose. @type {(frame: Window) => void} */
  #applyAppearance = () => {};
  /** @type {MessagePort | undefined} */
  port;
  /** Called when Enter is pressed in a field. @type {(id: string) => void} */
  enter = () => {};
  /** Takes the page's command to send the card; `call` is its number. @type {(call: string) => void} */
  confirm = () => {};

  /** @param {(id: string) => void} onLive called for each field that becomes live @param {Kept} [kept] from the former driver */
  constructor(onLive, kept) {
    this.#onLive = onLive;
    this.#kept = kept ?? {};
    globalThis.payframeFind = (id) => this.#find(id);
    addEventListener('pagehide', ({ persisted }) => persisted || this.#leaves());
  }

  /** @param {string} id */
  #find(id) {
    const field = id.replace('-note', '');
    const frame = this.#frames.get(/^(brand|network)/.test(id) ? 'CARD_NUMBER' : field);
    const found = frame?.document.getElementById(id) ?? document.getElementById(id);
    if (found) return found;
    let standIn = this.#standIns.get(id);
    if (!standIn) this.#standIns.set(id, (standIn = document.createElement(FIELDS.includes(id) ? 'input' : 'div')));
    if (id === 'PRIVACY_CONDITIONS') /** @type {HTMLInputElement} */ (standIn).type = 'checkbox';
    return standIn;
  }

  /** Gives the page's appearance to every field's frame, also to those that are added later. @param {(frame: Window) => void} apply */
  applyAppearance(apply) {
    this.#applyAppearance = apply;
    for (const frame of this.#frames.values()) apply(frame);
  }

  /** Does something with every field's frame, also with those that are added later. @param {(frame: Window) => void} act */
  eachFrame(act) {
    this.#acts.push(act);
    for (const frame of this.#frames.values()) act(frame);
  }

  /** @param {string} id */
  input(id) {
    return /** @type {HTMLInputElement} */ (this.#find(id));
  }

  /** Ids of the fields that have a frame. */
  get shown() {
    return [...this.#frames.keys()];
  }

  /** @param {string} id */
  frameOf(id) {
    return this.#frames.get(id);
  }

  /** A frame of a field was added, for the first time or again. @param {Window & { payframe: Member }} frame */
  join(frame) {
    const { id } = frame.payframe;
    if (!FIELDS.includes(id)) return;
    // A former driver is gone, but its listeners are still on the input.
    if ((frame.payframe.drivenBy ?? this) !== this) free(frame, id);
    this.#frames.set(id, frame);
    frame.payframe.drivenBy = this;
    for (const act of this.#acts) act(frame);
    const kept = this.#kept[id];
    if (kept) refill(this.input(id), kept);
    delete this.#kept[id];
    const { dataset } = document.documentElement;
    const look = frame.document.documentElement;
    const followTheme = () => (look.dataset.theme = dataset.theme);
    if (frame.payframe.inherit === undefined) {
      // A field of a form has the form's colours, and reports its height if its errors are shown in it.
      followTheme();
      this.#applyAppearance(frame);
      new MutationObserver(followTheme).observe(document.documentElement, { attributeFilter: ['data-theme'] });
      if (look.dataset.errors === 'inside') {
        const main = /** @type {HTMLElement} */ (frame.document.getElementById('main'));
        new frame.ResizeObserver(() => frame.innerWidth < 60 || this.port?.postMessage({ type: 'resize', field: id, height: Math.ceil(main.getBoundingClientRect().height) })).observe(main);
      }
    }
    if (this.#widget) this.#bind(id);
  }

  /** A frame is being removed. The content of its field is kept, for a frame that replaces it. @param {Window & { payframe: Member }} frame */
  leave(frame) {
    const { id } = frame.payframe;
    if (this.#frames.get(id) !== frame) return;
    if (!this.#widget) this.#kept[id] = held(this.input(id));
    this.#frames.delete(id);
    this.#widget?.rebind(id);
  }

  /** Puts this frame between the page's port and the widget. Gives the widget's end. @param {MessagePort} port */
  tap(port) {
    const { port1, port2 } = new MessageChannel();
    this.port = port;
    port1.onmessage = ({ data }) => port.postMessage(data);
    port.onmessage = ({ data }) => port1.postMessage(data);
    return port2;
  }

  /** The widget has started: it has bound the fields that had a frame. @param {Widget} widget */
  live(widget) {
    this.#widget = widget;
    for (const id of this.#frames.keys()) this.#bound(id);
  }

  /** @param {string} id */
  #bind(id) {
    this.#widget?.rebind(id);
    this.#bound(id);
  }

  /** @param {string} id */
  #bound(id) {
    this.announce(id);
    // If the field has the focus already, the widget has missed the event.
    const document = this.#frames.get(id)?.document;
    if (document?.hasFocus() && document.activeElement?.id === id) document.activeElement.dispatchEvent(new Event('focus'));
  }

  /** Tells that a field is live, if it is. @param {string} id */
  announce(id) {
    if (this.#frames.has(id) && this.#widget) this.#onLive(id);
  }

  /**
   * Takes the value of a field that the browser filled in the document of another one: browsers that fill only one document fill the helper
   * inputs beside the card number.
   * @param {string} id @param {string} text
   */
  hand(id, text) {
    const input = this.input(id);
    refill(input, text);
    input.dispatchEvent(new Event('input'));
  }

  /** Passes what only this frame knows to another frame, which continues. */
  #leaves() {
    const heir = [...this.#frames.values()].find((frame) => frame !== window && !frame.closed && frame.payframe?.inherit);
    if (!heir) return;
    for (const id of FIELDS) {
      const frame = this.#frames.get(id);
      if (frame ? frame === window : this.#standIns.has(id)) this.#kept[id] = held(this.input(id));
    }
    // A frame that is loading again is still in the page: the next driver must not take it for a frame that is there.
    window.payframe = undefined;
    heir.payframe?.inherit?.(this.#kept);
  }
}

/**
 * Removes the listeners of a former driver from an input: a copy replaces it, with its content, caret and focus.
 * @param {Window} frame @param {string} id
 */
function free(frame, id) {
  const input = /** @type {HTMLInputElement} */ (frame.document.getElementById(id));
  const { value, checked, selectionStart, selectionEnd } = input;
  const focused = frame.document.activeElement === input;
  const copy = /** @type {HTMLInputElement} */ (input.cloneNode());
  input.replaceWith(copy);
  copy.value = value;
  copy.checked = checked;
  copy.readOnly = false;
  if (!focused) return;
  copy.focus();
  if (copy.type !== 'checkbox') copy.setSelectionRange(selectionStart, selectionEnd);
}
