/** The tags in HTML, in Vue's templates and in Svelte's components. Checked by tsc; never run. */

import type {} from '@payframe/form/svelte';
import type {} from '@payframe/form/vue';
import type { SvelteHTMLElements } from 'svelte/elements';
import type { GlobalComponents } from 'vue';
import { loadPayframe, PayframeError } from '@payframe/form';
import type { Outcome, PaymentFieldElement, PaymentFormElement, ResultDetail } from '@payframe/form';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <T extends true>(_?: T) => {};

const form = document.createElement('payment-form');
holds<Same<typeof form, PaymentFormElement>>();
const field = document.createElement('payment-field');
holds<Same<typeof field, PaymentFieldElement>>();

const svelte: SvelteHTMLElements['payment-form'] = {
  gateway: 'https://gateway.example', session: 's', class: 'pay', onresult: ({ detail }) => holds<Same<typeof detail, ResultDetail>>(),
};
const svelteField: SvelteHTMLElements['payment-field'] = { name: 'CARD_NUMBER', for: 'pay', onchange: ({ detail }) => detail.message.length };
// @ts-expect-error no such theme
const svelteWrong: SvelteHTMLElements['payment-form'] = { theme: 'blue' };

type VueProps<Tag extends keyof GlobalComponents> = InstanceType<GlobalComponents[Tag]>['$props'];
const vue: VueProps<'payment-form'> = { gateway: 'https://gateway.example', session: 's', class: 'pay', onResult: ({ detail }) => holds<Same<typeof detail.outcome, Outcome>>() };
const vueField: VueProps<'payment-field'> = { name: 'CARD_NUMBER', for: 'pay' };
// @ts-expect-error no such field
const vueWrong: VueProps<'payment-field'> = { name: 'PIN' };
export const all = [svelte, svelteField, svelteWrong, vue, vueField, vueWrong];

export async function script() {
  const { form } = await loadPayframe('https://gateway.example', { integrity: 'sha384-x', release: '0.1.0', nonce: 'n' });
  // @ts-expect-error no such option
  form({ them: 'dark' });
  // @ts-expect-error no such option
  await loadPayframe('https://gateway.example', { hash: 'x' });
  return new PayframeError('aborted', 'Withdrawn.').code;
}
