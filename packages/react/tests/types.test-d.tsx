/** What pages may write, and what the types refuse. Checked by tsc; never run. */

import { useRef } from 'react';
import { isPayframeError, PaymentField, PaymentForm } from '@payframe/react';
import type { FormHandle, Outcome, PaymentFieldElement, PaymentFormElement } from '@payframe/react';

const address = 'https://gateway.example';

export function Page({ html }: { html: string }) {
  const form = useRef<FormHandle>(null);
  const field = useRef<PaymentFieldElement>(null);
  async function pay() {
    try {
      const outcome: Outcome | undefined = (await form.current?.confirm({ signal: AbortSignal.timeout(1000) }))?.outcome;
      if (outcome === 'declined') return;
      await form.current?.update({ theme: 'dark', session: 's' });
      await form.current?.setServerError({ field: 'CARD_NUMBER', code: 'card_number_declined' });
      const element: PaymentFormElement | null | undefined = form.current?.element;
      element?.reload();
    } catch (error) {
      if (isPayframeError(error)) console.log(error.code);
    }
  }
  return (
    <>
      <PaymentForm ref={form} gateway={address} session="s" id="pay" layout="fields" appearance={{ theme: 'minimal' }} onChange={({ complete }) => complete} onResult={({ final }) => final && pay()}>
        <p>Call us.</p>
      </PaymentForm>
      <PaymentForm html={html} locale="it" onFocus={({ field }) => field.length} onReady={() => {}} data-test="x" />
      <PaymentField ref={field} name="CARD_NUMBER" for="pay" onChange={({ message, error }) => [message.length, error]} />
      {/* @ts-expect-error a form needs a session */}
      <PaymentForm gateway={address} />
      {/* @ts-expect-error either a session or the printed form */}
      <PaymentForm html={html} session="s" />
      {/* @ts-expect-error the printed frame is in the place of children */}
      <PaymentForm html={html}>text</PaymentForm>
      {/* @ts-expect-error no such option */}
      <PaymentForm gateway={address} session="s" theme="blue" />
      {/* @ts-expect-error no such field */}
      <PaymentField name="PIN" for="pay" />
    </>
  );
}
