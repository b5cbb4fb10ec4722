// @ts-check
/** Payframe's form as components for Svelte 5. The types are in `types/index.d.ts`. */

export { isPayframeError, PayframeError } from '@payframe/form';
export { default as PaymentField } from './PaymentField.svelte';
export { default as PaymentForm } from './PaymentForm.svelte';
