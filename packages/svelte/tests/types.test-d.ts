/** What pages may write, and what the types refuse. Checked by tsc; never run. The matrix of frameworks checks whole components. */

import type { ComponentProps } from 'svelte';
import { isPayframeError, PaymentField, PaymentForm } from '@payframe/svelte';
import type { Outcome } from '@payframe/svelte';

const gateway = 'https://gateway.example';

export async function pay(form: PaymentForm, field: PaymentField) {
  try {
    const { outcome } = await form.confirm();
    await form.update({ theme: 'dark' });
    field.focus();
    return outcome satisfies Outcome;
  } catch (error) {
    return isPayframeError(error) ? error.code : form.element()?.session;
  }
}

export const props: ComponentProps<typeof PaymentForm>[] = [
  { gateway, session: 's', layout: 'fields', appearance: { theme: 'minimal' }, class: 'card', onresult: ({ final }) => final, onerror: ({ code }) => code.length },
  { html: '<payment-form>', locale: 'it' },
  // @ts-expect-error a form needs a session
  { gateway },
  // @ts-expect-error either a session or the printed form
  { html: '<payment-form>', session: 's' },
  // @ts-expect-error no such option
  { gateway, session: 's', theme: 'blue' },
];
export const fields: ComponentProps<typeof PaymentField>[] = [
  { name: 'CARD_NUMBER', for: 'pay', onchange: ({ message }) => message.length },
  // @ts-expect-error no such field
  { name: 'PIN', for: 'pay' },
];
