/** The tags in Solid's JSX. Checked by tsc; never run. */

import type {} from '@payframe/form/solid';
import type { PaymentFormElement } from '@payframe/form';

export function Page() {
  let form!: PaymentFormElement;
  return (
    <>
      <payment-field name="CARD_NUMBER" for="pay" class="input" on:change={({ detail }) => detail.message.length} />
      <payment-form ref={form} id="pay" gateway="https://gateway.example" session="s" on:result={({ detail }) => detail.outcome}>
        <p>Call us.</p>
      </payment-form>
      {/* @ts-expect-error no such theme */}
      <payment-form gateway="https://gateway.example" session="s" theme="blue" />
      <button onClick={() => form.confirm()}>Pay</button>
    </>
  );
}
