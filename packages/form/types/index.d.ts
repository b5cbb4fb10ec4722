/**
 * Payframe for a merchant's page.
 *
 * ```ts
 * const { form } = await loadPayframe('https://gateway.example');
 * form({ session, locale: 'it' }).mount('#pay');
 * ```
 */

export { isPayframeError, PayframeError } from './errors.js';
export { loadFields, loadPayframe } from './load.js';
export type { ScriptOptions } from './load.js';
export type {
  ChangeDetail, ErrorDetail, ExpiringDetail, FieldError, FieldDetail, FieldId, FieldReport, FlowState, FormOptions, FrameOptions, Outcome, Payframe,
  PayframeErrorCode, PaymentFormElement, PaymentFormEventMap, ResizeDetail, ResultDetail, StateChangeDetail,
} from './sdk/payframe.js';
export type { Advance, Cancellation, ChallengeProblem, PayButton, Theme } from './sdk/messages.js';
export type { FieldChangeDetail, PaymentFieldElement, PaymentFieldEventMap } from './sdk/fields.js';
export type * from './sdk/appearance.js';
