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

  type State = import('./build-messages.js').BuildState;

  /** The table is in `docs/build.md`. */
  type ErrorCode = import('./build-messages.js').BuildErrorCode;

  /** The `event` and the field's `id`. */
  type FieldEvent = Extract<import('./build-messages.js').BuildEvent, { event: 'BUILD_SUCCESS' }>;

  type FieldErrorEvent = Extract<import('./build-messages.js').BuildEvent, { event: 'BUILD_ERROR' }>;

  type ConfirmErrorEvent = Extract<import('./build-messages.js').BuildEvent, { event: 'CONFIRM_ERROR' }>;

  type FlowStateEvent = Extract<import('./build-messages.js').BuildEvent, { event: 'BUILD_FLOW_STATE_CHANGE' }>;

  type FieldSet = import('./build-messages.js').FieldSet;

  type Field = import('./build-messages.js').Field;

  type Operation = import('./build-messages.js').BuildOperation;

  interface Unavailable {
    id: string;
    errorCode: 'HF9002' | 'HF9003';
    errorMessage: string;
  }
}

interface Window {
  Build: typeof Build;
}
