// Made by tools/build.mjs from src/index.ts; changes by hand are lost.
// source: 6509cbd14d895696d4853427d8dfdd03b162178c40455f504444ad95d246f8b2
import type { AppearanceOption, FieldId, PaymentFieldElement, PaymentFormElement } from '@payframe/form';
import * as i0 from "@angular/core";
export { isPayframeError, PayframeError } from '@payframe/form';
export type { Appearance, AppearanceOption, ChangeDetail, ErrorDetail, ExpiringDetail, FieldError, FieldChangeDetail, FieldDetail, FieldId, FlowState, Outcome, PayframeErrorCode, PaymentFieldElement, PaymentFormElement, ResizeDetail, ResultDetail, StateChangeDetail, } from '@payframe/form';
/** `<payment-form>`. Its content is shown if the form can not load. */
export declare class PaymentForm {
    #private;
    /** Origin of the gateway. */
    readonly gateway: import("@angular/core").InputSignal<string | undefined>;
    /** Id of `POST /orders/build`. Another one loads the form again; `update({ session })` changes it in place. */
    readonly session: import("@angular/core").InputSignal<string | undefined>;
    /** The member `form.html` of the answer to `POST /orders/build`, in place of gateway and session. */
    readonly html: import("@angular/core").InputSignal<string | undefined>;
    readonly layout: import("@angular/core").InputSignal<"form" | "fields" | undefined>;
    readonly label: import("@angular/core").InputSignal<string | undefined>;
    readonly loadTimeoutMs: import("@angular/core").InputSignal<number | undefined>;
    readonly theme: import("@angular/core").InputSignal<"auto" | "light" | "dark" | undefined>;
    readonly button: import("@angular/core").InputSignal<"auto" | "hidden" | undefined>;
    readonly cancellation: import("@angular/core").InputSignal<"auto" | "hidden" | undefined>;
    readonly advance: import("@angular/core").InputSignal<"auto" | "off" | undefined>;
    readonly challenge: import("@angular/core").InputSignal<"auto" | "redirect" | undefined>;
    readonly locale: import("@angular/core").InputSignal<string | undefined>;
    readonly appearance: import("@angular/core").InputSignal<AppearanceOption | undefined>;
    readonly texts: import("@angular/core").InputSignal<string | Record<string, string> | undefined>;
    readonly disabled: import("@angular/core").InputSignal<boolean | undefined>;
    /** Gives another session when this one ends. */
    readonly renewSession: import("@angular/core").InputSignal<(() => string | Promise<string>) | undefined>;
    /** How the gateway's scripts are loaded, as in `loadPayframe` of `@payframe/form`. */
    readonly release: import("@angular/core").InputSignal<string | undefined>;
    readonly integrity: import("@angular/core").InputSignal<string | undefined>;
    readonly fieldsIntegrity: import("@angular/core").InputSignal<string | undefined>;
    readonly nonce: import("@angular/core").InputSignal<string | undefined>;
    protected readonly attributes: import("@angular/core").Signal<Record<string, string>>;
    readonly confirm: (options?: {
        signal?: AbortSignal;
    }) => Promise<import("@payframe/form").ResultDetail>;
    readonly cancel: () => Promise<void>;
    readonly clear: () => Promise<void>;
    readonly focus: (field?: FieldId | FocusOptions) => Promise<void>;
    readonly validate: () => Promise<import("@payframe/form").FieldError[]>;
    readonly setServerError: (error: {
        field?: FieldId;
        code: string;
    }) => Promise<void>;
    readonly update: (options: import("@payframe/form").FrameOptions & {
        session?: string;
    }) => Promise<void>;
    readonly refresh: () => Promise<void>;
    readonly reload: () => Promise<void>;
    readonly whenReady: () => Promise<void>;
    constructor();
    /** The element itself; `null` while it is not in the page. */
    get element(): PaymentFormElement | null;
    static ɵfac: i0.ɵɵFactoryDeclaration<PaymentForm, never>;
    static ɵcmp: i0.ɵɵComponentDeclaration<PaymentForm, "payment-form", ["paymentForm"], { "gateway": { "alias": "gateway"; "required": false; "isSignal": true; }; "session": { "alias": "session"; "required": false; "isSignal": true; }; "html": { "alias": "html"; "required": false; "isSignal": true; }; "layout": { "alias": "layout"; "required": false; "isSignal": true; }; "label": { "alias": "label"; "required": false; "isSignal": true; }; "loadTimeoutMs": { "alias": "loadTimeoutMs"; "required": false; "isSignal": true; }; "theme": { "alias": "theme"; "required": false; "isSignal": true; }; "button": { "alias": "button"; "required": false; "isSignal": true; }; "cancellation": { "alias": "cancellation"; "required": false; "isSignal": true; }; "advance": { "alias": "advance"; "required": false; "isSignal": true; }; "challenge": { "alias": "challenge"; "required": false; "isSignal": true; }; "locale": { "alias": "locale"; "required": false; "isSignal": true; }; "appearance": { "alias": "appearance"; "required": false; "isSignal": true; }; "texts": { "alias": "texts"; "required": false; "isSignal": true; }; "disabled": { "alias": "disabled"; "required": false; "isSignal": true; }; "renewSession": { "alias": "renewSession"; "required": false; "isSignal": true; }; "release": { "alias": "release"; "required": false; "isSignal": true; }; "integrity": { "alias": "integrity"; "required": false; "isSignal": true; }; "fieldsIntegrity": { "alias": "fieldsIntegrity"; "required": false; "isSignal": true; }; "nonce": { "alias": "nonce"; "required": false; "isSignal": true; }; }, {}, never, ["*"], true, never>;
}
/** `<payment-field>`, for a `<payment-form layout="fields">` whose `id` is `for`. */
export declare class PaymentField {
    readonly name: import("@angular/core").InputSignal<FieldId>;
    readonly for: import("@angular/core").InputSignal<string>;
    readonly placeholder: import("@angular/core").InputSignal<"off" | "on" | undefined>;
    readonly errors: import("@angular/core").InputSignal<"outside" | "inside" | undefined>;
    readonly label: import("@angular/core").InputSignal<string | undefined>;
    readonly disabled: import("@angular/core").InputSignal<boolean | undefined>;
    protected readonly attributes: import("@angular/core").Signal<Record<string, string>>;
    readonly element: PaymentFieldElement;
    focus(): void;
    static ɵfac: i0.ɵɵFactoryDeclaration<PaymentField, never>;
    static ɵcmp: i0.ɵɵComponentDeclaration<PaymentField, "payment-field", ["paymentField"], { "name": { "alias": "name"; "required": true; "isSignal": true; }; "for": { "alias": "for"; "required": true; "isSignal": true; }; "placeholder": { "alias": "placeholder"; "required": false; "isSignal": true; }; "errors": { "alias": "errors"; "required": false; "isSignal": true; }; "label": { "alias": "label"; "required": false; "isSignal": true; }; "disabled": { "alias": "disabled"; "required": false; "isSignal": true; }; }, {}, never, never, true, never>;
}
