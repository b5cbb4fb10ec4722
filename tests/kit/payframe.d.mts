/** Types of the kit for merchants' own browser tests. With `@playwright/test` alone, which re-exports them, map `playwright-core` to it. */

import type { Locator, Page } from 'playwright-core';

/** What a buyer types; the expiry date is `MM/YY`. */
export interface Card {
  number: string;
  expiry: string;
  code: string;
  name: string;
}

/** The result of a payment with a test card. */
export type TestCase = 'approved' | 'challenged' | 'challengeFails' | 'noFunds' | 'wrongCode' | 'riskRefused' | 'pending';

/** A test card of the sandbox that is valid for another year: by its result, or by its number. */
export function testCard(which?: TestCase | (string & {})): Card;

/** The detail of the form's event `result`. */
export interface Outcome {
  outcome: 'approved' | 'pending' | 'declined' | 'cancelled' | 'failed' | 'reversed' | 'unknown';
  /** The cause, if more is known than the refusal. Newer forms may send others. */
  cause?: 'challenge_cancelled' | 'challenge_timeout' | 'acs_unreachable' | 'blocked_by_policy' | 'notification_mismatch' | 'challenge_replaced' | (string & {});
  orderId: string;
  operationId?: string;
  /** `false`: refused, but the buyer may try again in this form. */
  final: boolean;
  bin?: string;
  last4?: string;
}

/** A card form on a page. */
export class CardForm {
  private constructor();

  /**
   * Finds the form and waits until it can be used. `place`: the page, or the part of it that holds the form, where there are several;
   * `locale`: the language that the form speaks; `payButton`: the page's own, where the form shows none.
   */
  static on(place: Page | Locator, options?: { locale?: string; payButton?: Locator }): Promise<CardForm>;

  /** The element itself. */
  readonly element: Locator;
  readonly number: Locator;
  readonly expiry: Locator;
  readonly code: Locator;
  readonly name: Locator;
  readonly payButton: Locator;
  /** Also the button that confirms the cancellation, if the form asks first. */
  readonly cancelButton: Locator;
  /** What is announced at once: an error, or a refusal. */
  readonly alert: Locator;
  /** The page of the sandbox's bank. */
  readonly bank: {
    readonly code: Locator;
    readonly cancelButton: Locator;
    /** What is wrong with the code. */
    readonly alert: Locator;
    /** Types a code and sends it; the right one is 123456. */
    answer(code?: string): Promise<void>;
  };

  /** Types what is given and leaves the rest as it is. */
  fill(card: Partial<Card>): Promise<void>;
  /** Presses Pay. `outcome` gives the result. */
  pay(): Promise<void>;
  /** Presses on Cancel, and again where the form asks first because something was typed. */
  cancel(): Promise<void>;
  /** The result of the last `pay`. A refusal that allows another try is a result too: it is not `final`. */
  outcome(): Promise<Outcome>;
}
