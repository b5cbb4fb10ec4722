/** The elements in JSX of Preact. `import type {} from '@payframe/form/preact'` adds them. */

import type { JSX } from 'preact';
import type { PaymentFieldElement, PaymentFieldEventMap } from '../sdk/fields.js';
import type { PaymentFormElement, PaymentFormEventMap } from '../sdk/payframe.js';
import type { PaymentFieldAttributes, PaymentFormAttributes } from './attributes.js';

/** Preact listens to the event `result` for `onresult`. */
type Listeners<Events, Element> = { [K in keyof Events & string as `on${K}`]?: (this: Element, event: Events[K]) => unknown };
type Base<Element extends EventTarget, Events> = Omit<JSX.HTMLAttributes<Element>, keyof Listeners<Events, Element> | keyof PaymentFormAttributes | keyof PaymentFieldAttributes>;

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'payment-form': Base<PaymentFormElement, PaymentFormEventMap> & PaymentFormAttributes & Listeners<PaymentFormEventMap, PaymentFormElement>;
      'payment-field': Base<PaymentFieldElement, PaymentFieldEventMap> & PaymentFieldAttributes & Listeners<PaymentFieldEventMap, PaymentFieldElement>;
    }
  }
}
