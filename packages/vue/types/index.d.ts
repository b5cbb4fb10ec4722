/**
 * Payframe's form for Vue 3.
 *
 * ```vue
 * <PaymentForm gateway="https://gateway.example" :session="session" @result="({ outcome }) => show(outcome)" />
 * ```
 */

import type { AllowedComponentProps, ComponentCustomProps, VNode, VNodeProps } from 'vue';
import type { ComponentOptions, FieldOptions, FormHandle } from '@payframe/form/adapter';
import type { PaymentFieldElement, PaymentFieldEventMap, PaymentFormEventMap } from '@payframe/form';

export { isPayframeError, PayframeError } from '@payframe/form';
export type { FormHandle } from '@payframe/form/adapter';
export type {
  Appearance, ChangeDetail, ErrorDetail, ExpiringDetail, FieldError, FieldChangeDetail, FieldDetail, FieldId, FlowState, Outcome, PayframeErrorCode, PaymentFieldElement,
  PaymentFormElement, ResizeDetail, ResultDetail, StateChangeDetail,
} from '@payframe/form';

/** `event` is absent where nothing was dispatched: the script did not load, or the form was ready before the component was mounted. */
type FormListener<K extends keyof PaymentFormEventMap> = (detail: PaymentFormEventMap[K]['detail'], event?: PaymentFormEventMap[K]) => unknown;

export interface PaymentFormListeners {
  /** The form is live. */
  onReady?: FormListener<'ready'> | undefined;
  /** The state of what the buyer entered has changed, without any value. */
  onChange?: FormListener<'change'> | undefined;
  onFocus?: FormListener<'focus'> | undefined;
  onBlur?: FormListener<'blur'> | undefined;
  onEnter?: FormListener<'enter'> | undefined;
  onResize?: FormListener<'resize'> | undefined;
  onStatechange?: FormListener<'statechange'> | undefined;
  /** The outcome, as far as the browser knows. Ask your server. */
  onResult?: FormListener<'result'> | undefined;
  onExpiring?: FormListener<'expiring'> | undefined;
  onError?: FormListener<'error'> | undefined;
}

/** The form is named by gateway and session, or printed by the gateway. */
export type PaymentFormSource =
  | { gateway: string; session: string; html?: undefined }
  | {
      /** The member `form.html` of the answer to `POST /orders/build`. It comes from your server, never from a buyer. */
      html: string;
      gateway?: undefined;
      session?: undefined;
    };

export type PaymentFormProps = Omit<ComponentOptions, 'gateway' | 'session' | 'html'> & PaymentFormSource;

type Common = VNodeProps & AllowedComponentProps & ComponentCustomProps;

/** `<payment-form>`. A template ref has its calls; the slot is shown if the form can not load. */
export const PaymentForm: new () => FormHandle & { $props: Common & PaymentFormProps & PaymentFormListeners; $slots: { default?: () => VNode[] } };

export interface FieldHandle {
  readonly element: PaymentFieldElement | null;
  focus(): void;
}

export interface PaymentFieldListeners {
  onChange?: ((detail: PaymentFieldEventMap['change']['detail'], event: PaymentFieldEventMap['change']) => unknown) | undefined;
  onFocus?: ((detail: null, event: PaymentFieldEventMap['focus']) => unknown) | undefined;
  onBlur?: ((detail: null, event: PaymentFieldEventMap['blur']) => unknown) | undefined;
}

/** `<payment-field>`, for a `<PaymentForm layout="fields">` whose `id` is `for`. */
export const PaymentField: new () => FieldHandle & { $props: Common & FieldOptions & PaymentFieldListeners };
