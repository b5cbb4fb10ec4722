/** The elements in JSX of React 18 and 19. `import type {} from '@payframe/form/react'` adds them. `@payframe/react` has components, with events. */

import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { PaymentFieldElement } from '../sdk/fields.js';
import type { PaymentFormElement } from '../sdk/payframe.js';
import type { PaymentFieldAttributes, PaymentFormAttributes } from './attributes.js';

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'payment-form': DetailedHTMLProps<HTMLAttributes<PaymentFormElement>, PaymentFormElement> & PaymentFormAttributes & { class?: string | undefined };
      'payment-field': DetailedHTMLProps<HTMLAttributes<PaymentFieldElement>, PaymentFieldElement> & PaymentFieldAttributes & { class?: string | undefined };
    }
  }
}
