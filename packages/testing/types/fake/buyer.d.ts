/** Who uses a fake form: enters states of fields, never values, and presses buttons. */
import type { FieldId, PaymentFormElement, ResultDetail } from '@payframe/form';
import type { Entered } from './entry.js';
/** @import { FieldId, PaymentFormElement, ResultDetail } from '@payframe/form' */
/** @import { Entered } from './entry.js' */
export declare class Buyer {
    #private;
    /** @param {PaymentFormElement} form a fake one */
    constructor(form: PaymentFormElement);
    /**
     * Enters something into each field, in order: good values, unless another is given. Waits for the form.
     * @param {{ [K in FieldId]?: Entered }} [entered] @returns {Promise<void>}
     */
    fill(entered?: { [K in FieldId]?: Entered; }): Promise<void>;
    /** @param {FieldId} field @param {Entered} [entered] @returns {Promise<void>} */
    enter(field: FieldId, entered?: Entered): Promise<void>;
    /** Takes the focus out of the form. */
    leave(): void;
    /**
     * Presses the form's own button, and tells the result: what the page hears as `result`. Rejects with a `PayframeError` if nothing was sent, or if no
     * result is possible any more.
     * @returns {Promise<ResultDetail>}
     */
    pay(): Promise<ResultDetail>;
    /** Presses Enter in a field: where the page has its own button and its own fields, the page hears `enter`; elsewhere it pays. @param {FieldId} field @returns {Promise<void>} */
    pressEnter(field: FieldId): Promise<void>;
    /** Presses the form's cancel button, or the one of the bank's page. @returns {Promise<void>} */
    cancel(): Promise<void>;
}
