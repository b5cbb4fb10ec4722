/** The tags in Preact's JSX. Checked by tsc; never run. */

import type {} from '@payframe/form/preact';
import { useRef } from 'preact/hooks';
import type { PaymentFormElement } from '@payframe/form';

export function Page() {
  const form = useRef<PaymentFormElement>(null);
  return (
    <>
      <payment-field name="CARD_NUMBER" for="pay" class="input" onchange={({ detail }) => detail.message.length} />
      <payment-form ref={form} id="pay" gateway="https://gateway.example" session="s" onresult={({ detail }) => detail.outcome} onready={() => form.current?.focus()}>
        <p>Call us.</p>
      </payment-form>
      {/* @ts-expect-error no such theme */}
      <payment-form gateway="https://gateway.example" session="s" theme="blue" />
    </>
  );
}
