/**
 * Payframe's separate fields for the merchant's page: `<payment-field>`. Load it beside `payframe.js`, in either order.
 *
 * ```html
 * <script type="module" src="https://gateway.example/sdk/payframe.js"></script>
 * <script type="module" src="https://gateway.example/sdk/fields.js"></script>
 *
 * <label for="number">Card number</label>
 * <payment-field id="number" name="CARD_NUMBER" for="pay"></payment-field>
 * <payment-form id="pay" layout="fields" gateway="https://gateway.example" session="…"></payment-form>
 * ```
 *
 * Each element shows one input in a frame of the gateway. The form's events and those of the
 * field itself tell what happens in it. Importing the module on a server does no harm.
 *
 * Style: the element is a block, 48 px high; the page can set its height. Each state is a custom state, `payment-field:state(invalid)`, a class,
 * `is-invalid`, and a word of an attribute, `[data-state~="invalid"]`: `ready`, `empty` or `filled`, `complete`, `invalid`, `focused`, `unused`.
 * Until the module is loaded: `payment-field:not(:defined) { display: block; height: 48px }`. `docs/fields.md` describes everything.
 */

import type { FieldId } from './payframe.js';

/** The state of one field, without its value. */
export interface FieldChangeDetail {
  empty: boolean;
  /** It holds a valid value. */
  complete: boolean;
  /** Stable code of the message; `undefined` if there is none. */
  error: string | undefined;
  /** The message in the buyer's language; `''` if there is none. */
  message: string;
  /** The form does not ask for it now, as with a saved card: it takes no input, and the page may hide it. */
  unused: boolean;
}

/** The events do not bubble and are not composed. */
export interface PaymentFieldEventMap {
  /** The state of the field has changed. */
  change: CustomEvent<FieldChangeDetail>;
  focus: CustomEvent<null>;
  blur: CustomEvent<null>;
}

/** `<payment-field>`. Each attribute is a property of the same name. A change of one loads the field again. */
export interface PaymentFieldElement extends HTMLElement {
  /** Which field. */
  name: FieldId | '';
  /** Id of the `<payment-form layout="fields">`, which is looked for in the field's own root, then in the document. */
  for: string;
  /** Whether the gateway's placeholder is shown. Default `on`. */
  placeholder: 'on' | 'off' | '';
  /** Default `outside`: the page shows `error`. `inside`: the field's frame shows it, and the element grows by its height. */
  errors: 'outside' | 'inside' | '';
  /** The field's accessible name. Default: the text of the element's labels, then the gateway's own. */
  label: string;

  /** The message in the buyer's language; `''` if there is none. */
  readonly error: string;
  /** The page's own form around it: Enter submits this form. Nothing of the field is sent with it. */
  readonly form: HTMLFormElement | null;
  readonly labels: NodeListOf<HTMLLabelElement>;

  /** Puts the focus into the field, as a click on its label does. */
  focus(): void;

  addEventListener<K extends keyof PaymentFieldEventMap>(
    type: K,
    listener: (this: PaymentFieldElement, event: PaymentFieldEventMap[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener<K extends Exclude<keyof HTMLElementEventMap, keyof PaymentFieldEventMap>>(
    type: K,
    listener: (this: PaymentFieldElement, event: HTMLElementEventMap[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | AddEventListenerOptions): void;
  removeEventListener<K extends keyof PaymentFieldEventMap>(
    type: K,
    listener: (this: PaymentFieldElement, event: PaymentFieldEventMap[K]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener<K extends Exclude<keyof HTMLElementEventMap, keyof PaymentFieldEventMap>>(
    type: K,
    listener: (this: PaymentFieldElement, event: HTMLElementEventMap[K]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | EventListenerOptions): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'payment-field': PaymentFieldElement;
  }
}
