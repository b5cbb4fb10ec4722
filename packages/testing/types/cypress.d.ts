/**
 * For tests with Cypress: fills the card form and pays, and finds elements by role and label, in either layout. The form is in a frame of the gateway, which
 * `cy.origin()` does not reach: the configuration needs `chromeWebSecurity: false`.
 */

import type { Card } from './cards.js';
import type { Outcome } from './outcome.js';

export { testCard } from './cards.js';
export type { Card } from './cards.js';
export type { Outcome } from './outcome.js';

declare global {
  // Cypress declares these with all their members.
  interface JQuery<TElement = HTMLElement> {}
  namespace Cypress {
    interface Chainable<Subject = any> {}
  }
}

type Found = Cypress.Chainable<JQuery<HTMLElement>>;

export interface CardFormOptions {
  /** Selector of the element. Default: `payment-form`. */
  form?: string | undefined;
  /** The language that the form speaks, as its `locale` has it. Default: English. */
  locale?: string | undefined;
  /** Presses the page's own pay button, where the form shows none. It has to be a real press: `() => cy.get('#pay').realClick()` of cypress-real-events. */
  press?: (() => unknown) | undefined;
}

/** The card form of a page. */
export function cardForm(options?: CardFormOptions): CardForm;

/** The card form of a page. Every call is a command of Cypress, or several. */
export class CardForm {
  constructor(options?: CardFormOptions);

  /** The element itself, once it can be used. */
  element(): Found;
  number(): Found;
  expiry(): Found;
  code(): Found;
  name(): Found;
  /** The form's own. */
  payButton(): Found;
  /** Also the button that confirms the cancellation, if the form asks first. */
  cancelButton(): Found;
  /** What is announced at once: an error, or a refusal. */
  alert(): Found;
  /** The page of the sandbox's bank. */
  readonly bank: {
    code(): Found;
    cancelButton(): Found;
    /** What is wrong with the code. */
    alert(): Found;
    /** Types a code and sends it; the right one is 123456. */
    answer(code?: string): Found;
  };

  /** Types what is given and leaves the rest as it is. */
  fill(card: Partial<Card>): void;
  /** Presses on Pay. `outcome` tells what becomes of it. */
  pay(): void;
  /** Presses on Cancel, and again where the form asks first because something was typed. */
  cancel(): void;
  /** The result of the last `pay`. A refusal that allows another try is a result too: it is not `final`. */
  outcome(): Cypress.Chainable<Outcome>;
}
