/** The elements in JSX of Preact. `import type {} from '@payframe/form/preact'` adds them. */

import type { JSX, Ref } from 'preact';
import type { PaymentFieldElement, PaymentFieldEventMap } from '../sdk/fields.js';
import type { PaymentFormElement, PaymentFormEventMap } from '../sdk/payframe.js';
import type { PaymentFieldAttributes, PaymentFormAttributes } from './attributes.js';

/** Preact listens to the event `result` for `onresult`. */
type Listeners<Events, Element> = { [K in keyof Events & string as `on${K}`]?: (this: Element, event: Events[K]) => unknown };
/** What every element has: Preact 10 and 11 keep the interface in different places. */
type Base<Element, Own> = Omit<JSX.IntrinsicElements['div'], 'ref' | keyof Own> & Own & { ref?: Ref<Element> | undefined };

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'payment-form': Base<PaymentFormElement, PaymentFormAttributes & Listeners<PaymentFormEventMap, PaymentFormElement>>;
      'payment-field': Base<PaymentFieldElement, PaymentFieldAttributes & Listeners<PaymentFieldEventMap, PaymentFieldElement>>;
    }
  }
}
