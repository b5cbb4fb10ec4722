/** Names of the form's elements, by language. @type {Readonly<Record<string, Readonly<Record<string, string>>>>} */
export declare const TEXTS: Readonly<Record<string, Readonly<Record<string, string>>>>;
/** The texts of a language. @param {string} locale as the form's `locale` has it @returns {(name: string) => string} */
export declare function textsOf(locale: string): (name: string) => string;
/** A pattern for any of these texts, with any value in their placeholders. @param {...string} texts */
export declare function anyOf(...texts: string[]): RegExp;
