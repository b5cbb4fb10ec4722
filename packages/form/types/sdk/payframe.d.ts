/**
 * Payframe's shim for the merchant's page: `<payment-form>` and `loadPayframe()`.
 *
 * ```html
 * <script type="module" src="https://gateway.example/sdk/payframe.js"></script>
 * <payment-form gateway="https://gateway.example" session="…" locale="it"></payment-form>
 * ```
 *
 * ```ts
 * const form = loadPayframe('https://gateway.example').form({ session, locale: 'it' });
 * form.addEventListener('result', ({ detail }) => show(detail.outcome));
 * form.mount('#pay');
 * ```
 *
 * The outcome in the browser is a hint for the page. Only what the merchant's server reads from the gateway is reliable.
 * Importing the module on a server does no harm: it uses nothing of the browser.
 *
 * Style: the page may set `--payframe-reserve` (the height that is reserved until the form is measured), and style the part
 * `fallback` and the states: `payment-form:state(complete)`; `[data-state~="complete"]` in engines without custom states, or if the tag has a `data-state`.
 * Until the module is loaded, only the page's own style can reserve the height:
 * `payment-form:not(:defined) { display: block; min-height: 404px }`.
 *
 * Children of the element are its fallback: if the form can not load, they are shown instead of our sentence.
 */

import type { AppearanceOption } from './appearance.js';
import type {
  Advance, Cancellation, ChangeDetail, ExpiringDetail, FieldError, FieldDetail, FieldId, PayButton, PayframeErrorCode, ResultDetail, StateChangeDetail, Theme,
} from './messages.js';

export type {
  ChangeDetail, ExpiringDetail, FieldError, FieldDetail, FieldId, FieldReport, FlowState, Outcome, PayframeErrorCode, ResultDetail, StateChangeDetail,
} from './messages.js';

/** The one class of errors. Two copies of this module have two classes: compare `code`, not `instanceof`. */
export class PayframeError extends Error {
  /** `message` becomes a sentence. If it is no sentence itself, the sentence of the code comes first. */
  constructor(code: PayframeErrorCode, message?: string, cause?: unknown);
  readonly name: 'PayframeError';
  /** Stable. */
  readonly code: PayframeErrorCode;
  readonly cause: unknown;
}

/** Options that can change in place. */
export interface FrameOptions {
  /** Default `auto`: `dark` where the page's text at the element is light, also after the system's scheme changed; else `light`. */
  theme?: Theme;
  /** Default `auto`: the form has a pay button. `hidden`: the page has one of its own and calls `confirm()`. */
  button?: PayButton;
  /**
   * Default `auto`: below the pay button the form has a link that cancels. `hidden`: the page has one of its own and calls `cancel()`. During a wait
   * and beside the issuer's page the form still offers to cancel.
   */
  cancellation?: Cancellation;
  /** Default `auto`: when a field is certainly full, the focus moves to the next one. `off`: it never moves by itself. */
  advance?: Advance;
  /** How the form looks: a preset's name, or an object, which is JSON in the attribute. */
  appearance?: AppearanceOption;
  /** Language tag, or the gateway's three-letter code. Default: the session's language. It can change at any time; what was typed stays. */
  locale?: string;
  /** Your own labels of three fields: `label_holder_name`, `label_holder_surname`, `label_email`. They are shown as plain text. */
  texts?: string | Record<string, string>;
}

/** Options of a form, and properties of the element. */
export interface FormOptions extends FrameOptions {
  /** Session id, from `POST /orders/build`. */
  session?: string;
  /** Accessible name of the frame. Default: "Card payment" in the buyer's language. A second form with the same name gets a number. */
  label?: string;
  /**
   * Default `form`: everything is in one frame. `fields`: the inputs are elements `<payment-field>` of their own (`fields.js`), and this
   * element shows messages, the pay button and what follows. A change loads the form again.
   */
  layout?: 'form' | 'fields';
  /**
   * Default `auto`: the issuer's page opens inside the form. `redirect`: it opens in the whole window, and the browser comes back to the
   * session's `resultUrl`; then read the outcome on your server. The option is read when the issuer's page opens.
   */
  challenge?: 'auto' | 'redirect';
  /** How long each of the two steps of loading may take: the frame's document, then the form in it. Default 20000. */
  loadTimeoutMs?: number;
}

export interface ResizeDetail extends FieldDetail {
  /** CSS pixels. */
  height: number;
}

export interface ErrorDetail {
  code: PayframeErrorCode;
  /** English, for developers. */
  message: string;
  /** Whether the form does not work (any more). `reload()` tries again. */
  fatal: boolean;
}

/**
 * The element's events. They do not bubble and are not composed: listen on the element itself, also in a
 * shadow tree. `focus` and `blur` are about the form's fields and are `CustomEvent`s with `detail.field`; the browser's
 * own events of these names do not reach the element (`focusin` and `focusout` are about the frame as a whole).
 */
export interface PaymentFormEventMap {
  /** The form is live. Once for each load; either this or a fatal `error`. */
  ready: CustomEvent<null>;
  /** The state of what the buyer entered has changed. Contains no digits, except those that `cardSummary` allows. */
  change: CustomEvent<ChangeDetail>;
  focus: CustomEvent<FieldDetail>;
  blur: CustomEvent<FieldDetail>;
  /** Layout `fields`, button `hidden`: the buyer pressed Enter in a field. `fields.js` submits the field's own form then. */
  enter: CustomEvent<FieldDetail>;
  /** Layout `fields`: the height of one field with its message, for `fields.js`. */
  resize: CustomEvent<ResizeDetail>;
  statechange: CustomEvent<StateChangeDetail>;
  result: CustomEvent<ResultDetail>;
  /** The session ends soon, unless the buyer is active; or the issuer's page ends soon. */
  expiring: CustomEvent<ExpiringDetail>;
  /** A fatal one is also written to the console, unless its default is prevented. */
  error: CustomEvent<ErrorDetail>;
}

/** `<payment-form>`. Methods called before `ready` wait for it; they reject with the load's error, or with `unmounted`. */
export interface PaymentFormElement extends HTMLElement {
  /** Origin of the gateway. A change of this, of `session` or of `layout` loads the form again. */
  gateway: string;
  session: string;
  locale: string;
  label: string;
  layout: 'form' | 'fields';
  theme: Theme;
  button: PayButton;
  cancellation: Cancellation;
  advance: Advance;
  /** Has the value of its attribute: the preset's name, or JSON. Default `''`. */
  get appearance(): string;
  set appearance(value: AppearanceOption);
  /** Has the value of its attribute: JSON. Default `''`. */
  get texts(): string;
  set texts(value: string | Record<string, string>);
  challenge: 'auto' | 'redirect';
  loadTimeoutMs: number;
  /**
   * Gives another session for the same payment: the id that your server got from `POST /orders/build`. Called when the session has
   * ended, or when its last attempt was refused and the buyer wants to try again. The new session takes over, and what was typed stays.
   * No answer after 30 seconds means that there is none. Set it before the element is added to the page.
   */
  renewSession?: (() => string | Promise<string>) | undefined;

  /** Adds the element to `target`, as its last child. Returns the element. Throws a `PayframeError` with `mount_target`. */
  mount(target: Element | string): PaymentFormElement;
  /** Removes the element from the page: frame, port and listeners are gone, calls reject with `unmounted`. */
  unmount(): void;
  /** `unmount()` for ever: every later call rejects with `destroyed`, and the element does nothing in any page. */
  destroy(): void;
  /** Loads the form again, for example after a fatal `error`. What was typed is lost. Does nothing outside of a page. */
  reload(): void;
  /**
   * Checks and submits, as the form's own button does, and resolves with the next `result`, final or not: a refusal with
   * attempts left has `final: false`. Rejects if nothing was sent (`invalid_data`, `busy`, `wrong_state`, `offline`,
   * `script_blocked`), or if no result is possible any more. A call while another one is pending settles like that one and sends nothing.
   * The signal withdraws the call until the form has accepted it (`aborted`); after that the promise waits for the true outcome. If the
   * promise rejects with `data_lost` or `unmounted`, a payment may be under way: ask the merchant's server.
   */
  confirm(options?: { signal?: AbortSignal }): Promise<ResultDetail>;
  /** Gives the payment up, as the form's own cancel button does. The outcome comes as `result`. */
  cancel(): Promise<void>;
  /**
   * Puts the focus into a field, or into the first one. Rejects with `focus_refused` if the browser refuses it, and on
   * a phone without a gesture of the buyer, because the keypad would open.
   */
  focus(field?: FieldId | FocusOptions): Promise<void>;
  /** Resolves once the form can be used; rejects if it fails before that, or if the element is removed from the page. */
  readonly whenReady: Promise<void>;
  /** Empties all fields and messages, at once. */
  clear(): Promise<void>;
  /** Shows all faults, as a press on Pay does, but does not move the focus. Resolves with the faults: empty if there are none. */
  validate(): Promise<FieldError[]>;
  /**
   * Shows an error that your server found: at the field, or above the button if no field is given. The text is ours, in the buyer's
   * language; an unknown code gives a general text. It is removed at the buyer's next edit.
   */
  setServerError(error: { field?: FieldId; code: string }): Promise<void>;
  /**
   * Changes options in place. Rejects with `option_fixed` for options that can not change in place. Before the first load it only sets them.
   *
   * `session`: another session of the same order, e.g. with another sum, takes over: what was typed stays. Rejects with
   * `wrong_state` while the form works on a press, shows the bank's page or has ended, and with `session_rejected` for a session that
   * can not take over; in both cases the former session stays.
   */
  update(options: FrameOptions & { session?: string }): Promise<void>;
  /**
   * Call it after your server has changed amount or currency of the session (`PATCH /build/session`): the form asks the gateway, and shows the new
   * sum. Resolves once it does. What was typed stays. If the form works on a press, it learns of the change by itself, charges nothing, and
   * asks for another press.
   */
  refresh(): Promise<void>;

  addEventListener<K extends keyof PaymentFormEventMap>(
    type: K,
    listener: (this: PaymentFormElement, event: PaymentFormEventMap[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener<K extends Exclude<keyof HTMLElementEventMap, keyof PaymentFormEventMap>>(
    type: K,
    listener: (this: PaymentFormElement, event: HTMLElementEventMap[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | AddEventListenerOptions): void;
  removeEventListener<K extends keyof PaymentFormEventMap>(
    type: K,
    listener: (this: PaymentFormElement, event: PaymentFormEventMap[K]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener<K extends Exclude<keyof HTMLElementEventMap, keyof PaymentFormEventMap>>(
    type: K,
    listener: (this: PaymentFormElement, event: HTMLElementEventMap[K]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | EventListenerOptions): void;
}

/** One gateway. */
export interface Payframe {
  /**
   * Makes a `<payment-form>` that is not in the page yet. Unknown options are ignored with one warning.
   * Throws a `PayframeError` with `bad_option`, or `no_browser` on a server.
   */
  form(options?: FormOptions): PaymentFormElement;
}

/** Checks the gateway's origin; nothing is loaded yet. Throws a `PayframeError` with `bad_gateway_url`. */
export function loadPayframe(gateway: string): Payframe;

declare global {
  interface HTMLElementTagNameMap {
    'payment-form': PaymentFormElement;
  }
}
