/**
 * Payframe's class `Build`, for pages that put the `fields[].src` of `POST /orders/build` into iframes of their own.
 *
 * ```html
 * <script src="https://gateway.example/sdk/build.js" integrity="sha384-…" crossorigin="anonymous"></script>
 * ```
 *
 * ```js
 * const build = new Build({
 *   onBuildSuccess: ({ id }) => clear(id),
 *   onBuildError: ({ id, errorMessage }) => complain(id, errorMessage),
 *   onBuildFlowStateChange: (event, state) => state === 'READY_FOR_PAYMENT' && askServerToFinalize(),
 * });
 * payButton.onclick = () => build.confirmData(() => (payButton.disabled = true));
 * ```
 *
 * The script is a classic one and defines a global class. It may be before or after the iframes. A page that rebuilds its form creates
 * another object each time: only the newest object of a session gets the events of that session. Loading the script twice, or on a server, does no harm. `docs/build.md` describes everything.
 */
declare class Build {
  constructor(options?: Build.Options);

  /**
   * Sends what was entered. In version 3 the device is then checked. The result comes by `onBuildFlowStateChange` or `onConfirmError`;
   * a call while another one runs is ignored. `onLoading` is called when the work starts.
   */
  confirmData(onLoading?: () => void): void;
  /** Presses the button in a frame, such as `PAY_WITH_CARD`. */
  clickAction(id: string): void;
}

declare namespace Build {
  /** All are optional, and unknown ones are ignored. An error in a callback does not disturb the payment. */
  interface Options {
    /** A field became valid. */
    onBuildSuccess?(event: FieldEvent, state: State): unknown;
    /** A field is wrong, or its session is over. */
    onBuildError?(event: FieldErrorEvent): unknown;
    /** `confirmData()` failed. */
    onConfirmError?(event: ConfirmErrorEvent): unknown;
    /** The session has a new state. `state` is that of the event. */
    onBuildFlowStateChange?(event: FlowStateEvent, state: State): unknown;
    /** Every input of the page is live. Once for each set of fields. */
    onAllFieldsLoaded?(): unknown;
    /** An iframe can not work. */
    onComponentUnavailable?(event: Unavailable): unknown;
    /** Absolute address of a style sheet for the frames: https, at most 64 KiB. */
    cssLink?: string;
    /** Class of the input or button. */
    defaultComponentCssClassName?: string;
    /** Class of the element around it. */
    defaultContainerCssClassName?: string;
  }

  type State = 'PAYMENT_METHOD_SELECTION' | 'CARD_DATA_COLLECTION' | 'READY_FOR_PAYMENT' | 'GDI_VERIFICATION' | 'REDIRECTED_TO_EXTERNAL_DOMAIN' | 'PAYMENT_COMPLETE';

  /** `HF0001`–`HF0009` and `HF9001`–`HF9004`: the table is in `docs/build.md`. */
  type ErrorCode = `HF${string}`;

  interface FieldEvent {
    event: 'BUILD_SUCCESS';
    id: string;
  }

  interface FieldErrorEvent {
    event: 'BUILD_ERROR';
    id: string;
    errorCode: ErrorCode;
    errorMessage: string;
  }

  interface ConfirmErrorEvent {
    event: 'CONFIRM_ERROR';
    id: 'confirmData';
    errorCode: ErrorCode;
    errorMessage: string;
    /** The inputs, without the buttons. */
    validationStatus: { id: string; valid: boolean }[];
  }

  interface FlowStateEvent {
    event: 'BUILD_FLOW_STATE_CHANGE';
    state: State;
    /** With `CARD_DATA_COLLECTION`: what to show now. */
    fieldSet?: FieldSet;
    /** With `REDIRECTED_TO_EXTERNAL_DOMAIN`: where the browser is to go. */
    url?: string;
    /** With `PAYMENT_COMPLETE`. A hint: only what the server reads is reliable. */
    operation?: Operation;
    /** The same members once more, from a device check frame. */
    data?: { state: State; url?: string; operation?: Operation };
  }

  interface FieldSet {
    sessionId: string;
    fields: Field[];
  }

  interface Field {
    type: 'TEXT' | 'ACTION' | 'GDI';
    class: string;
    id: string;
    src: string;
  }

  interface Operation {
    orderId: string;
    operationId: string;
    operationType: string;
    operationResult: string;
    operationTime: string;
  }

  interface Unavailable {
    id: string;
    errorCode: 'HF9002' | 'HF9003';
    errorMessage: string;
  }
}

interface Window {
  Build: typeof Build;
}
