/** What happened, by code of a `PayframeError`. @type {Readonly<Record<string, string>>} */
export declare const ERRORS: Readonly<Record<string, string>>;
/** What is wrong with a field, by code, in English. @type {Readonly<Record<string, string>>} */
export declare const FAULTS: Readonly<Record<string, string>>;
/** Why a form is not complete. */
export declare const INCOMPLETE = "Complete the card details.";
