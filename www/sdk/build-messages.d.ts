// Made by `cargo xtask reference` from the types of `crates/protocol`; changes by hand are lost.
// The messages between the class `Build` and the frames of its fields. Merchants need `build.d.ts`, which names these types.

/** The class `Build` to a frame. */
export type BuildCommand =
  | {
      type: 'build-here',
      /** Distinguishes the message from messages of others. */
      payframe: 1,
    }
  | {
      type: 'build-options',
      /** Distinguishes the message from messages of others. */
      payframe: 1,
      /** Absolute address of a style sheet. */
      cssLink?: string,
      /** Classes of the input or button. */
      component?: string,
      /** Classes of the element around it. */
      container?: string,
    }
  | {
      type: 'build-confirm',
      /** Distinguishes the message from messages of others. */
      payframe: 1,
      /** Distinguishes the command: it comes to the driver through every frame, and counts once. */
      call: string,
    }
  | {
      type: 'build-click',
      /** Distinguishes the message from messages of others. */
      payframe: 1,
      /** The button's id, such as `PAY_WITH_CARD`. */
      id: string,
    };

/** A frame to the class `Build`, for the script itself. */
export type FieldFrameMessage =
  | {
      type: 'field-up',
      /** Distinguishes the message from messages of others. */
      payframe: 1,
      /** The field's id. */
      id: string,
      /** The session's trace id, by which frames of one session are known. */
      session: string,
    }
  | {
      type: 'build-loading',
      /** Distinguishes the message from messages of others. */
      payframe: 1,
    }
  | {
      type: 'build-watch',
      /** Distinguishes the message from messages of others. */
      payframe: 1,
      /** Session id. */
      session: string,
    }
  | {
      type: 'unavailable',
      /** Distinguishes the message from messages of others. */
      payframe: 1,
      /** The field's id. */
      id: string,
      /** `HF9002` or `HF9003`. */
      errorCode: BuildErrorCode,
      /** English, for developers. */
      errorMessage: string,
    };

/** A frame to the class `Build`, and from there to the merchant's callbacks (contract 7.3). */
export type BuildEvent =
  | {
      event: 'READY',
      /** The field's id. */
      id: string,
    }
  | {
      event: 'FIELD_FOCUSSED',
      /** The field's id. */
      id: string,
    }
  | {
      event: 'FIELD_BLURRED',
      /** The field's id. */
      id: string,
    }
  | {
      event: 'BUILD_SUCCESS',
      /** The field's id. */
      id: string,
    }
  | {
      event: 'BUILD_ERROR',
      /** The field's id. */
      id: string,
      /** What is wrong. */
      errorCode: BuildErrorCode,
      /** In the buyer's language where it is about what was typed, else English, for developers. */
      errorMessage: string,
    }
  | {
      event: 'CONFIRM_ERROR',
      /** The name of the call. */
      id: 'confirmData',
      /** Why. */
      errorCode: BuildErrorCode,
      /** English, for developers. */
      errorMessage: string,
      /** The inputs, without the buttons. */
      validationStatus: Array<InputValidity>,
    }
  | {
      event: 'BUILD_FLOW_STATE_CHANGE',
      /** Where it stands. */
      state: BuildState,
      /** With `CARD_DATA_COLLECTION`: what to show now. */
      fieldSet?: FieldSet,
      /** With `REDIRECTED_TO_EXTERNAL_DOMAIN`: where the browser is to go. */
      url?: string,
      /** With `PAYMENT_COMPLETE`. A hint: only what the server reads is reliable. */
      operation?: BuildOperation,
      /** The same members once more, from a device check frame. */
      data?: DeviceCheckEnd,
    };

/** Codes for a merchant's page (contract 7.5): the table is in `docs/build.md`. */
export type BuildErrorCode =
  | 'HF0001'
  | 'HF0002'
  | 'HF0003'
  | 'HF0004'
  | 'HF0005'
  | 'HF0006'
  | 'HF0007'
  | 'HF0009'
  | 'HF9001'
  | 'HF9002'
  | 'HF9003'
  | 'HF9004';

/** Whether an input is valid. */
export type InputValidity = {
  /** The field's id. */
  id: string,
  /** Whether its value is complete and not wrong. */
  valid: boolean,
};

/** What a merchant's page may know of an operation. */
export type BuildOperation = {
  /** The merchant's order. */
  orderId: string,
  /** 18 digits. */
  operationId: string,
  /** E.g. `AUTHORIZATION`, `CANCEL`. */
  operationType: string,
  /** E.g. `EXECUTED`, `DECLINED`. An unlisted spelling is unknown, never a success. */
  operationResult: string,
  /** Instant, UTC with milliseconds. */
  operationTime: string,
};

/** The state of a session after the device check of version 2. */
export type DeviceCheckEnd = {
  /** Where it stands. */
  state: BuildState,
  /** As in the event. */
  url?: string,
  /** As in the event. */
  operation?: BuildOperation,
};

/** Where a build session stands (2.10). */
export type BuildState =
  | 'PAYMENT_METHOD_SELECTION'
  | 'CARD_DATA_COLLECTION'
  | 'READY_FOR_PAYMENT'
  | 'REDIRECTED_TO_EXTERNAL_DOMAIN'
  | 'PAYMENT_COMPLETE'
  | 'GDI_VERIFICATION';

/** The fields of a session (2.10). `fields` is `[]` when there is nothing to show. */
export type FieldSet = {
  /** The session that the fields belong to. */
  sessionId: string,
  /** In the order in which they are shown. */
  fields: Array<Field>,
};

/** One thing that the page must show (2.10). */
export type Field = {
  /** `TEXT`, `ACTION` or `GDI`. */
  type: 'TEXT' | 'ACTION' | 'GDI',
  /** `CARD_FIELD`, `CARD`, `APM` or `GDI`. */
  class: string,
  /** Field id, e.g. `CARD_NUMBER`. */
  id: string,
  /** Address of the frame. */
  src: string,
};
