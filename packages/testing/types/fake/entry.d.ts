/** What a buyer has entered into a fake form: states of fields, and never a value. */
import type { ChangeDetail, FieldError, FieldId } from '@payframe/form';
export type Entered = boolean | (string & {});
export declare class Entry {
    #private;
    /** @param {readonly FieldId[]} fields in their order @param {readonly string[]} networks of the session @param {string} brand of the card that is entered */
    constructor(fields: readonly FieldId[], networks: readonly string[], brand: string);
    /** @returns {FieldId[]} */
    get ids(): FieldId[];
    /** @param {FieldId} id @param {Entered} entered */
    enter(id: FieldId, entered: Entered): void;
    /** Shows an error at a field, if the form has it; what is in it stays. @param {FieldId} id @param {string} code */
    fail(id: FieldId, code: string): void;
    clear(): void;
    /** Shows all faults, and names them. @returns {FieldError[]} */
    check(): FieldError[];
    /** @returns {ChangeDetail} */
    report(): ChangeDetail;
}
