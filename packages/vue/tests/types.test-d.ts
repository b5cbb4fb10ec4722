/** What templates may write, and what the types refuse. Checked by tsc; never run. The matrix of frameworks checks whole templates. */

import { h, useTemplateRef } from 'vue';
import { isPayframeError, PaymentField, PaymentForm } from '@payframe/vue';
import type { FormHandle, Outcome } from '@payframe/vue';

const gateway = 'https://gateway.example';
const form = useTemplateRef<FormHandle>('form');

export async function pay() {
  try {
    const outcome: Outcome | undefined = (await form.value?.confirm())?.outcome;
    await form.value?.update({ theme: 'dark' });
    return outcome;
  } catch (error) {
    return isPayframeError(error) ? error.code : '';
  }
}

type Props<Component extends new () => { $props: object }> = InstanceType<Component>['$props'];
const props: Props<typeof PaymentForm>[] = [
  { gateway, session: 's', layout: 'fields', appearance: { theme: 'minimal' }, class: 'card', onResult: ({ final }) => final, onError: ({ code }) => code.length },
  { html: '<payment-form>', locale: 'it' },
  // @ts-expect-error a form needs a session
  { gateway },
  // @ts-expect-error either a session or the printed form
  { html: '<payment-form>', session: 's' },
  // @ts-expect-error no such option
  { gateway, session: 's', theme: 'blue' },
];
const fields: Props<typeof PaymentField>[] = [
  { name: 'CARD_NUMBER', for: 'pay', onChange: ({ message }) => message.length },
  // @ts-expect-error no such field
  { name: 'PIN', for: 'pay' },
];
export const vnodes = [h(PaymentForm, { gateway, session: 's' }), h(PaymentField, { name: 'CARD_NUMBER', for: 'pay' }), props, fields];
