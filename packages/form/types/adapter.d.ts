/**
 * What the packages of frameworks have in common: options become attributes, events become one callback, and calls wait for the
 * gateway's script. Shops use the package of their framework, or the element itself.
 *
 * Mounting twice, as React's StrictMode does it, loads nothing twice and tells nothing twice.
 */
import type { FormOptions, PaymentFormElement, PaymentFormEventMap } from '../types/sdk/payframe.js';
import type { PaymentFieldElement, PaymentFieldEventMap } from '../types/sdk/fields.js';
import type { FieldId } from '../types/sdk/messages.js';
export type OwnOptions = {
    /**
     * origin of the gateway
     */
    gateway?: string | undefined;
    /**
     * the member `form.html` of the answer to `POST /orders/build`, in place of `gateway` and `session`: a server prints it, and buyers
     * can type before any script has run
     */
    html?: string | undefined;
    /**
     * locks the form
     */
    disabled?: boolean | undefined;
    /**
     * of the page's Content-Security-Policy
     */
    nonce?: string | undefined;
    /**
     * as in `loadPayframe`
     */
    release?: string | undefined;
    /**
     * of `payframe.js`, as in `loadPayframe`
     */
    integrity?: string | undefined;
    /**
     * of `fields.js`, which `layout="fields"` loads too
     */
    fieldsIntegrity?: string | undefined;
    /**
     * gives another session for the same payment
     */
    renewSession?: (() => string | Promise<string>) | undefined;
};
export type ComponentOptions = OwnOptions & {
    [K in keyof FormOptions]?: FormOptions[K] | undefined;
};
export type FieldOptions = {
    name: FieldId;
    for: string;
    placeholder?: 'on' | 'off' | undefined;
    errors?: 'outside' | 'inside' | undefined;
    label?: string | undefined;
    disabled?: boolean | undefined;
};
export type Tell = <K extends keyof PaymentFormEventMap>(type: K, detail: PaymentFormEventMap[K]['detail'], event?: PaymentFormEventMap[K]) => void;
/** @import { FormOptions, PaymentFormElement, PaymentFormEventMap } from '../types/sdk/payframe.js' */
/** @import { PaymentFieldElement, PaymentFieldEventMap } from '../types/sdk/fields.js' */
/** @import { FieldId } from '../types/sdk/messages.js' */
/**
 * What the components of all frameworks take, besides callbacks for events.
 * @typedef {object} OwnOptions
 * @property {string | undefined} [gateway] origin of the gateway
 * @property {string | undefined} [html] the member `form.html` of the answer to `POST /orders/build`, in place of `gateway` and `session`: a server prints it, and buyers
 *   can type before any script has run
 * @property {boolean | undefined} [disabled] locks the form
 * @property {string | undefined} [nonce] of the page's Content-Security-Policy
 * @property {string | undefined} [release] as in `loadPayframe`
 * @property {string | undefined} [integrity] of `payframe.js`, as in `loadPayframe`
 * @property {string | undefined} [fieldsIntegrity] of `fields.js`, which `layout="fields"` loads too
 * @property {(() => string | Promise<string>) | undefined} [renewSession] gives another session for the same payment
 */
/** @typedef {OwnOptions & { [K in keyof FormOptions]?: FormOptions[K] | undefined }} ComponentOptions */
/** @typedef {{ name: FieldId, for: string, placeholder?: 'on' | 'off' | undefined, errors?: 'outside' | 'inside' | undefined, label?: string | undefined, disabled?: boolean | undefined }} FieldOptions */
/**
 * Hears of an event of the form. There is no event where the script did not load, or where it was missed.
 * @typedef {<K extends keyof PaymentFormEventMap>(type: K, detail: PaymentFormEventMap[K]['detail'], event?: PaymentFormEventMap[K]) => void} Tell
 */
/** Names of the form's events. @type {readonly (keyof PaymentFormEventMap)[]} */
export declare const FORM_EVENTS: readonly (keyof PaymentFormEventMap)[];
/** Names of a field's events. @type {readonly (keyof PaymentFieldEventMap)[]} */
export declare const FIELD_EVENTS: readonly (keyof PaymentFieldEventMap)[];
/** Options that are attributes of `<payment-form>`. @type {readonly (keyof FormOptions | 'nonce')[]} */
export declare const FORM_ATTRIBUTES: readonly (keyof FormOptions | 'nonce')[];
/** Options that are attributes of `<payment-field>`. @type {readonly (Exclude<keyof FieldOptions, 'disabled'>)[]} */
export declare const FIELD_ATTRIBUTES: readonly (Exclude<keyof FieldOptions, 'disabled'>)[];
/**
 * The attributes of `<payment-form>`. The same options give the same text, so that a framework finds nothing to change.
 * @param {ComponentOptions} options @returns {Record<string, string>}
 */
export declare function formAttributes(options: ComponentOptions): Record<string, string>;
/** The template with the form's frame, for the HTML of a server; empty without `html`. @param {ComponentOptions} options */
export declare const formContent: ({ html, layout }: ComponentOptions) => string;
/** The attributes of `<payment-field>`. @param {FieldOptions} options @returns {Record<string, string>} */
export declare function fieldAttributes(options: FieldOptions): Record<string, string>;
/** Loads what the form needs. @param {ComponentOptions} options @returns {Promise<unknown>} rejects with a `PayframeError` */
export declare function loadScripts(options: ComponentOptions): Promise<unknown>;
/**
 * Passes on a form's events while a component is mounted. What has happened before, because the page's own tag loaded the script, is told too.
 * @param {PaymentFormElement} element
 * @param {Tell} tell
 * @returns {() => void} ends it
 */
export declare function followForm(element: PaymentFormElement, tell: Tell): () => void;
/**
 * Loads the scripts for a component. A failure is told like a fatal error of the form.
 * @param {ComponentOptions} options @param {Tell} tell
 * @returns {() => void} the component does not want to be told any more
 */
export declare function startForm(options: ComponentOptions, tell: Tell): () => void;
/**
 * @param {PaymentFieldElement} element
 * @param {<K extends keyof PaymentFieldEventMap>(type: K, detail: PaymentFieldEventMap[K]['detail'], event: PaymentFieldEventMap[K]) => void} tell
 * @returns {() => void} ends it
 */
export declare function followField(element: PaymentFieldElement, tell: <K extends keyof PaymentFieldEventMap>(type: K, detail: PaymentFieldEventMap[K]['detail'], event: PaymentFieldEventMap[K]) => void): () => void;
export type FormHandle = {
    /**
     * the element itself; `null` while the component is not mounted
     */
    element: PaymentFormElement | null;
    confirm: PaymentFormElement['confirm'];
    cancel: PaymentFormElement['cancel'];
    clear: PaymentFormElement['clear'];
    focus: PaymentFormElement['focus'];
    validate: PaymentFormElement['validate'];
    setServerError: PaymentFormElement['setServerError'];
    update: PaymentFormElement['update'];
    refresh: PaymentFormElement['refresh'];
    /**
     * loads the form again, and the script, if that has failed
     */
    reload: () => Promise<void>;
    /**
     * resolves once the form can be used
     */
    whenReady: () => Promise<void>;
};
/**
 * The calls of `<payment-form>`, as a component gives them to its page. Each waits for the gateway's script, and loads it again if that has failed.
 * @typedef {object} FormHandle
 * @property {PaymentFormElement | null} element the element itself; `null` while the component is not mounted
 * @property {PaymentFormElement['confirm']} confirm
 * @property {PaymentFormElement['cancel']} cancel
 * @property {PaymentFormElement['clear']} clear
 * @property {PaymentFormElement['focus']} focus
 * @property {PaymentFormElement['validate']} validate
 * @property {PaymentFormElement['setServerError']} setServerError
 * @property {PaymentFormElement['update']} update
 * @property {PaymentFormElement['refresh']} refresh
 * @property {() => Promise<void>} reload loads the form again, and the script, if that has failed
 * @property {() => Promise<void>} whenReady resolves once the form can be used
 */
/** @param {() => PaymentFormElement | null | undefined} current @param {() => ComponentOptions} options @returns {FormHandle} */
export declare function formHandle(current: () => PaymentFormElement | null | undefined, options: () => ComponentOptions): FormHandle;
