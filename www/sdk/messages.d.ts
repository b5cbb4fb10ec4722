/**
 * The messages between the shim and the frame, for TypeScript. The Rust side is `crates/protocol/src/frame.rs`; both are
 * checked against `crates/protocol/fixtures/frame-messages.json`. Merchants need `payframe.d.ts`, not this file.
 */

import type { ChangeDetail, ExpiringDetail, Fault, FieldDetail, FieldId, ResultDetail, StateChangeDetail } from './payframe.js';

/** What the page chose about the form. */
export interface FrameOptions {
  theme?: 'auto' | 'light' | 'dark';
  button?: 'auto' | 'hidden' | 'none';
  advance?: 'auto' | 'off';
  /** Whether the page can bring another session. */
  renew?: boolean;
  /** A preset's name, or an object as JSON text; empty for none. The frame reads it as data and never as style text. */
  appearance?: string;
  /** The buyer's language; empty for the session's. */
  locale?: string;
  /** Texts of the merchant in place of ours: an object as JSON text, or empty. */
  texts?: string;
}

/** Frame to shop's page, on the window: the frame's document has started. */
export interface Hello {
  payframe: 1;
  type: 'hello';
  /** 32 hexadecimal digits, used once. */
  nonce: string;
  /** Protocol versions that the frame speaks. */
  versions: number[];
}

/** Shop's page to frame, on the window, with a `MessagePort`. The last message that is not on the port. */
export interface Init {
  payframe: 1;
  type: 'init';
  /** The nonce of the `hello`. */
  nonce: string;
  version: 1;
  options: FrameOptions;
}

/** Why a command was not carried out. */
export interface CommandRefusal {
  code: string;
  message: string;
}

/** Frame to shim, on the port. */
export type FrameMessage =
  | { type: 'ready'; reason?: string }
  | { type: 'resize'; height: number; field?: FieldId }
  | ({ type: 'change' } & ChangeDetail)
  | ({ type: 'focus' } & FieldDetail)
  | ({ type: 'blur' } & FieldDetail)
  | ({ type: 'enter' } & FieldDetail)
  | ({ type: 'statechange' } & StateChangeDetail)
  | ({ type: 'result' } & ResultDetail)
  | { type: 'ask'; what: 'renew' | 'challenge' | 'uncover' }
  | ({ type: 'ask'; what: 'expiring' } & ExpiringDetail)
  /** `sandbox`: no money is ever moved, and the page may be told what is wrong with it. */
  | { type: 'ask'; what: 'title'; title: string; sandbox?: boolean }
  | { type: 'error'; code: string; message: string }
  | { type: 'fatal'; code: string; message: string }
  | { type: 'reply'; id: number; error?: CommandRefusal; faults?: Fault[] };

/** Shim to frame, on the port. Each is answered by a `reply` with its `id`. */
export type ShimCommand =
  | { type: 'confirm'; id: number }
  | { type: 'abort'; id: number }
  | { type: 'cancel'; id: number }
  | { type: 'focus'; id: number; field?: FieldId }
  | { type: 'clear'; id: number }
  | { type: 'validate'; id: number }
  | { type: 'servererror'; id: number; field?: string; code: string }
  /** A keypad came up over the page: the field that has the focus is to be seen. */
  | { type: 'reveal'; id: number }
  /** Answers `challenge`, where the page wants the issuer's page in the whole window. */
  | { type: 'redirect'; id: number }
  /** Answers `challenge`, where the frame has got the whole of a small screen. */
  | { type: 'cover'; id: number }
  /** Answers `renew`; an empty session says that there is none. */
  | { type: 'renew'; id: number; session: string }
  | { type: 'update'; id: number; options: FrameOptions };
