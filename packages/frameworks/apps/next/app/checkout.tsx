'use client';

import { useState } from 'react';
import { PaymentForm, type ResultDetail } from '@payframe/react';

type Source = { gateway: string; session: string } | { html: string };

export function Checkout({ form, orderId }: { form: Source; orderId: string }) {
  const [status, setStatus] = useState('');
  async function onResult({ final }: ResultDetail) {
    if (!final) return;
    const answer = await fetch(`/order?id=${orderId}`);
    setStatus((await answer.json()).status);
  }
  return (
    <section aria-label="Payment">
      <PaymentForm {...form} className="card" onResult={onResult} />
      <p role="status">{status}</p>
    </section>
  );
}
