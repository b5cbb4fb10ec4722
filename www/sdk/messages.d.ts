// Made by `cargo xtask reference` from the types of `crates/protocol`; changes by hand are lost.
// The messages between the page's script and the frame. Merchants need `payframe.d.ts`, which names some of these types.

/** Between frame and merchant's page, on their windows. */
export type WindowMessage = { type: 'hello' } & Hello | { type: 'init' } & Init | { type: 'greet' } & Greet;

/** Frame to merchant's page: the frame's document has started. */
export type Hello = {
  /** Tells the message from those of others. */
  payframe: 1,
  /** 32 hexadecimal digits, used once. */
  nonce: string,
  /** Protocol versions that the frame speaks. */
  versions: Array<number>,
};

/** Merchant's page to frame, with a `MessagePort`. The last message that is not on the port. */
export type Init = {
  /** Tells the message from those of others. */
  payframe: 1,
  /** That of the `hello`. */
  nonce: string,
  /** The one that the page picked. */
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
      /** Stable code. */
      code: string,
      /** English, for developers. */
      message: string,
    }
  | {
      type: 'fatal',
      /** Stable code. */
      code: string,
      /** English, for developers. */
      message: string,
    }
  | {
      type: 'reply',
      /** The command's id. */
      id: number,
      /** Absent when it worked. */
      error?: CommandRefusal,
      /** What `validate` found; absent for other commands. */
      faults?: Array<Fault>,
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
  /** Network code, from so many digits on as tell all networks of the session apart. */
  brand: string | null,
  /** Network codes that are possible: all of the session's until then. */
  candidates: Array<string>,
  /** One entry for each field, in order. */
  fields: Array<FieldReport>,
  /** While not complete: what is missing, in the buyer's language. It is also why the page's own form is not valid. */
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
  /** Holds nothing. */
  empty: boolean,
  /** Holds a valid value. Of a card number that is typed it is told when the field is left, or when no digit can follow. */
  complete: boolean,
  /** Stable code of what is wrong with it, if that was said. Of a card number it goes with the first edit. */
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

/** Where the payment stands now. */
export type StateChangeDetail = {
  /** Where. */
  state: FlowState,
};

/** Where the payment stands. */
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

/** What became of the payment, as far as the browser knows. The truth is what the merchant's server reads. */
export type ResultDetail = {
  /** What became of it. */
  outcome: Outcome,
  /** The merchant's order. */
  orderId: string,
  /** 18 digits; absent where no operation is known. */
  operationId?: string,
  /** Why there is no better outcome, where more is known than the refusal. Newer frames may send others. */
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

/** What became of the payment. A closed list. `unknown`: do not pay again before the merchant has looked. */
export type Outcome = 'approved' | 'pending' | 'declined' | 'cancelled' | 'failed' | 'reversed' | 'unknown';

/** What may happen around the issuer's page. */
export type ChallengeProblem =
  | 'challenge_cancelled'
  | 'challenge_timeout'
  | 'acs_unreachable'
  | 'blocked_by_policy'
  | 'challenge_replaced'
  | 'notification_mismatch';

/** What the frame wants of the page's side. */
export type Ask =
  | { what: 'renew' }
  | { what: 'challenge' }
  | { what: 'uncover' }
  | { what: 'expiring' } & ExpiringDetail
  | {
      what: 'title',
      /** The form's name in the buyer's language. */
      title: string,
      /** `true` for a session of the sandbox, so that the page may be told what is wrong with it. */
      sandbox?: boolean,
    };

/** How soon something ends. */
export type ExpiringDetail = {
  /** Whole seconds until the session, or the issuer's page, ends. */
  secondsLeft: number,
};

/** What is wrong with a field, without its value. */
export type Fault = {
  /** Which field. */
  field: FieldId,
  /** Stable; the same in every language. `docs/errors.md` lists them. */
  code: string,
};

/** Why a command was not carried out. */
export type CommandRefusal = {
  /**
   * Stable code: `invalid_data`, `wrong_state`, `unknown_command`, `aborted`, `busy`, `focus_refused`, `locale_failed`,
   * `too_many_calls`.
   */
  code: string,
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

/** The form's colours. `auto`: `dark` where the page's text at the element is light, also after the system's scheme changed; else `light`. */
export type Theme = 'auto' | 'light' | 'dark';

/** Whose pay button it is. `auto`: the form's own. `hidden`: the page has one, and calls `confirm()`. */
export type PayButton = 'auto' | 'hidden';

/** Whether the focus moves by itself. `auto`: from a field that is certainly full it moves on to the next. `off`: never. */
export type Advance = 'auto' | 'off';
