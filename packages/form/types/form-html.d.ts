/**
 * Reads the member `form.html` of the answer to `POST /orders/build`: the element as HTML, with its frame in a declared shadow root.
 * For the packages of frameworks, which print the element themselves.
 */
export type PrintedForm = {
    /**
     * of the element; `gateway` and `session` are among them
     */
    attributes: Record<string, string>;
    /**
     * the template that declares the shadow root, for the element's HTML on a server; empty where it is none that this package knows
     */
    content: string;
};
/** @param {string} html @returns {PrintedForm} */
export declare function readFormHtml(html: string): PrintedForm;
