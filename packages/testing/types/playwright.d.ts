/**
 * For browser tests with Playwright: fills the card form and pays, and finds elements by role and label, in either layout.
 * It uses the elements' documented names and states, and accessible names, but no markup inside the form, so it works with new releases.
 */
export { testCard } from './cards.js';
export type Locator = import('playwright-core').Locator;
export type Page = import('playwright-core').Page;
export type Card = import('./cards.js').Card;
export type Outcome = import('./outcome.js').Outcome;
/** @typedef {import('playwright-core').Locator} Locator */
/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./cards.js').Card} Card */
/** @typedef {import('./outcome.js').Outcome} Outcome */
/** A card form on a page. */
export declare class CardForm {
    #private;
    /** The element itself. */
    element: import("playwright-core").Locator;
    number: import("playwright-core").Locator;
    expiry: import("playwright-core").Locator;
    code: import("playwright-core").Locator;
    name: import("playwright-core").Locator;
    payButton: import("playwright-core").Locator;
    /** Also the button that confirms the cancellation, if the form asks first. */
    cancelButton: import("playwright-core").Locator;
    /** What is announced at once: an error, or a refusal. */
    alert: import("playwright-core").Locator;
    /** The page of the sandbox's bank. */
    bank: {
        code: import("playwright-core").Locator;
        cancelButton: import("playwright-core").Locator;
        /** What is wrong with the code. */
        alert: import("playwright-core").Locator;
        /** Types a code and sends it; the right one is 123456. */
        answer(code?: string): Promise<void>;
    };
    /**
     * Finds the form and waits until it can be used.
     * @param {Page | Locator} place the page, or the part of it that holds the form, where there are several
     * @param {object} [options]
     * @param {string} [options.locale] the language that the form speaks, as its `locale` has it
     * @param {Locator} [options.payButton] the page's own, where the form shows none
     */
    static on(place: Page | Locator, { locale, payButton }?: {
        locale?: string;
        payButton?: Locator;
    }): Promise<CardForm>;
    /**
     * Made by `CardForm.on`.
     * @private
     * @param {Page | Locator} place
     * @param {boolean} apart whether each field has a frame of its own
     * @param {(name: string) => string} text the form's, by name
     * @param {Locator} [payButton]
     */
    private constructor();
    /** Types what is given and leaves the rest as it is. @param {Partial<Card>} card */
    fill(card: Partial<Card>): Promise<void>;
    /** Presses on Pay. `outcome` tells what becomes of it. */
    pay(): Promise<void>;
    /** Presses on Cancel, and again where the form asks first because something was typed. */
    cancel(): Promise<void>;
    /**
     * The detail of the `result` of the last `pay`. A refusal that allows another try is a result too: it is not `final`. If the page
     * navigates away at a result, check what the next page shows.
     * @returns {Promise<Outcome>}
     */
    outcome(): Promise<Outcome>;
}
