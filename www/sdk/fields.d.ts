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
 * Each element shows one input in a frame of the gateway. What happens in it is told by the form's events, and by those of the
 * field itself. Importing the module on a server is harmless.
 *
 * Looks: the element is a block, 48 px high; style its height. The states are `payment-field:state(invalid)`, the class
 * `is-invalid`, and `[data-state~="invalid"]`: `ready`, `empty` or `filled`, `complete`, `invalid`, `focused`.
 * Before the module has arrived: `payment-field:not(:defined) { display: block; height: 48px }`. All of it is in `docs/fields.md`.
 */

import type { FieldId } from './payframe.js';

/** How one field stands. Never its value. */
export interface FieldChangeDetail {
  empty: boolean;
  /** It holds a valid value. */
  complete: boolean;
  /** Stable code of the message, if there is one. */
  error: string | undefined;
  /** That message in the buyer's language, else `''`. */
  message: string;
}

/** None bubbles and none is composed. */
export interface PaymentFieldEventMap {
  /** Something that the buyer entered changed how the field stands. */
  change: CustomEvent<FieldChangeDetail>;
  focus: CustomEvent<null>;
  blur: CustomEvent<null>;
}

/** `<payment-field>`. Each attribute is a property of the same name. A change of one loads the field anew. */
export interface PaymentFieldElement extends HTMLElement {
  /** Which field. */
  name: FieldId | '';
  /** Id of the `<payment-form layout="fields">`, which is looked for in the field's own root, then in the document. */
  for: string;
  /** Whether the gateway's placeholder is shown. Default `on`. */
  placeholder: 'on' | 'off' | '';
  /** Default `outside`: the page shows `error`. `inside`: it stands in the field's frame, and the element grows by it. */
  errors: 'outside' | 'inside' | '';
  /** The field's accessible name. Default: the text of the element's labels, then the gateway's own. */
  label: string;

  /** The message in the buyer's language, else `''`. */
  readonly error: string;
  /** The page's own form around it: Enter submits that one. Nothing of the field is sent with it. */
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
