// @ts-check
/**
 * The lazy part of the SDK, which the shim loads once the form is live, or earlier if it is needed: the frame's name in the buyer's language, the calls
 * of the page's script, sentences for failures, and the diagnostics. `payframe.js` has the address and the
 * integrity hash of this file; merchants never load it.
 * This file is longer than most, because a page gets it in one request.
 *
 * @import { FieldId, PayframeErrorCode, PaymentFormElement, PaymentFormEventMap, ResultDetail } from './payframe.js'
 * @import { FrameOptions, ShimCommand } from './messages.js'
 */

// ---- Calls ----------------------------------------------------------------------------------------------------------

/** @typedef {{ field: string, code: string }} FieldError */
/** @typedef {ShimCommand extends infer C ? (C extends ShimCommand ? Omit<C, 'id'> : never) : never} Command */
/** @template T @typedef {{ promise: Promise<T>, resolve: (value: T) => void, reject: (error: unknown) => void }} Deferred */
/** @typedef {Deferred<FieldError[] | undefined> & { command: ShimCommand, sent: boolean }} Call */
/** @typedef {Deferred<ResultDetail> & { call: Call, accepted: boolean }} Confirmation */
/** @typedef {{ stage: string, error: Error | undefined, link: { frame: HTMLIFrameElement, send: (command: ShimCommand) => void } | undefined, options: FrameOptions }} ShimState */
/**
 * What the shim passes on.
 * @typedef {object} Shim
 * @property {new (code: PayframeErrorCode, message?: string) => Error} PayframeError
 * @property {(code: string) => PayframeErrorCode | symbol} known the code, or that of an unknown one
 * @property {(options: object) => Record<string, unknown>} checked
 * @property {(href: string, integrity: string, nonce: string) => Promise<any>} loadPart loads a further part of the SDK
 * @property {string[]} names the options that change in place
 * @property {() => ShimState} state
 */

const ENTRY = ['PAYMENT_METHOD_SELECTION', 'CARD_DATA_COLLECTION'];
const CODE = /^\w{1,64}$/;

/**
 * A promise with its two functions; `done` runs before either. A rejection that the page does not handle is no error of the page.
 * @template T
 * @param {() => void} done
 * @returns {Deferred<T>}
 */
const defer = (done) => {
  const deferred = /** @type {Deferred<T>} */ ({});
  deferred.promise = new Promise((resolve, reject) => {
    deferred.resolve = (value) => (done(), resolve(value));
    deferred.reject = (error) => (done(), reject(error));
  });
  deferred.promise.catch(() => {});
  return deferred;
};

/** The calls of each form, by its frame. @type {WeakMap<Element, Calls>} */
const calls = new WeakMap();

/** Frames that have their name. @type {WeakRef<HTMLIFrameElement>[]} */
let named = [];
/** Those of them that are still in the page. */
const present = () => named.flatMap((each) => each.deref() ?? []).filter((each) => each.isConnected);

/** When this changes, the page may change its colours. */
const scheme = matchMedia('(prefers-color-scheme:dark)');
scheme.onchange = () => {
  for (const frame of present()) calls.get(frame)?.sendOptions();
};

/** The calls of the page's script to one form: queued until the form is ready, sent once, answered or refused. */
export class Calls {
  #form;
  #shim;
  /** @type {Map<number, Call>} */
  #open = new Map();
  #lastId = 0;
  /** The session that has taken over in place. @type {string | undefined} */
  session;
  /** @type {Confirmation | undefined} */
  #confirmation;
  /** The promise of `whenReady`. @type {Deferred<void> | undefined} */
  #ready;
  #state = '';
  /** The frame for which the diagnostics have run. @type {HTMLIFrameElement | undefined} */
  #examined;
  /** The frame for which the page was reported. @type {HTMLIFrameElement | undefined} */
  #watched;

  /** Set if the page wants classes for the form's states: brings them up to date. */
  onStates = () => {};

  /** @param {PaymentFormElement} form @param {Shim} shim */
  constructor(form, shim) {
    this.#form = form;
    this.#shim = shim;
  }

  /** @param {{ signal?: AbortSignal }} [options] */
  confirm({ signal } = {}) {
    if (signal?.aborted) throw this.#error('aborted');
    if (this.#form.matches(':disabled')) throw this.#error('wrong_state', 'the form is disabled');
    const confirmation = (this.#confirmation ??= this.#confirm());
    signal?.addEventListener('abort', () => this.#withdraw(confirmation), { once: true });
    return confirmation.promise;
  }

  /** Settles once the form can be used. */
  async whenReady() {
    const { stage, error } = this.#shim.state();
    if (error) throw error;
    if (stage !== 'ready') await (this.#ready ??= defer(() => (this.#ready = undefined))).promise;
  }

  /** A script of its own reads `inherit`, fonts and classes. @param {(appearance: string) => void} onAppearance */
  async readAppearance(onAppearance) {
    try {
      /** @type {typeof import('./page-appearance.js')} */
      const { readPageAppearance, updateStateClasses } = await this.#load('./page-appearance.js', '{{page-appearance}}');
      this.onStates = () => updateStateClasses(this.#form);
      readPageAppearance(this.#form, onAppearance);
    } catch {
      // If the script does not load, the frame applies the rest.
      onAppearance(this.#form.appearance);
    }
  }

  async cancel() {
    await this.#call({ type: 'cancel' }).promise;
  }

  async clear() {
    await this.#call({ type: 'clear' }).promise;
  }

  /** @param {FieldId | FocusOptions} [field] */
  async focus(field) {
    await this.#call(typeof field === 'string' ? { type: 'focus', field } : { type: 'focus' }).promise;
  }

  /** Shows all faults; the answer names them without any value. */
  async validate() {
    return (await this.#call({ type: 'validate' }).promise) ?? [];
  }

  /** Handles a request of the frame. @param {unknown} request */
  async onRequest(request) {
    const { what, secondsLeft, title, diagnostics, watch } = own(request);
    if (what === 'renew') await this.#renew();
    if (what === 'challenge') this.#makeRoom();
    if (what === 'uncover') this.#uncover();
    if (what === 'title' && typeof title === 'string') this.#name(title.slice(0, 80));
    if (what === 'title' && watch === true) this.#watch();
    if (what === 'title' && diagnostics === true) await this.#examine();
    if (what === 'expiring' && Number.isInteger(secondsLeft) && secondsLeft >= 0) this.#form.dispatchEvent(new CustomEvent('expiring', { detail: { secondsLeft } }));
  }

  /** Where the terminal's pages are watched: the page reports what it is made of, once for each frame. If the script does not load, it does not. */
  #watch() {
    const { link } = this.#shim.state();
    if (!link || link.frame === this.#watched) return;
    this.#watched = link.frame;
    /** @type {Promise<typeof import('./page-watch.js')>} */
    const loading = this.#load('./page-watch.js', '{{page-watch}}');
    loading.then(({ watchPage }) => watchPage(this.#form), () => {});
  }

  /** Where the gateway offers them: runs the diagnostics, once for each frame. */
  async #examine() {
    const { link } = this.#shim.state();
    if (!link || link.frame === this.#examined) return;
    this.#examined = link.frame;
    /** @type {typeof import('./diagnostics.js')} */
    const diagnostics = await this.#load('./diagnostics.js', '{{diagnostics}}');
    diagnostics.report(await diagnostics.findings(this.#form, withheld));
  }

  /**
   * Sets the frame's accessible name: the page's, or the form's in the buyer's language; with a number if another
   * frame has this name.
   * @param {string} title
   */
  #name(title) {
    const { link, options } = this.#shim.state();
    if (!link) return;
    const { frame } = link;
    calls.set(frame, this);
    // The page has changed its colours since the frame was made.
    if (!frame.src.includes(`&theme=${options.theme}&`)) this.sendOptions();
    const name = this.#form.getAttribute('label') || title;
    const known = present();
    const others = known.filter((other) => other !== frame);
    let number = 1;
    for (frame.title = name; others.some((other) => other.title === frame.title); ) frame.title = `${name} ${++number}`;
    named = [...others, frame].map((each) => new WeakRef(each));
    const lacking = known.includes(frame) ? [] : withheld(this.#form, ['autofill', 'shared-autofill']);
    if (lacking.length) {
      const message = `The page's header Permissions-Policy withholds ${lacking.join(', ')} from the form.`;
      /** @type {PaymentFormEventMap['error']} */
      const event = new CustomEvent('error', { detail: { code: 'autofill_withheld', message, fatal: false }, cancelable: true });
      this.#form.dispatchEvent(event);
    }
  }

  /** Tells the frame the current theme of the page. */
  sendOptions() {
    const { link, options } = this.#shim.state();
    link?.send({ type: 'update', id: 0, options });
  }

  /** Scrolls the focused field into view. */
  reveal() {
    this.#shim.state().link?.send({ type: 'reveal', id: 0 });
  }

  /** The frame asks for another session for the same payment; the answer is a session, or none. */
  async #renew() {
    const session = await renewedSession(this.#form);
    this.session = session || undefined;
    // In place: the shim does not load the form again.
    if (session) this.#form.session = session;
    await this.#call({ type: 'renew', session }).promise;
  }

  /** The issuer's page opens: in the whole window if the merchant wants that, otherwise it may cover a small screen. */
  #makeRoom() {
    const { link } = this.#shim.state();
    if (this.#form.challenge === 'redirect') link?.send({ type: 'redirect', id: 0 });
    else if (link && screen.width < SMALL_PX) {
      Object.assign(link.frame.style, COVER);
      link.send({ type: 'cover', id: 0 });
    }
  }

  #uncover() {
    const frame = this.#shim.state().link?.frame;
    for (const name in COVER) frame?.style.removeProperty(name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
  }

  /** The browser has reported why the page's own form can not be submitted, and has moved the focus here. */
  async report() {
    const [fault] = await this.validate();
    if (fault) await this.focus(/** @type {FieldId} */ (fault.field));
  }

  /** @param {{ field?: FieldId, code: string }} error of the merchant's server */
  async setServerError({ field, code }) {
    if (!CODE.test(code) || !(field === undefined || CODE.test(field))) throw this.#error('bad_option', `setServerError: ${field}, ${code}`);
    await this.#call({ type: 'servererror', code, ...(field && { field }) }).promise;
  }

  /** @param {object} options */
  async update(options) {
    const { checked, names, state } = this.#shim;
    const { session, ...known } = checked(options);
    for (const name in known) if (!names.includes(name)) throw this.#error('option_fixed', name);
    const { link, error } = state();
    if (error) throw error;
    Object.assign(this.#form, known);
    // The shim has sent the options already; this is for the answer.
    if (link) await this.#call({ type: 'update', options: {} }).promise;
    if (typeof session === 'string' && session !== this.#form.session) await this.#replaceSession(session);
  }

  /** Another session for the same order takes over in place; without a frame it is loaded. @param {string} session */
  async #replaceSession(session) {
    if (this.#shim.state().link) {
      await this.#call({ type: 'renew', session }).promise;
      this.session = session;
    }
    this.#form.session = session;
  }

  /** The merchant's server has changed the session. */
  async refresh() {
    await this.#call({ type: 'refresh' }).promise;
  }

  /** Sends the calls that have waited for the form. */
  flush() {
    const { stage, link } = this.#shim.state();
    if (stage !== 'ready' || !link) return;
    this.#ready?.resolve();
    for (const call of this.#open.values()) {
      if (call.sent) continue;
      call.sent = true;
      if (call.command.type === 'focus') {
        if (mayNotFocus()) {
          call.reject(this.#error('focus_refused', 'not without a gesture of the buyer'));
          continue;
        }
        link.frame.focus();
      }
      if (call.command.type === 'update') call.command.options = this.#shim.state().options;
      link.send(call.command);
    }
  }

  /** Rejects the calls of a frame that is gone. Calls that were not sent are sent to the next frame. @param {Error} error */
  forget(error) {
    for (const call of this.#open.values()) if (call.sent) call.reject(error);
    if (this.#confirmation?.accepted) this.#confirmation.reject(error);
  }

  /** @param {Error} error */
  refuse(error) {
    for (const call of this.#open.values()) call.reject(error);
    this.#confirmation?.reject(error);
    this.#ready?.reject(error);
  }

  /** @param {{ type: string, detail?: any }} heard from the frame */
  onMessage({ type, detail }) {
    if (type === 'reply') this.#answer(detail);
    if (type === 'statechange') this.#onStateChange(detail.state);
    if (type === 'result') this.#confirmation?.resolve(detail);
  }

  /** The shim does not check the content of this message. @param {unknown} reply */
  #answer(reply) {
    const { id, error, faults } = own(reply);
    const call = this.#open.get(id);
    if (!call) return;
    const { code, message } = own(error);
    if (typeof code === 'string' && CODE.test(code)) call.reject(this.#error(/** @type {PayframeErrorCode} */ (this.#shim.known(code)), String(message).slice(0, 1000)));
    // A refusal of unknown shape is a refusal.
    else if (error != null) call.reject(this.#error('wrong_state'));
    else if (faults == null) call.resolve(undefined);
    else {
      const told = (Array.isArray(faults) ? faults : []).slice(0, 32).map((fault) => own(fault));
      const good = told.filter(({ field, code }) => [field, code].every((word) => typeof word === 'string' && CODE.test(word)));
      call.resolve(good.map(({ field, code }) => ({ field, code })));
    }
  }

  /** @param {string} state */
  #onStateChange(state) {
    const returned = this.#state && !ENTRY.includes(this.#state) && ENTRY.includes(state);
    this.#state = state;
    const confirmation = this.#confirmation;
    if (!confirmation?.accepted || !(returned || state === 'EXPIRED')) return;
    // A `result` may follow at once.
    setTimeout(confirmation.reject, 100, this.#error('not_completed'));
  }

  /** @param {Command} command */
  #call(command) {
    const id = ++this.#lastId;
    /** @type {Call} */
    const call = Object.assign(defer(() => this.#open.delete(id)), { command: /** @type {ShimCommand} */ ({ ...command, id }), sent: false });
    const { error } = this.#shim.state();
    if (error) call.reject(error);
    else this.#open.set(id, call);
    this.flush();
    return call;
  }

  #confirm() {
    const call = this.#call({ type: 'confirm' });
    /** @type {Confirmation} */
    const confirmation = Object.assign(defer(() => this.#confirmation === confirmation && (this.#confirmation = undefined)), { call, accepted: false });
    call.promise.then(() => (confirmation.accepted = true), confirmation.reject);
    return confirmation;
  }

  /** @param {Confirmation} confirmation */
  #withdraw(confirmation) {
    const { accepted, call, reject } = confirmation;
    if (confirmation !== this.#confirmation || accepted) return;
    const withdrawn = this.#error('aborted');
    if (call.sent) this.#call({ type: 'abort' }).promise.then(() => reject(withdrawn), () => {});
    else call.reject(withdrawn);
  }

  /** Loads a script from beside this one, if its hash is that of the same release. @param {string} path @param {string} integrity */
  #load(path, integrity) {
    return this.#shim.loadPart(new URL(path, import.meta.url).href, integrity, this.#form.nonce);
  }

  /** @param {PayframeErrorCode} code @param {string} [message] */
  #error(code, message) {
    return new this.#shim.PayframeError(code, message);
  }
}

/** Own members only: inherited ones do not come from the frame. @param {unknown} value @returns {Record<string, any>} */
const own = (value) => Object.assign(Object.create(null), value);

/**
 * Those of these features that the page withholds from the form's frame, as far as this browser knows and reports them.
 * @param {PaymentFormElement} form @param {string[]} names
 */
export const withheld = (form, names) => {
  /** @type {any} */
  const frame = form.shadowRoot?.querySelector('iframe');
  /** @type {{ features: () => string[], allowsFeature: (name: string, origin?: string) => boolean } | undefined} */
  const policy = frame?.featurePolicy ?? frame?.permissionsPolicy;
  const known = policy?.features() ?? [];
  return names.filter((name) => known.includes(name) && !policy?.allowsFeature(name, new URL(form.gateway).origin));
};

/** On a phone, focus without a gesture would open the keypad over the page. */
const mayNotFocus = () => matchMedia('(pointer:coarse)').matches && navigator.userActivation?.isActive === false;

/** On screens that are narrower than this, the issuer's page covers the screen. */
const SMALL_PX = 600;
/** Above the page, regardless of the page's own height of the frame. */
const COVER = { position: 'fixed', inset: '0', zIndex: '2147483647', width: '100%', minHeight: '100dvh', margin: '0' };

/** How long the buyer waits for another session. */
const RENEWAL_MS = 30_000;

/** The session from the merchant's callback; an empty text means none. @param {PaymentFormElement} form */
const renewedSession = async (form) => {
  try {
    const nothing = new Promise((resolve) => setTimeout(resolve, RENEWAL_MS));
    return (await Promise.race([form.renewSession?.(), nothing])) || '';
  } catch {
    return '';
  }
};

// ---- The keypad -----------------------------------------------------------------------------------------------------

/** A smaller change of the height is a bar of the browser. */
const KEYPAD_PX = 100;
/** Duration of the keypad's animation. */
const SLIDE_MS = 100;

/** The visible height of the page, independent of zoom. */
const seenPx = () => (visualViewport ? visualViewport.height * visualViewport.scale : 0);
let lastSeenPx = seenPx();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let sliding;
visualViewport?.addEventListener('resize', () => {
  clearTimeout(sliding);
  sliding = setTimeout(() => {
    if (lastSeenPx - seenPx() > KEYPAD_PX) reveal();
    lastSeenPx = seenPx();
  }, SLIDE_MS);
});

/** Scrolls the focused field into view. With a form in one frame, the frame does that. */
function reveal() {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  const call = at && calls.get(at);
  if (call) call.reveal();
  else at?.closest('payment-field')?.scrollIntoView({ block: 'nearest' });
}

// ---- Failures -------------------------------------------------------------------------------------------------------

/** By code of a failed load, the remedy for the merchant. The same sentences are in docs/errors.md. @type {Partial<Record<PayframeErrorCode, string>>} */
export const REMEDIES = {
  bad_gateway_url: 'Set `gateway` to the origin of your gateway, such as https://gateway.example, without a path.',
  session_missing: 'Set `session` to the id that your server got from POST /orders/build.',
  frame_policy: "Add the gateway's origin to frame-src of your page's Content-Security-Policy.",
  frame_blocked: "Make a new session by POST /orders/build of the gateway that `gateway` names, with a merchantUrl of this page's origin: this one is not known there, has ended, or is of another origin. If a new one is kept out too, look for a policy that keeps frames from loading.",
  gateway_unreachable: 'Check the address in `gateway`, and whether the gateway runs and can be reached from this browser.',
  load_timeout: 'Check that the gateway answers in time, or raise `loadTimeoutMs`.',
  protocol_version: 'Update payframe.js: load it from /sdk/ of the gateway. If it comes from there, update the gateway.',
  wasm_blocked: "Let the browser load /assets/ of the gateway; a proxy or an extension that rewrites the frame's policy may keep scripts out. Offer another way to pay.",
  wasm_failed: 'Let the browser load /assets/ of the gateway; a filter or a proxy kept a file from it.',
  frame_crashed: 'Ask your server how the payment stands before anybody pays again, then reload the form.',
  script_blocked: "Let the page load scripts from /sdk/ of the gateway, and its frame what is below /assets/: script-src of the page's policy, filters, proxies.",
};

/** By language tag: the sentence in place of a form that did not load, and the text of the button that tries again. The build writes it from the locales. @type {Record<string, [sentence: string, again: string, code: string]>} */
const SENTENCES = JSON.parse(String.raw`{{sentences}}`);

/** Forms whose session was renewed because it was dead when they were loaded. @type {WeakSet<PaymentFormElement>} */
const renewed = new WeakSet();

/** How long to look for the reason why a frame did not load. */
const LOOK_MS = 3000;
/** How long after the load of a blocked frame the browser may tell of the policy that has blocked it. */
const VIOLATION_MS = 500;

/**
 * Why the frame did not send `hello`, as far as the page can find out. A session that may be over is renewed first, once for each form.
 * @param {PaymentFormElement} form
 * @returns {Promise<PayframeErrorCode>}
 */
export async function causeOf(form) {
  const { origin } = new URL(form.gateway);
  if (await frameIsForbidden(origin)) return 'frame_policy';
  // The query makes it another address than that of the page's script, so that no cache answers.
  /** @type {Promise<PayframeErrorCode>} */
  const answers = import(`${origin}/sdk/payframe.js?${Date.now()}`).then(() => 'frame_blocked', () => 'gateway_unreachable');
  if (form.renewSession && !renewed.has(form) && (await answers) === 'frame_blocked') {
    renewed.add(form);
    const session = await renewedSession(form);
    // The attribute loads the form again, so this cause is not shown.
    if (session) form.session = session;
  }
  return Promise.race([answers, new Promise((/** @type {(code: PayframeErrorCode) => void} */ resolve) => setTimeout(resolve, LOOK_MS, 'frame_blocked'))]);
}

/** Whether the page's policy blocks frames of that origin: tested with a frame, because policies can not be read. @param {string} origin */
function frameIsForbidden(origin) {
  return new Promise((/** @type {(forbidden: boolean) => void} */ resolve) => {
    const frame = document.createElement('iframe');
    frame.hidden = true;
    const end = (/** @type {boolean} */ forbidden) => (document.removeEventListener('securitypolicyviolation', onViolation), frame.remove(), resolve(forbidden));
    const onViolation = (/** @type {SecurityPolicyViolationEvent} */ { effectiveDirective, blockedURI, disposition }) =>
      /frame|child/.test(effectiveDirective) && disposition === 'enforce' && blockedURI.startsWith(origin) && end(true);
    document.addEventListener('securitypolicyviolation', onViolation);
    frame.onload = () => setTimeout(end, VIOLATION_MS, false);
    frame.src = `${origin}/form/`;
    document.body.append(frame);
    setTimeout(end, LOOK_MS / 2, false);
  });
}

/**
 * Shows the sentence in place of the form in the buyer's language, and writes the remedy to the console.
 * @param {PaymentFormElement} form @param {{ code: PayframeErrorCode }} error
 */
export function explain(form, { code }) {
  console.info(`payframe: ${code}: ${REMEDIES[code] ?? ''} See docs/errors.md.`);
  const alert = form.shadowRoot?.querySelector('div');
  const again = alert?.querySelector('button');
  if (!alert || !again) return;
  const [lang, [sentence = '', label = '']] = fallbackTexts([form.locale, form.closest('[lang]')?.getAttribute('lang') ?? '', ...navigator.languages]);
  alert.lang = lang;
  alert.dir = /^(ar|he)$/.test(lang) ? 'rtl' : 'ltr';
  again.textContent = label;
  alert.firstChild?.replaceWith(`${sentence} `);
}

/** The first available language, by tag, then by language. @param {string[]} wishes @returns {[string, string[]]} */
function fallbackTexts(wishes) {
  for (const wish of wishes) {
    const tag = wish.toLowerCase().split('-')[0] ?? '';
    for (const lang in SENTENCES) {
      const texts = SENTENCES[lang];
      if (texts && (lang === tag || texts[2] === tag)) return [lang, texts];
    }
  }
  return ['en', SENTENCES.en ?? []];
}

/** @type {Set<string>} */
const warned = new Set();

/** Warns once of an unknown option, and names the nearest one. @param {string} name @param {string[]} known */
export function unknownOption(name, known) {
  if (warned.has(name)) return;
  warned.add(name);
  const nearest = known.reduce((a, b) => (likeness(name, b) > likeness(name, a) ? b : a));
  console.warn(`payframe: no option "${name}". Did you mean "${nearest}"?`);
}

/** How many pairs of letters of `name` are in `other`. @type {(name: string, other: string) => number} */
const likeness = (name, other) => [...name].filter((_, i) => other.includes(name.slice(i, i + 2))).length;
