/** The fake `<payment-field>`, as in `fields.d.ts`: it follows the fake form that `for` names. */
import type { PaymentFieldElement } from '@payframe/form';
export type Properties = Pick<PaymentFieldElement, 'name' | 'for' | 'placeholder' | 'errors' | 'label'>;
/** @typedef {Pick<PaymentFieldElement, 'name' | 'for' | 'placeholder' | 'errors' | 'label'>} Properties defined from `ATTRIBUTES` */
/** The class of the element, for one window. @param {Window & typeof globalThis} window @returns {CustomElementConstructor} */
export declare function fieldClass(window: Window & typeof globalThis): CustomElementConstructor;
