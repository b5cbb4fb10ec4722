/**
 * Payframe's form for React 18 and 19.
 *
 * ```tsx
 * <PaymentForm gateway="https://gateway.example" session={session} onResult={({ outcome }) => show(outcome)} />
 * ```
 */

import type { ForwardRefExoticComponent, HTMLAttributes, ReactNode, RefAttributes } from 'react';
import type { ComponentOptions, FieldOptions, FormHandle } from '@payframe/form/adapter';
import type { PaymentFieldElement, PaymentFieldEventMap, PaymentFormElement, PaymentFormEventMap } from '@payframe/form';

export { isPayframeError, PayframeError } from '@payframe/form';
export type { FormHandle } from '@payframe/form/adapter';
export type {
  Appearance, ChangeDetail, ErrorDetail, ExpiringDetail, FieldError, FieldChangeDetail, FieldDetail, FieldId, FlowState, Outcome, PayframeErrorCode, PaymentFieldElement,
  PaymentFormElement, ResizeDetail, ResultDetail, StateChangeDetail,
} from '@payframe/form';

/** `event` is absent where nothing was dispatched: the script did not load, or the form was ready before the component was mounted. */
type FormCallback<K extends keyof PaymentFormEventMap> = (detail: PaymentFormEventMap[K]['detail'], event?: PaymentFormEventMap[K]) => void;

export interface PaymentFormCallbacks {
  /** The form is live. */
  onReady?: FormCallback<'ready'> | undefined;
  /** The state of what the buyer entered has changed, without any value. */
  onChange?: FormCallback<'change'> | undefined;
  onFocus?: FormCallback<'focus'> | undefined;
  onBlur?: FormCallback<'blur'> | undefined;
  onEnter?: FormCallback<'enter'> | undefined;
  onResize?: FormCallback<'resize'> | undefined;
  onStateChange?: FormCallback<'statechange'> | undefined;
  /** The outcome, as far as the browser knows. Ask your server. */
  onResult?: FormCallback<'result'> | undefined;
  onExpiring?: FormCallback<'expiring'> | undefined;
  onError?: FormCallback<'error'> | undefined;
}

/** The form is named by gateway and session, or printed by the gateway. */
export type PaymentFormSource =
  | {
      gateway: string;
      session: string;
      html?: undefined;
      /** Shown if the form can not load. */
      children?: ReactNode;
    }
  | {
      /** The member `form.html` of the answer to `POST /orders/build`. It comes from your server, never from a buyer. */
      html: string;
      gateway?: undefined;
      session?: undefined;
      children?: undefined;
    };

type HostProps<Element, Own> = Omit<HTMLAttributes<Element>, keyof Own | 'children' | 'dangerouslySetInnerHTML' | 'nonce'>;

export type PaymentFormProps = HostProps<PaymentFormElement, PaymentFormCallbacks & ComponentOptions> &
  PaymentFormCallbacks &
  Omit<ComponentOptions, 'gateway' | 'session' | 'html'> &
  PaymentFormSource;

/** `<payment-form>`. The ref has its calls. */
export const PaymentForm: ForwardRefExoticComponent<PaymentFormProps & RefAttributes<FormHandle>>;

export interface PaymentFieldCallbacks {
  onChange?: ((detail: PaymentFieldEventMap['change']['detail'], event: PaymentFieldEventMap['change']) => void) | undefined;
  onFocus?: ((detail: null, event: PaymentFieldEventMap['focus']) => void) | undefined;
  onBlur?: ((detail: null, event: PaymentFieldEventMap['blur']) => void) | undefined;
}

export type PaymentFieldProps = HostProps<PaymentFieldElement, PaymentFieldCallbacks & FieldOptions> & PaymentFieldCallbacks & FieldOptions;

/** `<payment-field>`, for a `<PaymentForm layout="fields">` whose `id` is `for`. The ref has the element. */
export const PaymentField: ForwardRefExoticComponent<PaymentFieldProps & RefAttributes<PaymentFieldElement>>;
