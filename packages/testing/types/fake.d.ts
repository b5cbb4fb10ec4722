/**
 * A fake of `<payment-form>` and `<payment-field>` for tests of a page in jsdom or happy-dom, where no frame of a gateway can run.
 *
 * It has the attributes, properties, methods, events and errors of the real elements. A test says what a payment comes to, and what the buyer does.
 * It checks no card and asks no gateway: at least one test of a shop pays at a sandbox, in a browser.
 */
import { Buyer } from './fake/buyer.js';
import { PayframeError } from './fake/error.js';
import type { FieldId, Payframe, PayframeErrorCode, PaymentFormElement, PaymentFormEventMap } from '@payframe/form';
import type { Settings } from './fake/machine.js';
/** @import { FieldId, FormOptions, Payframe, PayframeErrorCode, PaymentFormElement, PaymentFormEventMap } from '@payframe/form' */
/** @import { Settings } from './fake/machine.js' */
export { Buyer, PayframeError };
export type Entered = import('./fake/entry.js').Entered;
export type Plan = import('./fake/outcomes.js').Plan;
export type ResultPlan = import('./fake/outcomes.js').ResultPlan;
export type ErrorPlan = import('./fake/outcomes.js').ErrorPlan;
/** The fake elements of one window, and what tests decide about them. @implements {Settings} */
export declare class Fake implements Settings {
    #private;
    /**
     * What payments come to: an outcome, or a list of outcomes for one payment after the other, of which the last stays. While a promise is pending, the form is at work.
     * @type {Plan | Promise<Plan> | (Plan | Promise<Plan>)[]}
     */
    outcome: Plan | Promise<Plan> | (Plan | Promise<Plan>)[];
    /** How forms load: `ready`, or the code of a fatal error. While a promise is pending, they are loading. @type {'ready' | PayframeErrorCode | Promise<'ready' | PayframeErrorCode>} */
    load: 'ready' | PayframeErrorCode | Promise<'ready' | PayframeErrorCode>;
    /** What `confirm()` rejects with before anything is sent, such as `offline` or `press_needed`. @type {PayframeErrorCode | undefined} */
    refusal: PayframeErrorCode | undefined;
    /** What `update({ session })` rejects with, such as `session_rejected`. @type {PayframeErrorCode | undefined} */
    sessionRefusal: PayframeErrorCode | undefined;
    /** The fields of forms that load from now on. */
    fields: readonly FieldId[];
    /** The networks of the session. */
    networks: readonly string[];
    /** The network of the card that is entered. */
    brand: string;
    /** The order in `result`. */
    orderId: string;
    /** Made by `installFake`. @param {Document} document */
    constructor(document: Document);
    /** What the next payment comes to. */
    nextOutcome(): Promise<import("./fake/outcomes.js").Plan> | import("./fake/outcomes.js").Plan;
    /** Eighteen digits, another one for each payment. */
    nextOperationId(): string;
    /** Everything as it was at first: for the end of each test. */
    reset(): void;
    /** The form in the page, or the one of several that a selector names. @param {string} [selector] @returns {PaymentFormElement} */
    form(selector?: string): PaymentFormElement;
    /** Who uses the form. @param {PaymentFormElement} [form] the one in the page */
    buyer(form?: PaymentFormElement): Buyer;
    /** The session ends: another one of `renewSession` takes over, or the page hears of the end. @param {PaymentFormElement} [form] @returns {Promise<void>} */
    expire(form?: PaymentFormElement): Promise<void>;
    /** The form breaks after it was live. @param {PayframeErrorCode} code such as `frame_crashed` @param {PaymentFormElement} [form] */
    break(code: PayframeErrorCode, form?: PaymentFormElement): void;
    /**
     * Dispatches any other event of the form, such as `expiring`, or an `error` that is not fatal.
     * @template {keyof PaymentFormEventMap} K @param {K} type @param {PaymentFormEventMap[K]['detail']} detail @param {PaymentFormElement} [form]
     */
    emit<K extends keyof PaymentFormEventMap>(type: K, detail: PaymentFormEventMap[K]['detail'], form?: PaymentFormElement): void;
    /** In place of `loadPayframe` of the gateway's script. @param {string} gateway @returns {Payframe} */
    loadPayframe(gateway: string): Payframe;
}
/**
 * Defines the fake elements in a window. Another call for the same window gives the same fake.
 * @param {object} [window] one of jsdom or happy-dom; the global one unless it is given
 * @returns {Fake}
 */
export declare function installFake(window?: object): Fake;
