// Made by tools/build.mjs from src/index.ts; changes by hand are lost.
// source: 6509cbd14d895696d4853427d8dfdd03b162178c40455f504444ad95d246f8b2
/**
 * Payframe's form as components for Angular: options are inputs, events are the element's own, calls are methods.
 *
 * The components are the elements themselves: `<payment-form>` and `<payment-field>` in a template. So `(result)="…"` is the event of the
 * element, whose `$event.detail` has its type. A server renders the element as it is; the gateway's script is loaded in the browser.
 */
import { afterNextRender, ChangeDetectionStrategy, Component, computed, DestroyRef, effect, ElementRef, inject, input, untracked } from '@angular/core';
import { fieldAttributes, formAttributes, formHandle, startForm } from '@payframe/form/adapter';
import * as i0 from "@angular/core";
export { isPayframeError, PayframeError } from '@payframe/form';
/** `<payment-form>`. Its content is shown if the form can not load. */
export class PaymentForm {
    /** Origin of the gateway. */
    gateway = input(...(ngDevMode ? [undefined, { debugName: "gateway" }] : []));
    /** Id of `POST /orders/build`. Another one loads the form again; `update({ session })` changes it in place. */
    session = input(...(ngDevMode ? [undefined, { debugName: "session" }] : []));
    /** The member `form.html` of the answer to `POST /orders/build`, in place of gateway and session. */
    html = input(...(ngDevMode ? [undefined, { debugName: "html" }] : []));
    layout = input(...(ngDevMode ? [undefined, { debugName: "layout" }] : []));
    label = input(...(ngDevMode ? [undefined, { debugName: "label" }] : []));
    loadTimeoutMs = input(...(ngDevMode ? [undefined, { debugName: "loadTimeoutMs" }] : []));
    theme = input(...(ngDevMode ? [undefined, { debugName: "theme" }] : []));
    button = input(...(ngDevMode ? [undefined, { debugName: "button" }] : []));
    cancellation = input(...(ngDevMode ? [undefined, { debugName: "cancellation" }] : []));
    advance = input(...(ngDevMode ? [undefined, { debugName: "advance" }] : []));
    challenge = input(...(ngDevMode ? [undefined, { debugName: "challenge" }] : []));
    locale = input(...(ngDevMode ? [undefined, { debugName: "locale" }] : []));
    appearance = input(...(ngDevMode ? [undefined, { debugName: "appearance" }] : []));
    texts = input(...(ngDevMode ? [undefined, { debugName: "texts" }] : []));
    disabled = input(...(ngDevMode ? [undefined, { debugName: "disabled" }] : []));
    /** Gives another session when this one ends. */
    renewSession = input(...(ngDevMode ? [undefined, { debugName: "renewSession" }] : []));
    /** How the gateway's scripts are loaded, as in `loadPayframe` of `@payframe/form`. */
    release = input(...(ngDevMode ? [undefined, { debugName: "release" }] : []));
    integrity = input(...(ngDevMode ? [undefined, { debugName: "integrity" }] : []));
    fieldsIntegrity = input(...(ngDevMode ? [undefined, { debugName: "fieldsIntegrity" }] : []));
    nonce = input(...(ngDevMode ? [undefined, { debugName: "nonce" }] : []));
    attributes = computed(() => formAttributes(this.#options()), ...(ngDevMode ? [{ debugName: "attributes" }] : []));
    /** What decides which scripts are loaded. */
    #scripts = computed(() => [this.gateway(), this.html(), this.layout(), this.release(), this.integrity(), this.fieldsIntegrity(), this.nonce()], ...(ngDevMode ? [{ debugName: "#scripts" }] : []));
    #element = inject(ElementRef).nativeElement;
    #isPresent = false;
    #handle = formHandle(() => (this.#isPresent ? this.#element : null), () => untracked(() => this.#options()));
    confirm = this.#handle.confirm;
    cancel = this.#handle.cancel;
    clear = this.#handle.clear;
    focus = this.#handle.focus;
    validate = this.#handle.validate;
    setServerError = this.#handle.setServerError;
    update = this.#handle.update;
    refresh = this.#handle.refresh;
    reload = this.#handle.reload;
    whenReady = this.#handle.whenReady;
    constructor() {
        let forget = () => { };
        inject(DestroyRef).onDestroy(() => {
            this.#isPresent = false;
            forget();
        });
        const isBrowser = typeof document !== 'undefined' && typeof this.#element.addEventListener === 'function';
        if (!isBrowser)
            return;
        let heardReady = false;
        this.#element.addEventListener('ready', () => (heardReady = true));
        effect(() => {
            this.#element.renewSession = this.renewSession();
        });
        afterNextRender(() => {
            this.#isPresent = true;
            // The page's own tag may have loaded the script before Angular came.
            if (!heardReady && /\bready\b/.test(this.#element.dataset['state'] ?? ''))
                this.#dispatch('ready', null);
        });
        effect(() => {
            this.#scripts();
            forget();
            forget = startForm(untracked(() => this.#options()), (type, detail) => this.#dispatch(type, detail));
        });
    }
    /** The element itself; `null` while it is not in the page. */
    get element() {
        return this.#handle.element;
    }
    #dispatch(type, detail) {
        this.#element.dispatchEvent(new CustomEvent(type, { detail, cancelable: true }));
    }
    #options() {
        return {
            gateway: this.gateway(), session: this.session(), html: this.html(), layout: this.layout(), label: this.label(), loadTimeoutMs: this.loadTimeoutMs(), theme: this.theme(),
            button: this.button(), cancellation: this.cancellation(), advance: this.advance(), challenge: this.challenge(), locale: this.locale(), appearance: this.appearance(), texts: this.texts(),
            disabled: this.disabled(), release: this.release(), integrity: this.integrity(), fieldsIntegrity: this.fieldsIntegrity(), nonce: this.nonce(),
        };
    }
    static ɵfac = i0.ɵɵngDeclareFactory({ minVersion: "12.0.0", version: "20.3.35", ngImport: i0, type: PaymentForm, deps: [], target: i0.ɵɵFactoryTarget.Component });
    static ɵcmp = i0.ɵɵngDeclareComponent({ minVersion: "17.1.0", version: "20.3.35", type: PaymentForm, isStandalone: true, selector: "payment-form", inputs: { gateway: { classPropertyName: "gateway", publicName: "gateway", isSignal: true, isRequired: false, transformFunction: null }, session: { classPropertyName: "session", publicName: "session", isSignal: true, isRequired: false, transformFunction: null }, html: { classPropertyName: "html", publicName: "html", isSignal: true, isRequired: false, transformFunction: null }, layout: { classPropertyName: "layout", publicName: "layout", isSignal: true, isRequired: false, transformFunction: null }, label: { classPropertyName: "label", publicName: "label", isSignal: true, isRequired: false, transformFunction: null }, loadTimeoutMs: { classPropertyName: "loadTimeoutMs", publicName: "loadTimeoutMs", isSignal: true, isRequired: false, transformFunction: null }, theme: { classPropertyName: "theme", publicName: "theme", isSignal: true, isRequired: false, transformFunction: null }, button: { classPropertyName: "button", publicName: "button", isSignal: true, isRequired: false, transformFunction: null }, cancellation: { classPropertyName: "cancellation", publicName: "cancellation", isSignal: true, isRequired: false, transformFunction: null }, advance: { classPropertyName: "advance", publicName: "advance", isSignal: true, isRequired: false, transformFunction: null }, challenge: { classPropertyName: "challenge", publicName: "challenge", isSignal: true, isRequired: false, transformFunction: null }, locale: { classPropertyName: "locale", publicName: "locale", isSignal: true, isRequired: false, transformFunction: null }, appearance: { classPropertyName: "appearance", publicName: "appearance", isSignal: true, isRequired: false, transformFunction: null }, texts: { classPropertyName: "texts", publicName: "texts", isSignal: true, isRequired: false, transformFunction: null }, disabled: { classPropertyName: "disabled", publicName: "disabled", isSignal: true, isRequired: false, transformFunction: null }, renewSession: { classPropertyName: "renewSession", publicName: "renewSession", isSignal: true, isRequired: false, transformFunction: null }, release: { classPropertyName: "release", publicName: "release", isSignal: true, isRequired: false, transformFunction: null }, integrity: { classPropertyName: "integrity", publicName: "integrity", isSignal: true, isRequired: false, transformFunction: null }, fieldsIntegrity: { classPropertyName: "fieldsIntegrity", publicName: "fieldsIntegrity", isSignal: true, isRequired: false, transformFunction: null }, nonce: { classPropertyName: "nonce", publicName: "nonce", isSignal: true, isRequired: false, transformFunction: null } }, host: { properties: { "attr.gateway": "attributes()[\"gateway\"]", "attr.session": "attributes()[\"session\"]", "attr.layout": "attributes()[\"layout\"]", "attr.label": "attributes()[\"label\"]", "attr.loadTimeoutMs": "attributes()[\"loadTimeoutMs\"]", "attr.theme": "attributes()[\"theme\"]", "attr.button": "attributes()[\"button\"]", "attr.cancellation": "attributes()[\"cancellation\"]", "attr.advance": "attributes()[\"advance\"]", "attr.challenge": "attributes()[\"challenge\"]", "attr.locale": "attributes()[\"locale\"]", "attr.appearance": "attributes()[\"appearance\"]", "attr.texts": "attributes()[\"texts\"]", "attr.nonce": "attributes()[\"nonce\"]", "attr.disabled": "attributes()[\"disabled\"]" } }, exportAs: ["paymentForm"], ngImport: i0, template: '<ng-content />', isInline: true, changeDetection: i0.ChangeDetectionStrategy.OnPush });
}
i0.ɵɵngDeclareClassMetadata({ minVersion: "12.0.0", version: "20.3.35", ngImport: i0, type: PaymentForm, decorators: [{
            type: Component,
            args: [{
                    selector: 'payment-form',
                    template: '<ng-content />',
                    changeDetection: ChangeDetectionStrategy.OnPush,
                    exportAs: 'paymentForm',
                    host: {
                        '[attr.gateway]': 'attributes()["gateway"]',
                        '[attr.session]': 'attributes()["session"]',
                        '[attr.layout]': 'attributes()["layout"]',
                        '[attr.label]': 'attributes()["label"]',
                        '[attr.loadTimeoutMs]': 'attributes()["loadTimeoutMs"]',
                        '[attr.theme]': 'attributes()["theme"]',
                        '[attr.button]': 'attributes()["button"]',
                        '[attr.cancellation]': 'attributes()["cancellation"]',
                        '[attr.advance]': 'attributes()["advance"]',
                        '[attr.challenge]': 'attributes()["challenge"]',
                        '[attr.locale]': 'attributes()["locale"]',
                        '[attr.appearance]': 'attributes()["appearance"]',
                        '[attr.texts]': 'attributes()["texts"]',
                        '[attr.nonce]': 'attributes()["nonce"]',
                        '[attr.disabled]': 'attributes()["disabled"]',
                    },
                }]
        }], ctorParameters: () => [], propDecorators: { gateway: [{ type: i0.Input, args: [{ isSignal: true, alias: "gateway", required: false }] }], session: [{ type: i0.Input, args: [{ isSignal: true, alias: "session", required: false }] }], html: [{ type: i0.Input, args: [{ isSignal: true, alias: "html", required: false }] }], layout: [{ type: i0.Input, args: [{ isSignal: true, alias: "layout", required: false }] }], label: [{ type: i0.Input, args: [{ isSignal: true, alias: "label", required: false }] }], loadTimeoutMs: [{ type: i0.Input, args: [{ isSignal: true, alias: "loadTimeoutMs", required: false }] }], theme: [{ type: i0.Input, args: [{ isSignal: true, alias: "theme", required: false }] }], button: [{ type: i0.Input, args: [{ isSignal: true, alias: "button", required: false }] }], cancellation: [{ type: i0.Input, args: [{ isSignal: true, alias: "cancellation", required: false }] }], advance: [{ type: i0.Input, args: [{ isSignal: true, alias: "advance", required: false }] }], challenge: [{ type: i0.Input, args: [{ isSignal: true, alias: "challenge", required: false }] }], locale: [{ type: i0.Input, args: [{ isSignal: true, alias: "locale", required: false }] }], appearance: [{ type: i0.Input, args: [{ isSignal: true, alias: "appearance", required: false }] }], texts: [{ type: i0.Input, args: [{ isSignal: true, alias: "texts", required: false }] }], disabled: [{ type: i0.Input, args: [{ isSignal: true, alias: "disabled", required: false }] }], renewSession: [{ type: i0.Input, args: [{ isSignal: true, alias: "renewSession", required: false }] }], release: [{ type: i0.Input, args: [{ isSignal: true, alias: "release", required: false }] }], integrity: [{ type: i0.Input, args: [{ isSignal: true, alias: "integrity", required: false }] }], fieldsIntegrity: [{ type: i0.Input, args: [{ isSignal: true, alias: "fieldsIntegrity", required: false }] }], nonce: [{ type: i0.Input, args: [{ isSignal: true, alias: "nonce", required: false }] }] } });
/** `<payment-field>`, for a `<payment-form layout="fields">` whose `id` is `for`. */
export class PaymentField {
    name = input.required(...(ngDevMode ? [{ debugName: "name" }] : []));
    for = input.required(...(ngDevMode ? [{ debugName: "for" }] : []));
    placeholder = input(...(ngDevMode ? [undefined, { debugName: "placeholder" }] : []));
    errors = input(...(ngDevMode ? [undefined, { debugName: "errors" }] : []));
    label = input(...(ngDevMode ? [undefined, { debugName: "label" }] : []));
    disabled = input(...(ngDevMode ? [undefined, { debugName: "disabled" }] : []));
    attributes = computed(() => fieldAttributes({ name: this.name(), for: this.for(), placeholder: this.placeholder(), errors: this.errors(), label: this.label(), disabled: this.disabled() }), ...(ngDevMode ? [{ debugName: "attributes" }] : []));
    element = inject(ElementRef).nativeElement;
    focus() {
        this.element.focus();
    }
    static ɵfac = i0.ɵɵngDeclareFactory({ minVersion: "12.0.0", version: "20.3.35", ngImport: i0, type: PaymentField, deps: [], target: i0.ɵɵFactoryTarget.Component });
    static ɵcmp = i0.ɵɵngDeclareComponent({ minVersion: "17.1.0", version: "20.3.35", type: PaymentField, isStandalone: true, selector: "payment-field", inputs: { name: { classPropertyName: "name", publicName: "name", isSignal: true, isRequired: true, transformFunction: null }, for: { classPropertyName: "for", publicName: "for", isSignal: true, isRequired: true, transformFunction: null }, placeholder: { classPropertyName: "placeholder", publicName: "placeholder", isSignal: true, isRequired: false, transformFunction: null }, errors: { classPropertyName: "errors", publicName: "errors", isSignal: true, isRequired: false, transformFunction: null }, label: { classPropertyName: "label", publicName: "label", isSignal: true, isRequired: false, transformFunction: null }, disabled: { classPropertyName: "disabled", publicName: "disabled", isSignal: true, isRequired: false, transformFunction: null } }, host: { properties: { "attr.name": "attributes()[\"name\"]", "attr.for": "attributes()[\"for\"]", "attr.placeholder": "attributes()[\"placeholder\"]", "attr.errors": "attributes()[\"errors\"]", "attr.label": "attributes()[\"label\"]", "attr.disabled": "attributes()[\"disabled\"]" } }, exportAs: ["paymentField"], ngImport: i0, template: '', isInline: true, changeDetection: i0.ChangeDetectionStrategy.OnPush });
}
i0.ɵɵngDeclareClassMetadata({ minVersion: "12.0.0", version: "20.3.35", ngImport: i0, type: PaymentField, decorators: [{
            type: Component,
            args: [{
                    selector: 'payment-field',
                    template: '',
                    changeDetection: ChangeDetectionStrategy.OnPush,
                    exportAs: 'paymentField',
                    host: {
                        '[attr.name]': 'attributes()["name"]',
                        '[attr.for]': 'attributes()["for"]',
                        '[attr.placeholder]': 'attributes()["placeholder"]',
                        '[attr.errors]': 'attributes()["errors"]',
                        '[attr.label]': 'attributes()["label"]',
                        '[attr.disabled]': 'attributes()["disabled"]',
                    },
                }]
        }], propDecorators: { name: [{ type: i0.Input, args: [{ isSignal: true, alias: "name", required: true }] }], for: [{ type: i0.Input, args: [{ isSignal: true, alias: "for", required: true }] }], placeholder: [{ type: i0.Input, args: [{ isSignal: true, alias: "placeholder", required: false }] }], errors: [{ type: i0.Input, args: [{ isSignal: true, alias: "errors", required: false }] }], label: [{ type: i0.Input, args: [{ isSignal: true, alias: "label", required: false }] }], disabled: [{ type: i0.Input, args: [{ isSignal: true, alias: "disabled", required: false }] }] } });
