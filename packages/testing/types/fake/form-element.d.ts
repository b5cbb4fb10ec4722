/** The fake `<payment-form>`: attributes, properties and methods, as in `payframe.d.ts`; what it does is in `machine.js`. */
import { Machine } from './machine.js';
import type { FormOptions, PaymentFormElement } from '@payframe/form';
import type { Settings } from './machine.js';
export type Properties = Required<FormOptions> & {
    gateway: string;
    appearance: string;
    texts: string;
};
/** The form of a fake element. @param {PaymentFormElement} element @returns {Machine} */
export declare function machineOf(element: PaymentFormElement): Machine;
/** The class of the element, for one window. @param {Window & typeof globalThis} window @param {Settings} settings @returns {CustomElementConstructor} */
export declare function formClass(window: Window & typeof globalThis, settings: Settings): CustomElementConstructor;
