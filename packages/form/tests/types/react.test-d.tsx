/** The tags in React's JSX. Checked by tsc; never run. */

import type {} from '@payframe/form/react';
import { useRef } from 'react';
import type { PaymentFieldElement, PaymentFormElement } from '@payframe/form';

export function Tags() {
  const form = useRef<PaymentFormElement>(null);
  const field = useRef<PaymentFieldElement>(null);
  return (
    <>
      <payment-field ref={field} name="CARD_NUMBER" for="pay" errors="inside" className="input" />
      <payment-form ref={form} id="pay" gateway="https://gateway.example" session="s" layout="fields" loadTimeoutMs={5000} class="pay" onClick={() => form.current?.confirm()}>
        <p>Call us to pay.</p>
      </payment-form>
      {/* @ts-expect-error no such layout */}
      <payment-form gateway="https://gateway.example" session="s" layout="rows" />
      {/* @ts-expect-error no such field */}
      <payment-field name="PIN" for="pay" />
    </>
  );
}
