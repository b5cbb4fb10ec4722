/**
 * Payframe's form for Svelte 5.
 *
 * ```svelte
 * <PaymentForm gateway="https://gateway.example" {session} onresult={({ outcome }) => show(outcome)} />
 * ```
 */

import type { Component, Snippet } from 'svelte';
import type { HTMLAttributes } from 'svelte/elements';
import type { ComponentOptions, FieldOptions, FormHandle } from '@payframe/form/adapter';
import type { PaymentFieldElement, PaymentFieldEventMap, PaymentFormElement, PaymentFormEventMap } from '@payframe/form';

export { isPayframeError, PayframeError } from '@payframe/form';
export type {
  Appearance, ChangeDetail, ErrorDetail, ExpiringDetail, FieldError, FieldChangeDetail, FieldDetail, FieldId, FlowState, Outcome, PayframeErrorCode, PaymentFieldElement,
  PaymentFormElement, ResizeDetail, ResultDetail, StateChangeDetail,
} from '@payframe/form';

/** `event` is absent where nothing was dispatched: the script did not load, or the form was ready before the component was mounted. */
export type PaymentFormCallbacks = {
  [K in keyof PaymentFormEventMap as `on${K}`]?: ((detail: PaymentFormEventMap[K]['detail'], event?: PaymentFormEventMap[K]) => void) | undefined;
};

/** The form is named by gateway and session, or printed by the gateway. */
export type PaymentFormSource =
  | {
      gateway: string;
      session: string;
      html?: undefined;
      /** Shown if the form can not load. */
      children?: Snippet | undefined;
    }
  | {
      /** The member `form.html` of the answer to `POST /orders/build`. It comes from your server, never from a buyer. */
      html: string;
      gateway?: undefined;
      session?: undefined;
      children?: undefined;
    };

type HostProps<Element extends EventTarget, Own> = Omit<HTMLAttributes<Element>, keyof Own | 'children' | 'nonce'>;

export type PaymentFormProps = HostProps<PaymentFormElement, PaymentFormCallbacks & ComponentOptions> &
  PaymentFormCallbacks &
  Omit<ComponentOptions, 'gateway' | 'session' | 'html'> &
  PaymentFormSource;

/** What `bind:this` of a form gives. */
export interface PaymentForm extends Omit<FormHandle, 'element'> {
  /** The element itself. */
  element(): PaymentFormElement | null;
}
export const PaymentForm: Component<PaymentFormProps, PaymentForm>;

export type PaymentFieldCallbacks = {
  [K in keyof PaymentFieldEventMap as `on${K}`]?: ((detail: PaymentFieldEventMap[K]['detail'], event: PaymentFieldEventMap[K]) => void) | undefined;
};

export type PaymentFieldProps = HostProps<PaymentFieldElement, PaymentFieldCallbacks & FieldOptions> & PaymentFieldCallbacks & FieldOptions;

/** What `bind:this` of a field gives. */
export interface PaymentField {
  focus(): void;
  /** The element itself. */
  element(): PaymentFieldElement | null;
}
export const PaymentField: Component<PaymentFieldProps, PaymentField>;
