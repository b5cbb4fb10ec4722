// @ts-check
/**
 * Payframe's shim: the element `<payment-form>` and `loadPayframe()`, for the merchant's page.
 *
 * It adds one frame of the gateway to the page, agrees with it on a private port, and turns the messages of that port
 * into events, promises and states. It never receives a card digit: digits are typed inside the frame and stay there.
 * What no page needs before the form is live is in `lazy.js`: the page's calls, the frame's name, and sentences for failures.
 * Types and documentation for merchants are in `payframe.d.ts`. Order in this file: errors, checks of the frame's messages, the
 * link to one frame, the lazy part, options, the element, the script API. It is longer than most, because a page gets it in one request.
 *
 * @import { ChangeDetail, FieldId, FlowState, FormOptions, PayframeErrorCode, PaymentFormElement, PaymentFormEventMap } from './payframe.js'
 * @import { FrameOptions, ShimCommand, WindowMessage } from './messages.js'
 * @import { Calls } from './lazy.js'
 */

// On a server these do not exist, and the module does nothing.
const { customElements, document, HTMLElement: Base = class {} } = globalThis;

/** What happened, by code: for developers, as in docs/errors.md. @type {Record<PayframeErrorCode, string>} */
const MESSAGES = {
  bad_gateway_url: 'The gateway is no origin',
  session_missing: 'There is no session',
  session_rejected: 'The form can not go on in this session',
  bad_option: 'An option has the wrong type or an unknown value',
  option_fixed: 'The option can not change in place',
  mount_target: 'There is no such element to mount to',
  no_browser: 'The element can not be made here',
  frame_policy: "The page's policy keeps the frame out",
  frame_blocked: 'The gateway shows no form for this session in this page',
  gateway_unreachable: 'The gateway does not answer',
  script_blocked: 'A script of the gateway did not come',
  load_timeout: 'The form did not start in time',
  protocol_version: 'The script and the form have no version in common',
  wasm_blocked: 'WebAssembly is not allowed',
  wasm_failed: "The form's program did not arrive",
  frame_crashed: 'The form broke down',
  data_lost: 'The frame went away with what was typed',
  destroyed: 'The element was destroyed',
  unmounted: 'The element is not in the page',
  focus_refused: 'The browser did not give the focus',
  locale_failed: 'The texts of a language did not load',
  autofill_withheld: "The page's policy keeps autofill out",
  bad_text: 'A text is not one that can be changed so',
  session_expired: 'The session is over',
  encryption_unavailable: 'The script that encrypts the card did not load',
  button_covered: 'A press on Pay was not taken',
  focus_taken: 'The page took the focus from a field',
  form_unseen: 'The form does not show its sum',
  press_needed: 'The buyer has to press first',
  invalid_data: 'What was typed is incomplete or wrong',
  offline: 'The browser is offline',
  wrong_state: 'The form can not do this now',
  busy: 'The form is at work already',
  aborted: 'The call was withdrawn before anything was sent',
  not_completed: 'The call was accepted and has no outcome',
  too_many_calls: 'The form can not do this so often',
  gateway_slow: 'The gateway takes long to answer',
  acs_unreachable: "The issuer's page did not load",
  blocked_by_policy: "The issuer's page could not be framed",
  challenge_replaced: "Something else was in the place of the issuer's page",
  notification_mismatch: 'The issuer sent the buyer back to another address',
  unknown_cause: 'Something went wrong',
};

/** A text that is a sentence stays as it is; any other text follows the sentence of its code. @param {PayframeErrorCode} code @param {string} [words] */
const sentence = (code, words) => (words && / .*\.$/.test(words) ? words : `${MESSAGES[code]}${words && words !== code ? `: ${words}` : ''}.`);

export class PayframeError extends Error {
  /** @override */
  name = /** @type {const} */ ('PayframeError');
  /**
   * @param {PayframeErrorCode} code explained in `messages.d.ts`
   * @param {string} [message] more about the error
   * @param {unknown} [cause]
   */
  constructor(code, message, cause) {
    super(sentence(code, message), { cause });
    this.code = code;
  }
}

// ---- Checks of the frame's messages ---------------------------------------------------------------------------------
// A check takes an unknown value and returns a clean copy, or `BAD`: exceptions would make the load some milliseconds slower. Only known own
// members are copied, so prototype keys, size and depth of other members do not matter, and a newer frame may add
// members.

const BAD = Symbol();
/** @template T @typedef {(value: unknown) => T | typeof BAD} Check */
/** @template C @typedef {C extends Check<infer T> ? Exclude<T, typeof BAD> : never} Checked */

/** @type {Check<boolean>} */
const flag = (value) => (value === !!value ? value : BAD);
/** @type {(max: number) => Check<number>} */
const whole = (max) => (/** @type {any} */ value) => (Number.isInteger(value) && value >= 0 && value <= max ? value : BAD);
/** @type {(pattern: RegExp) => Check<string>} */
const text = (pattern) => (value) => (typeof value === 'string' && pattern.test(value) ? value : BAD);
/** @type {<const W>(words: readonly W[], otherwise?: W) => Check<W>} */
const oneOf = (words, otherwise) => (/** @type {any} */ value) => (words.includes(value) ? value : (otherwise ?? BAD));
/** @type {<T>(item: Check<T>) => Check<T[]>} */
const list = (item) => (/** @type {any} */ value) => {
  const copy = Array.isArray(value) && value.length <= 32 ? Array.from(value, item) : [BAD];
  return copy.includes(BAD) ? BAD : /** @type {any} */ (copy);
};
/** @type {<T>(check: Check<T>) => Check<T | undefined>} */
const maybe = (check) => (value) => (value == null ? undefined : check(value));
/** @type {<M extends Record<string, Check<any>>>(members: M) => Check<{ [K in keyof M]: Checked<M[K]> }>} */
const shape = (members) => (/** @type {any} */ given) => {
  /** @type {any} */
  const copy = {};
  for (const name in members) {
    const member = /** @type {any} */ (members)[name](Object.hasOwn(Object(given), name) ? given[name] : undefined);
    if (member === BAD) return BAD;
    if (member !== undefined) copy[name] = member;
  }
  return copy;
};

const code = text(/^\w{1,64}$/);
const string = text(/^[^]{0,20000}$/);
const field = /** @type {Check<FieldId>} */ (code);
const card = { bin: maybe(text(/^\d{6,8}$/)), last4: maybe(text(/^\d{4}$/)) };
/** The code of a newer frame may be unknown here. @type {Check<PayframeErrorCode>} */
const known = (value) => (code(value) === BAD ? BAD : oneOf(/** @type {PayframeErrorCode[]} */ (Object.keys(MESSAGES)), 'unknown_cause')(value));
const failure = shape({ code: known, message: string });

/** The `hello` of version 1 of the protocol. */
const HELLO = shape({ payframe: oneOf([1]), type: oneOf(['hello']), nonce: text(/^[\da-f]{32}$/), versions: list(whole(1e6)) });

// In this order they compress best.
const DETAILS = {
  __proto__: null,
  ready: shape({ reason: maybe(string) }),
  change: shape({
    complete: flag,
    empty: flag,
    brand: (value) => maybe(code)(value) ?? null,
    candidates: list(code),
    fields: list(shape({ id: field, empty: flag, complete: flag, error: maybe(code), message: maybe(string) })),
    reason: maybe(string),
    ...card,
  }),
  statechange: shape({ state: /** @type {Check<FlowState>} */ (code) }),
  result: shape({
    outcome: oneOf(['approved', 'pending', 'declined', 'cancelled', 'failed', 'reversed', 'unknown'], 'unknown'),
    orderId: string,
    operationId: maybe(string),
    cause: maybe(code),
    final: flag,
    ...card,
  }),
  blur: shape({ field }),
  fatal: failure,
  enter: shape({ field }),
  error: failure,
  // `lazy.js` reads these: they are answers to its commands.
  reply: Object,
  ask: Object,
  focus: shape({ field }),
  resize: shape({ height: whole(20000), field: maybe(field) }),
};

/** @typedef {{ [T in keyof typeof DETAILS]: { type: T, detail: Checked<(typeof DETAILS)[T]> } }[keyof typeof DETAILS]} Heard */

/** @type {Check<Heard>} */
const read = (message) => {
  const type = /** @type {any} */ (Object.hasOwn(Object(message), 'type') && code(/** @type {any} */ (message).type));
  // An unknown type has no check.
  const detail = /** @type {any} */ (DETAILS)[type]?.(message) ?? BAD;
  return detail === BAD ? BAD : /** @type {any} */ ({ type, detail });
};

// ---- The link to one frame ------------------------------------------------------------------------------------------

/** @typedef {Heard | { type: 'replaced' } | { type: 'broken', detail: PayframeErrorCode }} News */

/** Whether the frame's document has another origin, so that it has loaded. @param {HTMLIFrameElement} frame */
const isElsewhere = ({ contentWindow }) => {
  try {
    return contentWindow ? !contentWindow.location.href : false;
  } catch {
    return true;
  }
};

/**
 * Connects with the one document of one frame: the handshake on the window, then the port, until `end()`.
 * @param {HTMLIFrameElement} frame not in the page yet, or part of its HTML
 * @param {string} origin the gateway's
 * @param {number} limitMs for each of the two steps
 * @param {() => FrameOptions} options
 * @param {(news: News) => void} notify
 */
const link = (frame, origin, limitMs, options, notify) => {
  /** @type {MessagePort | undefined} */
  let port;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let loads = false;
  let resizes = 0;
  let resizedAt = 0;

  /** The form for browsers without scripts has a frame of its own, which can be counted from here; it sends no message. @param {PayframeErrorCode} detail its code */
  const fail = (detail) => (!port && frame.contentWindow?.length) || notify({ type: 'broken', detail });
  /**
   * Fails after a time. The time is counted in steps, so that it does not run while page or machine are too busy to receive the frame's messages.
   * @param {PayframeErrorCode} code @param {number} ms @param {number} [more] steps after this one
   */
  const limit = (code, ms, more = 19) => {
    clearTimeout(timer);
    timer = setTimeout(more ? limit : fail, ms / 20, code, ms, more - 1);
  };

  /** @param {number} height @param {number} now */
  const resize = (height, now) => {
    // If a new height causes another one (a scroll bar appears and disappears), this would never end.
    if (now - resizedAt > 1000) resizes = 0;
    resizedAt = now;
    // In a hidden container the height is 0.
    if (height && ++resizes <= 100) frame.style.height = height + 'px';
  };
  /** @param {MessageEvent} event */
  const onHello = ({ data, origin: from, source }) => {
    const hello = HELLO(data);
    if (from !== origin || source !== frame.contentWindow || hello === BAD) return;
    removeEventListener('message', onHello);
    if (!hello.versions.includes(1)) return fail('protocol_version');
    const channel = new MessageChannel();
    port = channel.port1;
    port.onmessage = ({ data, timeStamp }) => {
      const heard = read(data);
      if (heard === BAD) return;
      // A height with a field is for that field's own frame: `fields.js` listens to the event.
      if (heard.type === 'resize' && !heard.detail.field) return resize(heard.detail.height, timeStamp);
      if (heard.type === 'ready' || heard.type === 'fatal') clearTimeout(timer);
      notify(heard);
    };
    frame.className = '';
    limit('load_timeout', limitMs);
    /** @type {WindowMessage} */
    const init = { payframe: 1, type: 'init', nonce: hello.nonce, version: 1, options: options() };
    /** @type {Window} */ (source).postMessage(init, origin, [channel.port2]);
  };

  addEventListener('message', onHello);
  frame.onload = () => {
    // A form sends `hello` as soon as its fields are painted, or a fifth of a second after it is loaded; the rest is for busy machines.
    if (!port) limit('frame_blocked', 2000);
    // The port was lost with the document. A new handshake needs a new frame.
    else if (loads) notify({ type: 'replaced' });
    loads = true;
  };
  limit('load_timeout', limitMs);
  if (isElsewhere(frame)) {
    // The frame is part of the page's HTML and may be loaded before this script. Nobody received its `hello`, so it is asked for another one.
    /** @type {WindowMessage} */
    const greet = { payframe: 1, type: 'greet' };
    /** @type {Window} */ (frame.contentWindow).postMessage(greet, origin);
    frame.onload(/** @type {any} */ (undefined));
  }

  return {
    frame,
    /** @param {ShimCommand} command */
    send: (command) => port?.postMessage(command, /** @type {any} */ ({ includeUserActivation: true })),
    end() {
      clearTimeout(timer);
      removeEventListener('message', onHello);
      port?.close();
      frame.remove();
      notify = () => {};
    },
  };
};

/** The gateway's origin, or an error. @type {(gateway: string) => string} */
const originOf = (gateway) => {
  try {
    const { href, origin } = new URL(gateway);
    // Without TLS, only this machine is accepted.
    if (href === `${origin}/` && /^(https|http:\/\/((.*\.)?localhost|127[.\d]+|\[::1])[:/])/.test(href)) return origin;
  } catch {
    // Handled below.
  }
  throw new PayframeError('bad_gateway_url', gateway);
};

// ---- The lazy part --------------------------------------------------------------------------------------------------

/** @type {Promise<typeof import('./lazy.js')> | undefined} */
let lazy;
let tries = 0;
/** For a page that requires Trusted Types. @type {{ createScriptURL(address: string): string } | undefined} */
let policy;

/**
 * Loads a later part of the SDK. An import can not check a hash by itself, but it uses what was preloaded with the check.
 * @param {string} href @param {string} integrity @param {string} [nonce]
 */
const loadPart = async (href, integrity, nonce) => {
  document.head.append(make('link', { rel: 'modulepreload', integrity, nonce, href }));
  return import(href).catch(async () => {
    // In WebKit an import does not use what was preloaded, so a page that demands a hash of every script refuses it. It uses what an element loaded.
    policy ??= /** @type {any} */ (window).trustedTypes?.createPolicy('payframe-lazy', { createScriptURL: String });
    const src = policy?.createScriptURL(href) ?? href;
    await new Promise((onload, onerror) => document.head.append(make('script', { type: 'module', integrity, nonce, crossOrigin: '', src, onload, onerror })));
    return import(href);
  });
};

/**
 * Loads `lazy.js`. The build writes its address, which contains a hash, and its integrity hash. After a failure the next call tries again, with
 * another fragment in the address, because browsers may cache a failed load.
 */
const loadLazy = () =>
  (lazy ??= loadPart(new URL(`{{lazy}}#${++tries}`, import.meta.url).href, '{{integrity}}', document.querySelector('payment-form')?.nonce).catch((cause) => {
    lazy = undefined;
    throw new PayframeError('script_blocked', '', cause);
  }));

// ---- Options --------------------------------------------------------------------------------------------------------

/** An object is JSON in its attribute, and in the message. @type {Check<any>} */
const json = (value) => (Object(value) === value ? value : string(value));
/**
 * The options of a form, which are properties and attributes of the element: the check and the default of each.
 * @type {Record<string, [check: Check<any>, fallback: any]>}
 */
const OPTIONS = /** @type {any} */ ({
  __proto__: null,
  // A change of the first three loads the form again.
  gateway: [string, ''],
  session: [string, ''],
  layout: [oneOf(['form', 'fields']), 'form'],
  label: [string, 'Card payment'],
  loadTimeoutMs: [whole(2e9), 20000],
  // The following options change in place.
  theme: [oneOf(['auto', 'light', 'dark']), 'auto'],
  button: [oneOf(['auto', 'hidden']), 'auto'],
  cancellation: [oneOf(['auto', 'hidden']), 'auto'],
  advance: [oneOf(['auto', 'off']), 'auto'],
  challenge: [oneOf(['auto', 'redirect']), 'auto'],
  locale: [string, ''],
  appearance: [json, ''],
  texts: [json, ''],
});
const NAMES = Object.keys(OPTIONS);
const IN_PLACE = NAMES.slice(5);

/** The known options that are set. Throws for a wrong value, warns once of an unknown name. @param {object} options */
const checked = (options) => {
  /** @type {Record<string, unknown>} */
  const known = {};
  for (const [name, value] of Object.entries(options)) {
    const [check] = OPTIONS[name] ?? [];
    if (!check) loadLazy().then(({ unknownOption }) => unknownOption(name, NAMES), () => {});
    else if (value !== undefined) {
      if (check(value) === BAD) throw new PayframeError('bad_option', `${name}: ${value}`);
      known[name] = value;
    }
  }
  return known;
};

// ---- The element ----------------------------------------------------------------------------------------------------

/** @type {<K extends keyof HTMLElementTagNameMap>(tag: K, members?: object) => HTMLElementTagNameMap[K]} */
const make = (tag, members) => Object.assign(document.createElement(tag), members);
/**
 * The page's theme: a page with light text is dark. By the first letter of the colour's notation, the position of its lightness and half of the
 * maximum: rgb(r, g, b), color(srgb r g b), oklch(l …) or oklab(l …), lch(l …) or lab(l …).
 * @type {(element: Element) => 'dark' | 'light'}
 */
const pageTheme = (element) => {
  /** @type {any} */
  const parts = getComputedStyle(element).color.split(/[ (,]+/);
  const [[letter]] = parts;
  return parts[/** @type {any} */ ({ r: 2, c: 3 })[letter] ?? 1] > (/** @type {any} */ ({ r: 127, l: 50 })[letter] ?? 0.5) ? 'dark' : 'light';
};

/**
 * The reserve is the height of the form with all its fields, so that nothing moves when the form is loaded. The colour scheme is that of
 * the form's document, whatever its colours are: browsers paint white behind a frame whose document has another scheme.
 * Until the form is loaded, the frame shows blank fields if it will have fields. Not at once, because drawing them takes as
 * long as drawing the form, and on a quick link they would only flash.
 */
const STYLE = `:host(:not([hidden])){display:block;--payframe-reserve:calc(var(--payframe-full,404px) - var(--payframe-less,0px))}\
:host([button=hidden]){--payframe-full:340px;--payframe-pay:0}\
:host([layout=fields]){--payframe-full:140px}\
:host([layout=fields][button=hidden]){--payframe-full:76px}\
:host([cancellation=hidden]){--payframe-less:48px}\
:host(:disabled){opacity:.5}\
iframe{display:block;height:var(--payframe-reserve);width:calc(100% + 8px);margin:0 -4px;border:none;color-scheme:light}\
.form{animation:b 0s .3s forwards}\
.form{--payframe-blank:linear-gradient(#8883,#8883)no-repeat}\
@keyframes b{to{background:var(--payframe-blank)4px 28px/calc(100% - 8px)48px,var(--payframe-blank)4px 116px/calc(50% - 12px)48px,\
var(--payframe-blank)calc(100% - 4px)116px/calc(50% - 12px)48px,var(--payframe-blank)4px 204px/calc(100% - 8px)48px,\
var(--payframe-blank)4px 304px/calc(100% - 8px)var(--payframe-pay,48px)}}\
div{min-height:var(--payframe-reserve)}`;
/** @type {CSSStyleSheet | undefined} */
let style;

/** @typedef {'' | 'loading' | 'ready' | 'failed'} Stage */
/** @typedef {ReturnType<typeof link>} Link */
/** @typedef {Required<FormOptions> & { gateway: string, appearance: string, texts: string }} Properties defined from `OPTIONS` in the class's static block */
/** @typedef {Pick<PaymentFormElement, 'confirm' | 'cancel' | 'clear' | 'focus' | 'validate' | 'setServerError' | 'update' | 'refresh'>} Made in the class's static block */

/** @implements {PaymentFormElement} */
class PaymentForm extends /** @type {new () => HTMLElement & Properties & Made} */ (Base) {
  static formAssociated = true;
  static observedAttributes = NAMES;

  static {
    /** @type {any} */
    const { prototype } = this;
    for (const name of /** @type {const} */ (['confirm', 'cancel', 'clear', 'focus', 'validate', 'setServerError', 'update', 'refresh'])) {
      prototype[name] = /** @this {PaymentForm} @param {any} given */ function (given) { return this.#call(name, given); };
    }
    for (const name of NAMES) {
      const [check, fallback] = /** @type {[Check<any>, any]} */ (OPTIONS[name]);
      Object.defineProperty(prototype, name, {
        get() {
          const value = this.getAttribute(name);
          const given = check(fallback === +fallback ? +value : value);
          return given === BAD ? fallback : given || fallback;
        },
        set(value) {
          if (value == null) this.removeAttribute(name);
          else this.setAttribute(name, Object(value) === value ? JSON.stringify(value) : value);
        },
      });
    }
  }

  #internals = this.attachInternals();
  /** A page with the form in its HTML has declared the shadow root. */
  #root = this.#internals.shadowRoot ?? this.attachShadow({ mode: 'open', delegatesFocus: true });
  /** @type {Link | undefined} */
  #link;
  /** @type {Stage} */
  #stage = '';
  /** Why calls are refused: the load failed, or the element was removed. @type {PayframeError | undefined} */
  #refusal;
  /** Set by `destroy()`. @type {PayframeError | undefined} */
  #end;
  /** @type {Promise<void> | undefined} */
  #settling;
  /** The appearance for the frame, as far as it is known. */
  #appearance = '';
  /** Whether a live form was lost with its frame, and the page has not been told yet. */
  /** @type {boolean | undefined} */
  #lost;
  /** Set with the first call of the page. @type {Calls | undefined} */
  #calls;
  /** @type {FlowState | undefined} */
  #flow;
  /** The last report, with the reason why the form is not complete, in the buyer's language. @type {Partial<ChangeDetail> & { reason?: string } | undefined} */
  #report;
  /** @type {boolean | undefined} */
  #focused;
  /** The last values of states and validity. @type {string | undefined} */
  #shown;
  /** Set while the browser reports why the page's own form can not be submitted. */
  #reporting = 0;

  constructor() {
    super();
    // The browser's own `focus` and `blur` of the frame would reach the element with the names of our events.
    for (const type of ['focus', 'blur']) {
      this.#root.addEventListener(
        type,
        (event) => {
          event.stopPropagation();
          if (this.#reporting) this.#call('report');
        },
        true,
      );
    }
    this.addEventListener('invalid', () => {
      this.#reporting = setTimeout(() => (this.#reporting = 0));
    });
    // A clicked label passes its click to the element; after "try again" the focus goes into the form.
    this.addEventListener('click', ({ target }) => target === this && this.focus());
  }

  connectedCallback() {
    // Properties that were set before the upgrade hide the accessors.
    /** @type {any} */
    const self = this;
    for (const name of NAMES) {
      if (Object.hasOwn(self, name)) {
        const value = self[name];
        delete self[name];
        self[name] = value;
      }
    }
    this.reload();
  }

  disconnectedCallback() {
    this.#lost ||= this.#stage === 'ready';
    this.#close();
    this.#settle();
  }

  /** With this callback, `moveBefore` keeps the frame. */
  connectedMoveCallback() {}

  /** @param {string} name @param {string | null} before @param {string | null} value */
  attributeChangedCallback(name, before, value) {
    if (before === value || value === this.#calls?.session) return;
    if (name === 'appearance') {
      // `inherit`, fonts and classes need access to the page: a script of its own reads them.
      this.#appearance = value ?? '';
      if (/inherit|fonts|classes/.test(this.#appearance)) {
        this.#appearance = '';
        this.#call('readAppearance', (/** @type {string} */ appearance) => {
          this.#appearance = appearance;
          this.#sendOptions();
        });
      }
    }
    if (NAMES.indexOf(name) > 2) this.#sendOptions();
    else this.reload();
  }

  formResetCallback() {
    this.clear();
  }

  /** @param {boolean} disabled by itself or by a fieldset */
  formDisabledCallback(disabled) {
    if (this.#link) this.#link.frame.inert = disabled;
  }

  get whenReady() {
    return this.#call('whenReady');
  }

  /** @param {Element | string} target */
  mount(target) {
    const parent = typeof target === 'string' ? document.querySelector(target) : target;
    if (!parent) throw new PayframeError('mount_target', `${target}`);
    parent.append(this);
    return this;
  }

  unmount() {
    this.remove();
  }

  destroy() {
    this.remove();
    this.#refuse((this.#end = new PayframeError('destroyed')));
  }

  reload() {
    if (!this.isConnected) return;
    if (this.#stage) this.#close();
    this.#refusal = this.#end;
    this.#settle();
  }

  /** Passes a call to `lazy.js`. @param {'focus' | 'report' | 'confirm' | 'cancel' | 'clear' | 'validate' | 'setServerError' | 'update' | 'refresh' | 'whenReady' | 'readAppearance' | 'onRequest'} name @param {any} [given] */
  #call(name, given) {
    const answer = loadLazy().then(({ Calls }) => {
      this.#calls ??= new Calls(this, { PayframeError, checked, known, loadPart, names: IN_PLACE, state: () => ({ link: this.#link, options: this.#frameOptions(), error: this.#refusal, stage: this.#stage }) });
      return /** @type {any} */ (this.#calls)[name](given);
    });
    // A rejection that the page does not handle, for example of `clear()` when the form is removed, is no error of the page.
    answer.catch(() => {});
    return answer;
  }

  /** Sends the options to the frame after a change in place. */
  #sendOptions() {
    this.#link?.send({ type: 'update', id: 0, options: this.#frameOptions() });
  }

  /** The options for the frame. `auto` becomes the page's theme, because the frame can not see the page. */
  #frameOptions() {
    const { theme, button, cancellation, advance, locale, texts, renewSession } = /** @type {PaymentFormElement} */ (/** @type {unknown} */ (this));
    return { appearance: this.#appearance, theme: theme === 'auto' ? pageTheme(this) : theme, button, cancellation, advance, locale, texts, renew: !!renewSession };
  }

  /**
   * Follows the document after the current task: after a removal and an insertion in one task, as in a move
   * or a framework's double mount, there is one frame.
   */
  #settle() {
    this.#settling ??= Promise.resolve().then(() => {
      this.#settling = undefined;
      const lost = this.#lost;
      this.#lost = false;
      if (this.#end || !this.isConnected) return this.#refuse(this.#end ?? new PayframeError('unmounted'));
      if (lost || this.#calls) {
        const error = new PayframeError('data_lost');
        this.#calls?.forget(error);
        if (lost) this.#reportError(error);
      }
      if (this.isConnected && !this.#link) this.#open();
      // After the frame's document was requested. The page's policy does not block constructed style sheets and `element.style`.
      if (!style) (style = new CSSStyleSheet()).replaceSync(STYLE);
      this.#root.adoptedStyleSheets = [style];
    });
  }

  #open() {
    try {
      const origin = originOf(this.gateway);
      if (!this.session) throw new PayframeError('session_missing');
      const frame = this.#printed(origin) ?? this.#frame(origin);
      this.#link = link(frame, origin, this.loadTimeoutMs, () => this.#frameOptions(), (news) => this.#onMessage(news));
      // This requests the frame's document; everything else is done meanwhile.
      if (!frame.isConnected) this.#root.replaceChildren(frame);
      this.#setStage('loading');
    } catch (error) {
      this.#fallback();
      this.#fail(/** @type {PayframeError} */ (error));
    }
  }

  /** The frame in the page's HTML, if it belongs to the session: what was typed into it stays. @param {string} origin */
  #printed(origin) {
    const frame = this.#root.querySelector('iframe');
    const { origin: from, searchParams } = new URL(frame?.src || origin);
    if (!frame || from !== origin || searchParams.get('sessionid') !== this.session || this.layout === 'fields') return;
    return Object.assign(frame, { inert: this.matches(':disabled') });
  }

  /** @param {string} origin */
  #frame(origin) {
    const { theme, button, cancellation } = this.#frameOptions();
    const query = new URLSearchParams(/** @type {any} */ ({ lang: this.locale, dressed: this.appearance && 1, sessionid: this.session, theme, button, cancellation, layout: this.layout }));
    return make('iframe', {
      src: `${origin}/form/?${query}`,
      title: this.label,
      className: this.layout,
      referrerPolicy: 'strict-origin',
      allow: 'payment; publickey-credentials-get; autofill; shared-autofill',
      inert: this.matches(':disabled'),
    });
  }

  #close() {
    this.#link?.end();
    this.#link = undefined;
    this.#root.replaceChildren();
    this.#setStage('');
  }

  /** @param {PayframeError} error */
  #refuse(error) {
    this.#refusal = error;
    this.#calls?.refuse(error);
  }

  /** @param {PayframeError} error */
  #fail(error) {
    this.#setStage('failed');
    this.#refuse(error);
    if (this.#reportError(error, true)) console.error(error);
    loadLazy().then(({ explain }) => explain(this, error), () => {});
  }

  /** @param {{ code: PayframeErrorCode, message: string }} error @param {boolean} [fatal] */
  #reportError({ code, message }, fatal = false) {
    return this.#emit('error', { code, message: sentence(code, message), fatal });
  }

  /** Shows in place of the frame: the merchant's children, or a sentence and a button that tries again. */
  #fallback() {
    const own = this.childElementCount || this.textContent.trim();
    const retry = make('button', { textContent: 'Reload', onclick: () => this.reload() });
    const alert = make('div', { lang: 'en', part: 'fallback', role: 'alert' });
    alert.append(...(own ? [make('slot')] : ['The form could not load. ', retry]));
    this.#root.replaceChildren(alert);
    return alert;
  }

  /** @param {News} heard */
  #onMessage(heard) {
    if (this.#stage === 'failed' && heard.type !== 'replaced') return;
    this.#calls?.onMessage(heard);
    switch (heard.type) {
      case 'ask':
        return this.#call('onRequest', heard.detail);
      case 'reply':
        return;
      case 'replaced':
        return this.disconnectedCallback();
      case 'broken': {
        this.#close();
        const alert = this.#fallback();
        const failWith = (code = heard.detail) => alert.isConnected && this.#fail(new PayframeError(code));
        // A frame that did not load can not say why. If the lazy part does not load either, the gateway is not reachable.
        return heard.detail === 'frame_blocked' ? loadLazy().then(({ causeOf }) => causeOf(this), () => 'gateway_unreachable').then(failWith) : failWith();
      }
      case 'fatal':
        // The frame stays: it shows the buyer what happened, in the buyer's language.
        return this.#fail(new PayframeError(heard.detail.code, heard.detail.message));
      case 'ready':
        if (this.#stage === 'ready') return;
        this.#stage = 'ready';
        this.#report = heard.detail;
        this.#calls?.flush();
        // The lazy part is loaded with the frame's name, a moment later.
        break;
      case 'change':
        this.#report = heard.detail;
        break;
      case 'focus':
      case 'blur':
        this.#focused = heard.type === 'focus';
        break;
      case 'statechange':
        this.#flow = heard.detail.state;
        break;
      case 'error':
        return this.#reportError(heard.detail);
    }
    this.#updateStates();
    // The link does not pass on a height without a field.
    this.#emit(/** @type {any} */ (heard.type), /** @type {any} */ (heard.type === 'ready' ? null : heard.detail));
  }

  /** Sets the stage of loading. @param {Stage} stage */
  #setStage(stage) {
    this.#report = this.#flow = this.#focused = undefined;
    this.#stage = stage;
    this.#updateStates();
  }

  #updateStates() {
    const report = this.#report;
    // Not during the choice of method or the entry, and not after the end.
    const busy = this.#flow && !/^(PAY|CARD|EXP)/.test(this.#flow);
    const names = /** @type {string[]} */ ([
      this.#stage,
      busy && 'busy',
      report?.complete && 'complete',
      report?.fields && (report.empty ? 'empty' : 'filled'),
      report?.fields?.some((field) => field.error) && 'invalid',
      this.#focused && 'focused',
    ].filter(Boolean));
    // A payment that runs or is complete does not block the page's own form.
    const customError = !(report?.complete || busy || this.#flow === 'PAYMENT_COMPLETE');
    // Most messages during typing change nothing here.
    if (this.#shown === (this.#shown = '' + [report?.reason, customError, ...names])) return;
    const { states } = this.#internals;
    // A framework compares the element with its server's: it gets no attribute that the page did not write.
    let told = 'state' in this.dataset;
    try {
      // Until the form has sent the reason in the buyer's language, the browser's own text is used.
      this.#internals.setValidity({ customError }, report?.reason || make('input', { required: true }).validationMessage, this.#link?.frame);
      states.clear();
      for (const name of names) states.add(name);
    } catch {
      // Chromium before 125 accepts only names with two dashes; the attribute has the state there.
      told = true;
    }
    if (told) this.dataset.state = names.join(' ');
    this.#calls?.onStates();
  }

  /**
   * @template {keyof PaymentFormEventMap} K
   * @param {K} type
   * @param {PaymentFormEventMap[K]['detail']} detail
   */
  #emit(type, detail) {
    return this.dispatchEvent(new CustomEvent(type, { detail, cancelable: true }));
  }
}

// ---- The script API -------------------------------------------------------------------------------------------------

/** @type {typeof import('./payframe.js').loadPayframe} */
export const loadPayframe = (gateway) => {
  const origin = originOf(gateway);
  return {
    form(options = {}) {
      // Not defined on a server, or where the page prevents the definition of elements.
      if (!customElements?.get('payment-form')) throw new PayframeError('no_browser');
      return make('payment-form', { ...checked(options), gateway: origin });
    },
  };
};

// Another copy of this module may have defined the element; the script API works with that element, too.
if (!customElements?.get('payment-form')) customElements?.define('payment-form', PaymentForm);
