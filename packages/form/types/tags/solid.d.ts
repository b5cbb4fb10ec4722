/** The elements in JSX of Solid. `import type {} from '@payframe/form/solid'` adds them. */

import type { JSX } from 'solid-js';
import type { PaymentFieldElement, PaymentFieldEventMap } from '../sdk/fields.js';
import type { PaymentFormElement, PaymentFormEventMap } from '../sdk/payframe.js';
import type { PaymentFieldAttributes, PaymentFormAttributes } from './attributes.js';

/** Solid adds listeners for `on:result`. */
type Listeners<Events> = { [K in keyof Events & string as `on:${K}`]?: (event: Events[K]) => unknown };
type Base<Element> = Omit<JSX.HTMLAttributes<Element>, keyof Listeners<PaymentFormEventMap> | keyof PaymentFormAttributes | keyof PaymentFieldAttributes>;

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements {
      'payment-form': Base<PaymentFormElement> & PaymentFormAttributes & Listeners<PaymentFormEventMap>;
      'payment-field': Base<PaymentFieldElement> & PaymentFieldAttributes & Listeners<PaymentFieldEventMap>;
    }
  }
}
