/** The elements in components of Svelte. `import type {} from '@payframe/form/svelte'` adds them. `@payframe/svelte` has components. */

import type { HTMLAttributes } from 'svelte/elements';
import type { PaymentFieldElement, PaymentFieldEventMap } from '../sdk/fields.js';
import type { PaymentFormElement, PaymentFormEventMap } from '../sdk/payframe.js';
import type { PaymentFieldAttributes, PaymentFormAttributes } from './attributes.js';

type Listeners<Events> = { [K in keyof Events & string as `on${K}`]?: (event: Events[K]) => unknown };
type Base<Element extends EventTarget, Events> = Omit<HTMLAttributes<Element>, keyof Listeners<Events> | keyof PaymentFormAttributes | keyof PaymentFieldAttributes>;

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'payment-form': Base<PaymentFormElement, PaymentFormEventMap> & PaymentFormAttributes & Listeners<PaymentFormEventMap>;
    'payment-field': Base<PaymentFieldElement, PaymentFieldEventMap> & PaymentFieldAttributes & Listeners<PaymentFieldEventMap>;
  }
}
