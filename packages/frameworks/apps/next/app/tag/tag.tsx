'use client';

import type {} from '@payframe/form/react';
import type { PaymentFormElement } from '@payframe/form';
import { useEffect, useRef, useState } from 'react';

export function Tag({ gateway, session, orderId }: { gateway: string; session: string; orderId: string }) {
  const form = useRef<PaymentFormElement>(null);
  const [status, setStatus] = useState('');
  useEffect(() => {
    const listening = new AbortController();
    const ask = async () => {
      const answer = await fetch(`/order?id=${orderId}`);
      setStatus((await answer.json()).status);
    };
    form.current?.addEventListener('result', ({ detail }) => void (detail.final && ask()), { signal: listening.signal });
    return () => listening.abort();
  }, [orderId]);
  return (
    <section aria-label="Payment">
      <payment-form ref={form} gateway={gateway} session={session} />
      <p role="status">{status}</p>
    </section>
  );
}
