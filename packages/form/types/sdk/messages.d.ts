// Made by `cargo xtask reference` from the types of `crates/protocol`; changes by hand are lost.
// The messages between the page's script and the frame. Merchants need `payframe.d.ts`, which names some of these types.

/** Between frame and merchant's page, on their windows. */
export type WindowMessage = { type: 'hello' } & Hello | { type: 'init' } & Init | { type: 'greet' } & Greet;

/** Merchant's page to frame: the page listens from now on, and wants another `hello`. */
export type Greet = {
  /** Distinguishes the message from messages of others. */
  payframe: 1,
};

/** Frame to merchant's page: the frame's document has started. */
export type Hello = {
  /** Distinguishes the message from messages of others. */
  payframe: 1,
  /** 32 hexadecimal digits, used once. */
  nonce: string,
  /** Protocol versions that the frame speaks. */
  versions: Array<number>,
};

/** Merchant's page to frame, with a `MessagePort`. The last message that is not on the port. */
export type Init = {
  /** Distinguishes the message from messages of others. */
  payframe: 1,
  /** The nonce of the `hello`. */
  nonce: string,
  /** The version that the page has chosen. */
  version: 1,
  /** What the page chose about the form. */
  options: FrameOptions,
};

/** Frame to shim, on the port. */
export type FrameMessage =
  | {
      type: 'ready',
      /** What is missing, in the buyer's language; absent when the form is complete. */
      reason?: string,
    }
  | {
      type: 'resize',
      /** Whole CSS pixels. */
      height: number,
      /** The field whose own frame it is; absent for the form's frame. */
      field?: FieldId,
    }
  | { type: 'change' } & ChangeDetail
  | { type: 'focus' } & FieldDetail
  | { type: 'blur' } & FieldDetail
  | { type: 'enter' } & FieldDetail
  | { type: 'statechange' } & StateChangeDetail
  | { type: 'result' } & ResultDetail
  | { type: 'ask' } & Ask
  | {
      type: 'error',
      /** What went wrong. */
      code: PayframeErrorCode,
      /** English, for developers. */
      message: string,
    }
  | {
      type: 'fatal',
      /** What went wrong. */
      code: PayframeErrorCode,
      /** English, for developers. */
      message: string,
    }
  | {
      type: 'reply',
      /** The command's id. */
      id: number,
      /** Absent when it worked. */
      error?: CommandError,
      /** What `validate` found; absent for other commands. */
      faults?: Array<FieldError>,
    };

/**
 * What the buyer entered, without any value. No digit of any field but what `cardSummary` allows, and no state at a moment that
 * depends on digits of the card number.
 */
export type ChangeDetail = {
  /** Every required field holds a valid value. */
  complete: boolean,
  /** Every field is empty. */
  empty: boolean,
  /** Network code; `null` until there are enough digits to distinguish all networks of the session. */
  brand: string | null,
  /** Network codes that are possible. Until there are enough digits, all networks of the session. */
  candidates: Array<string>,
  /** One entry for each field, in order. */
  fields: Array<FieldReport>,
  /** While not complete: what is missing, in the buyer's language. It is also the reason why the page's own form is not valid. */
  reason?: string,
  /**
   * Only where the merchant's server asked for it when it made the session (`cardSummary` `BIN_LAST4`): of the first good number
   * that is left or sent, until it is edited.
   */
  bin?: string,
  /** As `bin`, with `cardSummary` `LAST4` too. */
  last4?: string,
};

/** State of one field, without its value. */
export type FieldReport = {
  /** Which field. */
  id: FieldId,
  /** Whether it is empty. */
  empty: boolean,
  /** Whether it has a valid value. For a card number that is typed, this is told when the field is left, or when no digit can follow. */
  complete: boolean,
  /** Stable code of its error, if one is shown. The error of a card number is removed with the first edit. */
  error?: string,
  /** That message in the buyer's language. */
  message?: string,
};

/** The field that something happened to. */
export type FieldDetail = {
  /** Which field. */
  field: FieldId,
};

/** One of the form's inputs. */
export type FieldId =
  | 'CARD_NUMBER'
  | 'EXPIRATION_DATE'
  | 'SECURITY_CODE'
  | 'CARDHOLDER_NAME'
  | 'CARDHOLDER_SURNAME'
  | 'CARDHOLDER_EMAIL'
  | 'PRIVACY_CONDITIONS';

/** The state of the payment. */
export type StateChangeDetail = {
  /** Where. */
  state: FlowState,
};

/** The state of the payment. */
export type FlowState =
  | 'PAYMENT_METHOD_SELECTION'
  | 'CARD_DATA_COLLECTION'
  | 'PROCESSING'
  | 'READY_FOR_PAYMENT'
  | 'FINALIZING'
  | 'CHALLENGE'
  | 'REDIRECTED_TO_EXTERNAL_DOMAIN'
  | 'PAYMENT_COMPLETE'
  | 'EXPIRED';

/** The result of the payment, as far as the browser knows. Only what the merchant's server reads is reliable. */
export type ResultDetail = {
  /** The outcome. */
  outcome: Outcome,
  /** The merchant's order. */
  orderId: string,
  /** 18 digits; absent where no operation is known. */
  operationId?: string,
  /** The cause, if more is known than the refusal. Newer frames may send others. */
  cause?: ChallengeProblem | (string & {}),
  /** `false`: refused, but the buyer may try again in this form. */
  final: boolean,
  /**
   * As in `change`. Absent where the number that was told before was edited: the merchant's server reads them, by
   * `GET /build/cardData`.
   */
  bin?: string,
  /** As `bin`. */
  last4?: string,
};

/** The outcome of the payment. A closed list. `unknown`: do not pay again before the merchant has checked. */
export type Outcome = 'approved' | 'pending' | 'declined' | 'cancelled' | 'failed' | 'reversed' | 'unknown';

/** Problems of the issuer's page. */
export type ChallengeProblem =
  | 'challenge_cancelled'
  | 'challenge_timeout'
  | 'acs_unreachable'
  | 'blocked_by_policy'
  | 'challenge_replaced'
  | 'notification_mismatch';

/** Requests of the frame to the shim. */
export type Ask =
  | { what: 'renew' }
  | { what: 'challenge' }
  | { what: 'uncover' }
  | { what: 'expiring' } & ExpiringDetail
  | {
      what: 'title',
      /** The form's name in the buyer's language. */
      title: string,
      /** `true` if the page gets diagnostics of how it embeds the form. */
      diagnostics?: boolean,
      /** `true` if the page reports which scripts and security headers it has. */
      watch?: boolean,
    };

/** How soon something ends. */
export type ExpiringDetail = {
  /** Whole seconds until the session, or the issuer's page, ends. */
  secondsLeft: number,
};

/** What is wrong with a field, without its value. */
export type FieldError = {
  /** Which field. */
  field: FieldId,
  /** Stable; the same in every language. `docs/errors.md` lists them. */
  code: string,
};

/** Why a command was not carried out. */
export type CommandError = {
  /** Why. */
  code: PayframeErrorCode,
  /** English, for developers. */
  message: string,
};

/** Shim to frame, on the port. Each has an `id` that its `reply` repeats. */
export type ShimCommand =
  | {
      type: 'confirm',
      /** Command id. */
      id: number,
    }
  | {
      type: 'abort',
      /** Command id. */
      id: number,
    }
  | {
      type: 'cancel',
      /** Command id. */
      id: number,
    }
  | {
      type: 'focus',
      /** Command id. */
      id: number,
      /** Field id; absent means the first field. */
      field?: FieldId,
    }
  | {
      type: 'clear',
      /** Command id. */
      id: number,
    }
  | {
      type: 'validate',
      /** Command id. */
      id: number,
    }
  | {
      type: 'reveal',
      /** Command id. */
      id: number,
    }
  | {
      type: 'redirect',
      /** Command id. */
      id: number,
    }
  | {
      type: 'cover',
      /** Command id. */
      id: number,
    }
  | {
      type: 'refresh',
      /** Command id. */
      id: number,
    }
  | {
      type: 'renew',
      /** Command id. */
      id: number,
      /** Session id. */
      session: string,
    }
  | {
      type: 'servererror',
      /** Command id. */
      id: number,
      /** Field id; absent where it concerns no field. */
      field?: FieldId,
      /** One of our codes; an unknown one gives a general text. */
      code: string,
    }
  | {
      type: 'update',
      /** Command id. */
      id: number,
      /** The options to change; absent ones stay. */
      options: FrameOptions,
    };

/** What the page chose about the form. Sent with `init` and `update`. */
export type FrameOptions = {
  /** The form's colours. */
  theme?: Theme,
  /** Whose pay button it is. */
  button?: PayButton,
  /** Whether the form has a link that cancels. */
  cancellation?: Cancellation,
  /** Whether the focus moves by itself. */
  advance?: Advance,
  /** How the form looks: a preset's name, or an object as JSON text; empty for the default look. Data, never style text. */
  appearance?: string,
  /** The buyer's language, as tag or three-letter code; empty for the session's. */
  locale?: string,
  /** Texts of the merchant in place of ours: an object as JSON text, or empty. */
  texts?: string,
  /** Whether the page can bring another session when this one ends. */
  renew?: boolean,
};

/** The form's colours. `auto`: `dark` if the page's text at the element is light, also after a change of the system's scheme; else `light`. */
export type Theme = 'auto' | 'light' | 'dark';

/** Whose pay button it is. `auto`: the form's own. `hidden`: the page has one, and calls `confirm()`. */
export type PayButton = 'auto' | 'hidden';

/**
 * Whose link it is that cancels before the card is sent. `auto`: the form's own. `hidden`: the page has one, and calls `cancel()`. What the
 * form offers during a wait or a challenge stays.
 */
export type Cancellation = 'auto' | 'hidden';

/** Whether the focus moves by itself. `auto`: when a field is certainly full, the focus moves to the next one. `off`: never. */
export type Advance = 'auto' | 'off';

/** Codes of `PayframeError` and of the event `error`. A closed list: `docs/errors.md` has the remedy for each. */
export type PayframeErrorCode =
  /** The page: `gateway` is not an origin with https (http only for the browser's own machine). */
  | 'bad_gateway_url'
  /** The page: there is no `session`. */
  | 'session_missing'
  /** `update({ session })`: the form can not go on in that session; the former one stays. */
  | 'session_rejected'
  /** The page: an option has the wrong type or an unknown value. */
  | 'bad_option'
  /** The page: this option can not change in place. Setting its attribute loads the form again. */
  | 'option_fixed'
  /** The page: `mount()` found no such element. */
  | 'mount_target'
  /** The page: the element can not be made here: on a server, or where the page keeps elements from being defined. */
  | 'no_browser'
  /** The page's Content-Security-Policy blocks the frame. */
  | 'frame_policy'
  /** The frame loaded without the form: the session is of another origin, unknown or over, or something between browser and gateway refused it. */
  | 'frame_blocked'
  /** The gateway does not answer this browser. */
  | 'gateway_unreachable'
  /** A script that the call needs did not load. The next call tries again. */
  | 'script_blocked'
  /** The form did not start in time. */
  | 'load_timeout'
  /** The frame speaks no version of the protocol that this module speaks. */
  | 'protocol_version'
  /** WebAssembly is blocked or missing in the frame. */
  | 'wasm_blocked'
  /** The form's program did not load. */
  | 'wasm_failed'
  /** The form failed after it was live. */
  | 'frame_crashed'
  /** The frame was loaded again (the element was moved, or reloaded); what was typed is lost. */
  | 'data_lost'
  /** `destroy()` was called. */
  | 'destroyed'
  /** `focus()`: the browser refused it, or it would open a phone's keypad without a gesture. */
  | 'focus_refused'
  /** The texts of another language did not load; the form stays in its language. */
  | 'locale_failed'
  /** A text of the option `texts` is not one that a page can change, or is not a valid label. It is left out. */
  | 'bad_text'
  /** The session is over; the form says so. */
  | 'session_expired'
  /** The script that encrypts the card did not load, so nothing was sent; what was typed is still there. */
  | 'encryption_unavailable'
  /** The page's header Permissions-Policy prevents browsers from filling in the form; everything else works. */
  | 'autofill_withheld'
  /** A press on Pay did not count, because the page covers, clips or moves the button; the message says which. */
  | 'button_covered'
  /** The page took the focus out of a number or code that is half typed; the form took it back, and the buyer is told. */
  | 'focus_taken'
  /** `confirm()`: the sum in the form is not wholly visible; the form shows it and asks for another press. */
  | 'form_unseen'
  /** `confirm()`: not called soon after a gesture of the buyer, in browsers that report gestures; the form asks for another press. */
  | 'press_needed'
  /** The element is not in the page. */
  | 'unmounted'
  /** `confirm()`: what was typed is incomplete or wrong; the form shows where. */
  | 'invalid_data'
  /** The form can not do this now. */
  | 'wrong_state'
  /** The form is at work already. */
  | 'busy'
  /** `confirm()`: the browser is offline; nothing was sent, and what was typed is still there. */
  | 'offline'
  /** `confirm()`: withdrawn by its signal before anything was sent. */
  | 'aborted'
  /** `confirm()`: accepted, but there is no outcome: the session is over, or the form is editable again and the buyer may try again. */
  | 'not_completed'
  /** More than ten calls in a second: this one was dropped. The event `error` reports it once. */
  | 'too_many_calls'
  /** The gateway takes longer than eight seconds to answer; the buyer is told so. */
  | 'gateway_slow'
  /** The issuer's page did not load; the buyer may open it in the whole window, or go back to the card. */
  | 'acs_unreachable'
  /** The issuer's page refused to be framed, or a policy blocked it; the buyer may open it in the whole window. */
  | 'blocked_by_policy'
  /** Something else was in the place of the issuer's page; the form took it away. */
  | 'challenge_replaced'
  /** The issuer sent the buyer back to another address than the gateway's. */
  | 'notification_mismatch'
  /** The frame is of a newer release and reports what this script does not know; the message has its words. */
  | 'unknown_cause';
