// @ts-check
/** Who uses a fake form: enters states of fields, never values, and presses buttons. */

import { machineOf } from './form-element.js';

/** @import { FieldId, PaymentFormElement, ResultDetail } from '@payframe/form' */
/** @import { Entered } from './entry.js' */

export class Buyer {
  #form;
  #machine;

  /** @param {PaymentFormElement} form a fake one */
  constructor(form) {
    this.#form = form;
    this.#machine = machineOf(form);
  }

  /**
   * Enters something into each field, in order: good values, unless another is given. Waits for the form.
   * @param {{ [K in FieldId]?: Entered }} [entered] @returns {Promise<void>}
   */
  async fill(entered = {}) {
    await this.#machine.whenReady();
    for (const field of this.#machine.fields) await this.enter(field, entered[field] ?? true);
  }

  /** @param {FieldId} field @param {Entered} [entered] @returns {Promise<void>} */
  async enter(field, entered = true) {
    await this.#machine.enter(field, entered);
  }

  /** Takes the focus out of the form. */
  leave() {
    this.#machine.leave();
  }

  /**
   * Presses the form's own button, and tells the result: what the page hears as `result`. Rejects with a `PayframeError` if nothing was sent, or if no
   * result is possible any more.
   * @returns {Promise<ResultDetail>}
   */
  async pay() {
    if (this.#form.button === 'hidden') throw new TypeError('The form shows no pay button: press the one of the page.');
    return this.#machine.press();
  }

  /** Presses Enter in a field: where the page has its own button and its own fields, the page hears `enter`; elsewhere it pays. @param {FieldId} field @returns {Promise<void>} */
  async pressEnter(field) {
    await this.#machine.whenReady();
    if (this.#form.button === 'hidden' && this.#form.layout === 'fields') this.#machine.emit('enter', { field });
    else if (this.#form.button !== 'hidden') await this.#machine.press();
  }

  /** Presses the form's cancel button, or the one of the bank's page. @returns {Promise<void>} */
  async cancel() {
    await this.#machine.cancel();
  }
}
