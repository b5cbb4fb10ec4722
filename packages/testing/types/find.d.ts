/**
 * Finds elements of a form by role and accessible name, in a browser that lets the page look into frames of other origins. What is not there yet
 * is an error: whoever asks tries again.
 */
export type Texts = (name: string) => string;
/** @typedef {(name: string) => string} Texts of the form, by name */
/** The id of each input, and the key of its label among the form's texts. */
export declare const INPUTS: {
    readonly number: readonly ['CARD_NUMBER', 'label_card_number'];
    readonly expiry: readonly ['EXPIRATION_DATE', 'label_expiry'];
    readonly code: readonly ['SECURITY_CODE', 'label_security_code'];
    readonly name: readonly ['CARDHOLDER_NAME', 'label_holder_name'];
};
/** @param {Element} form @returns {HTMLIFrameElement} */
export declare function frameOf(form: Element): HTMLIFrameElement;
/** The document in a frame. @param {HTMLIFrameElement} frame @returns {Document} */
export declare function documentOf(frame: HTMLIFrameElement): Document;
/** @param {Element} form @param {keyof typeof INPUTS} name @param {Texts} text @returns {HTMLElement} */
export declare function inputOf(form: Element, name: keyof typeof INPUTS, text: Texts): HTMLElement;
/** @param {Document | Element} place @param {RegExp} pattern @returns {HTMLElement} */
export declare const buttonIn: (place: Document | Element, pattern: RegExp) => HTMLElement;
/** @param {Document | Element} place @param {RegExp} pattern */
export declare const hasButton: (place: Document | Element, pattern: RegExp) => boolean;
/** @param {Document} document @param {string} role @returns {HTMLElement} */
export declare const roleIn: (document: Document, role: string) => HTMLElement;
/** The document of the bank's page. @param {Element} form @param {Texts} text @returns {Document} */
export declare function bankOf(form: Element, text: Texts): Document;
/** @param {Document} document @param {string} id @returns {HTMLElement} */
export declare function testIdIn(document: Document, id: string): HTMLElement;
/** @param {Element} element */
export declare const isShown: (element: Element) => boolean;
