// @ts-check
// The frames of one session under one page. Browsers let frames of one origin under one page reach into each other's
// documents, so one of them, the driver, runs the widget for all: one download, one compile, one heap, and nothing that the
// buyer types ever in a message. Frames may come late, in any order, leave and come back; the driver itself may go too.

/**
 * What a frame shows its siblings, as `window.payframe`.
 * @typedef {object} Member
 * @property {string} session
 * @property {string} id of its field; `form` for the frame of a form whose fields stand elsewhere
 * @property {Driver} [driver] where the widget runs, or is about to
 * @property {Driver} [drivenBy] the driver that it has joined
 * @property {(kept: Kept) => void} [inherit] makes the frame the driver, because the one before is going
 */

/** What fields without a frame held, by id. It goes from one driver to the next and nowhere else. @typedef {Record<string, string>} Kept */
/** @typedef {typeof import('{{glue}}')} Widget */
/** @typedef {import('../sdk/messages.js').FieldReport} Report */

export const FIELDS = ['CARD_NUMBER', 'EXPIRATION_DATE', 'SECURITY_CODE', 'CARDHOLDER_NAME', 'CARDHOLDER_SURNAME', 'CARDHOLDER_EMAIL', 'PRIVACY_CONDITIONS'];

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

/** The text of a field, or whether it is ticked. @param {HTMLInputElement} input */
const held = (input) => (input.type === 'checkbox' ? (input.checked ? 'true' : '') : input.value);

/** Puts into an empty field what it held before. @param {HTMLInputElement} input @param {string} text */
function refill(input, text) {
  if (held(input)) return;
  if (input.type === 'checkbox') input.checked = true;
  else input.value = text;
}

export class Driver {
  /** By field, the frame that shows it. @type {Map<string, Window>} */
  #frames = new Map();
  /** Elements out of any document, for what no frame shows. @type {Map<string, Element>} */
  #standIns = new Map();
  /** @type {Kept} */
  #kept;
  /** @type {Widget | undefined} */
  #widget;
  /** @type {(frame: Window, id: string) => void} */
  #onLive;
  /** Gives a frame the appearance that the page chose. @type {(frame: Window) => void} */
  #applyAppearance = () => {};
  /** @type {MessagePort | undefined} */
  port;
  /** Hears what a press on Enter in a field is to do. @type {(id: string) => void} */
  enter = () => {};
  /** Takes the page's order to send, known by its number. @type {(call: string) => void} */
  confirm = () => {};

  /** @param {(frame: Window, id: string) => void} onLive hears of each field that has gone live @param {Kept} [kept] from the driver before */
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

  /** Gives every field's frame the page's appearance, and each that comes. @param {(frame: Window) => void} apply */
  applyAppearance(apply) {
    this.#applyAppearance = apply;
    for (const frame of this.#frames.values()) apply(frame);
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

  /** A frame of a field is there, for the first time or again. @param {Window & { payframe: Member }} frame */
  join(frame) {
    const { id } = frame.payframe;
    if (!FIELDS.includes(id)) return;
    // Whoever drove it is gone, and still listens there.
    if ((frame.payframe.drivenBy ?? this) !== this) free(frame, id);
    this.#frames.set(id, frame);
    frame.payframe.drivenBy = this;
    const kept = this.#kept[id];
    if (kept) refill(this.input(id), kept);
    delete this.#kept[id];
    const { dataset } = document.documentElement;
    const look = frame.document.documentElement;
    const followTheme = () => (look.dataset.theme = dataset.theme);
    if (frame.payframe.inherit === undefined) {
      // A field of a form has the form's colours, and tells its height where its errors are shown in it.
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

  /** A frame goes. What its field held stays, for when it comes back. @param {Window & { payframe: Member }} frame */
  leave(frame) {
    const { id } = frame.payframe;
    if (this.#frames.get(id) !== frame) return;
    if (!this.#widget) this.#kept[id] = held(this.input(id));
    this.#frames.delete(id);
    this.#widget?.rebind(id);
  }

  /** The page's line, by way of this frame. Gives the widget's end. @param {MessagePort} port */
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
    // Whoever is in the field already came before the widget listened there.
    const document = this.#frames.get(id)?.document;
    if (document?.hasFocus() && document.activeElement?.id === id) document.activeElement.dispatchEvent(new Event('focus'));
  }

  /** Tells that a field is live, if it is. @param {string} id */
  announce(id) {
    const frame = this.#frames.get(id);
    if (frame && this.#widget) this.#onLive(frame, id);
  }

  /**
   * A field that the browser filled in the document of another: browsers that fill only one document fill the helpers
   * beside the card number.
   * @param {string} id @param {string} text
   */
  hand(id, text) {
    const input = this.input(id);
    refill(input, text);
    input.dispatchEvent(new Event('input'));
  }

  /** What only this frame knew goes to another, which goes on. */
  #leaves() {
    const heir = [...this.#frames.values()].find((frame) => frame !== window && !frame.closed && frame.payframe?.inherit);
    if (!heir) return;
    for (const id of FIELDS) {
      const frame = this.#frames.get(id);
      if (frame ? frame === window : this.#standIns.has(id)) this.#kept[id] = held(this.input(id));
    }
    // A frame that is loaded anew is still in the page: the heir must not take it for one that is there.
    window.payframe = undefined;
    heir.payframe?.inherit?.(this.#kept);
  }
}

/**
 * Frees an input of the listeners of a driver that is gone: a copy takes its place, with its content, caret and focus.
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
