// @ts-check
/** What a buyer has entered into a fake form: states of fields, and never a value. */

import { FAULTS, INCOMPLETE } from './sentences.js';

/** @import { ChangeDetail, FieldError, FieldId, FieldReport } from '@payframe/form' */

/**
 * What a buyer leaves in a field: a good value (`true`), nothing (`false`), or a wrong one, by the code of its error (`expiry_past`).
 * @typedef {boolean | (string & {})} Entered
 */

/** The code of a required field that is empty. @type {Readonly<Record<FieldId, string>>} */
const EMPTY = {
  CARD_NUMBER: 'card_number_empty',
  EXPIRATION_DATE: 'expiry_empty',
  SECURITY_CODE: 'security_code_empty',
  CARDHOLDER_NAME: 'holder_name_empty',
  CARDHOLDER_SURNAME: 'holder_surname_empty',
  CARDHOLDER_EMAIL: 'email_empty',
  PRIVACY_CONDITIONS: 'privacy_empty',
};

export class Entry {
  /** @type {Map<FieldId, FieldReport>} */
  #fields;
  #networks;
  #brand;

  /** @param {readonly FieldId[]} fields in their order @param {readonly string[]} networks of the session @param {string} brand of the card that is entered */
  constructor(fields, networks, brand) {
    this.#fields = new Map(fields.map((id) => [id, { id, empty: true, complete: false }]));
    this.#networks = networks;
    this.#brand = brand;
  }

  /** @returns {FieldId[]} */
  get ids() {
    return [...this.#fields.keys()];
  }

  /** @param {FieldId} id @param {Entered} entered */
  enter(id, entered) {
    this.#fields.set(id, { id, empty: entered === false, complete: entered === true });
    if (typeof entered === 'string') this.fail(id, entered);
  }

  /** Shows an error at a field, if the form has it; what is in it stays. @param {FieldId} id @param {string} code */
  fail(id, code) {
    const field = this.#fields.get(id);
    if (!field) return;
    this.#fields.set(id, { id, empty: field.empty, complete: false, error: code, message: FAULTS[code] ?? FAULTS.field_refused ?? '' });
  }

  clear() {
    for (const id of this.ids) this.enter(id, false);
  }

  /** Shows all faults, and names them. @returns {FieldError[]} */
  check() {
    for (const { id, complete, error } of this.#fields.values()) if (!complete && !error) this.fail(id, EMPTY[id]);
    return [...this.#fields.values()].flatMap(({ id, error }) => (error ? [{ field: id, code: error }] : []));
  }

  /** @returns {ChangeDetail} */
  report() {
    const fields = Array.from(this.#fields.values(), (field) => ({ ...field }));
    const number = this.#fields.get('CARD_NUMBER');
    const known = number !== undefined && !number.empty;
    const complete = fields.every((field) => field.complete);
    return {
      complete,
      empty: fields.every((field) => field.empty),
      brand: known ? this.#brand : null,
      candidates: known ? [this.#brand] : [...this.#networks],
      fields,
      ...(!complete && { reason: INCOMPLETE }),
    };
  }
}
