/**
 * The elements in templates of Vue. `import type {} from '@payframe/form/vue'` adds them; the compiler has to know that they are elements
 * (`compilerOptions.isCustomElement`). `@payframe/vue` has components.
 */

import type { DefineComponent, HTMLAttributes } from 'vue';
import type { PaymentFieldEventMap } from '../sdk/fields.js';
import type { PaymentFormEventMap } from '../sdk/payframe.js';
import type { PaymentFieldAttributes, PaymentFormAttributes } from './attributes.js';

type Listeners<Events> = { [K in keyof Events & string as `on${Capitalize<K>}`]?: (event: Events[K]) => unknown };
type Tag<Attributes, Events> = DefineComponent<Omit<HTMLAttributes, keyof Listeners<Events> | keyof Attributes> & Attributes & Listeners<Events>>;

declare module 'vue' {
  interface GlobalComponents {
    'payment-form': Tag<PaymentFormAttributes, PaymentFormEventMap>;
    'payment-field': Tag<PaymentFieldAttributes, PaymentFieldEventMap>;
  }
}
