import { useState } from 'react';
import { PaymentForm, type ResultDetail } from '@payframe/react';

export interface Payment {
  gateway: string;
  session: string;
  orderId: string;
}

/** What the shop's server has heard from the gateway. */
export async function orderStatus(orderId: string): Promise<string> {
  const answer = await fetch(`/order?id=${orderId}`);
  return (await answer.json()).status;
}

export function Checkout({ gateway, session, orderId }: Payment) {
  const [status, setStatus] = useState('');
  async function onResult({ final }: ResultDetail) {
    if (final) setStatus(await orderStatus(orderId));
  }
  return (
    <section aria-label="Payment">
      <PaymentForm gateway={gateway} session={session} appearance={{ variables: { radius: 4 } }} onResult={onResult}>
        <p>The card form can not be shown here. Call us to pay.</p>
      </PaymentForm>
      <p role="status">{status}</p>
    </section>
  );
}
