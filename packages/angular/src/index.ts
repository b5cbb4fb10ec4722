/**
 * Payframe's form as components for Angular: options are inputs, events are the element's own, calls are methods.
 *
 * The components are the elements themselves: `<payment-form>` and `<payment-field>` in a template. So `(result)="…"` is the event of the
 * element, whose `$event.detail` has its type. A server renders the element as it is; the gateway's script is loaded in the browser.
 */

import { afterNextRender, ChangeDetectionStrategy, Component, computed, DestroyRef, effect, ElementRef, inject, input, untracked } from '@angular/core';
import { fieldAttributes, formAttributes, formHandle, startForm, type ComponentOptions } from '@payframe/form/adapter';
import type { AppearanceOption, FieldId, PaymentFieldElement, PaymentFormElement } from '@payframe/form';

export { isPayframeError, PayframeError } from '@payframe/form';
export type {
  Appearance, AppearanceOption, ChangeDetail, ErrorDetail, ExpiringDetail, FieldError, FieldChangeDetail, FieldDetail, FieldId, FlowState, Outcome, PayframeErrorCode, PaymentFieldElement,
  PaymentFormElement, ResizeDetail, ResultDetail, StateChangeDetail,
} from '@payframe/form';

/** `<payment-form>`. Its content is shown if the form can not load. */
@Component({
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
})
export class PaymentForm {
  /** Origin of the gateway. */
  readonly gateway = input<string>();
  /** Id of `POST /orders/build`. Another one loads the form again; `update({ session })` changes it in place. */
  readonly session = input<string>();
  /** The member `form.html` of the answer to `POST /orders/build`, in place of gateway and session. */
  readonly html = input<string>();
  readonly layout = input<'form' | 'fields'>();
  readonly label = input<string>();
  readonly loadTimeoutMs = input<number>();
  readonly theme = input<'auto' | 'light' | 'dark'>();
  readonly button = input<'auto' | 'hidden'>();
  readonly cancellation = input<'auto' | 'hidden'>();
  readonly advance = input<'auto' | 'off'>();
  readonly challenge = input<'auto' | 'redirect'>();
  readonly locale = input<string>();
  readonly appearance = input<AppearanceOption>();
  readonly texts = input<string | Record<string, string>>();
  readonly disabled = input<boolean>();
  /** Gives another session when this one ends. */
  readonly renewSession = input<() => string | Promise<string>>();
  /** How the gateway's scripts are loaded, as in `loadPayframe` of `@payframe/form`. */
  readonly release = input<string>();
  readonly integrity = input<string>();
  readonly fieldsIntegrity = input<string>();
  readonly nonce = input<string>();

  protected readonly attributes = computed(() => formAttributes(this.#options()));
  /** What decides which scripts are loaded. */
  readonly #scripts = computed(() => [this.gateway(), this.html(), this.layout(), this.release(), this.integrity(), this.fieldsIntegrity(), this.nonce()]);
  readonly #element = inject<ElementRef<PaymentFormElement>>(ElementRef).nativeElement;
  #isPresent = false;
  readonly #handle = formHandle(() => (this.#isPresent ? this.#element : null), () => untracked(() => this.#options()));

  readonly confirm = this.#handle.confirm;
  readonly cancel = this.#handle.cancel;
  readonly clear = this.#handle.clear;
  readonly focus = this.#handle.focus;
  readonly validate = this.#handle.validate;
  readonly setServerError = this.#handle.setServerError;
  readonly update = this.#handle.update;
  readonly refresh = this.#handle.refresh;
  readonly reload = this.#handle.reload;
  readonly whenReady = this.#handle.whenReady;

  constructor() {
    let forget = () => {};
    inject(DestroyRef).onDestroy(() => {
      this.#isPresent = false;
      forget();
    });
    const isBrowser = typeof document !== 'undefined' && typeof this.#element.addEventListener === 'function';
    if (!isBrowser) return;
    let heardReady = false;
    this.#element.addEventListener('ready', () => (heardReady = true));
    effect(() => {
      this.#element.renewSession = this.renewSession();
    });
    afterNextRender(() => {
      this.#isPresent = true;
      // The page's own tag may have loaded the script before Angular came.
      if (!heardReady && /\bready\b/.test(this.#element.dataset['state'] ?? '')) this.#dispatch('ready', null);
    });
    effect(() => {
      this.#scripts();
      forget();
      forget = startForm(untracked(() => this.#options()), (type, detail) => this.#dispatch(type, detail));
    });
  }

  /** The element itself; `null` while it is not in the page. */
  get element(): PaymentFormElement | null {
    return this.#handle.element;
  }

  #dispatch(type: string, detail: unknown) {
    this.#element.dispatchEvent(new CustomEvent(type, { detail, cancelable: true }));
  }

  #options(): ComponentOptions {
    return {
      gateway: this.gateway(), session: this.session(), html: this.html(), layout: this.layout(), label: this.label(), loadTimeoutMs: this.loadTimeoutMs(), theme: this.theme(),
      button: this.button(), cancellation: this.cancellation(), advance: this.advance(), challenge: this.challenge(), locale: this.locale(), appearance: this.appearance(), texts: this.texts(),
      disabled: this.disabled(), release: this.release(), integrity: this.integrity(), fieldsIntegrity: this.fieldsIntegrity(), nonce: this.nonce(),
    };
  }
}

/** `<payment-field>`, for a `<payment-form layout="fields">` whose `id` is `for`. */
@Component({
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
})
export class PaymentField {
  readonly name = input.required<FieldId>();
  readonly for = input.required<string>();
  readonly placeholder = input<'on' | 'off'>();
  readonly errors = input<'outside' | 'inside'>();
  readonly label = input<string>();
  readonly disabled = input<boolean>();

  protected readonly attributes = computed(() =>
    fieldAttributes({ name: this.name(), for: this.for(), placeholder: this.placeholder(), errors: this.errors(), label: this.label(), disabled: this.disabled() }));

  readonly element = inject<ElementRef<PaymentFieldElement>>(ElementRef).nativeElement;

  focus() {
    this.element.focus();
  }
}
