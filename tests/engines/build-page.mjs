/** What the shop's two pages of the class Build have in common. */

import { Key } from 'selenium-webdriver';
import { SeparatePage } from './separate.mjs';

export class BuildPage extends SeparatePage {
  /** Waits until the class reports that every input is live. */
  async loaded() {
    await this.page.until("return document.querySelector('[data-session]').hasAttribute('data-loaded')");
  }

  /** The place where the shop shows an error of a field. @param {string} id */
  note(id) {
    return `document.getElementById('${id}').nextElementSibling`;
  }

  /** Enters a value and waits for the code that the page gets once the field is left; an empty code for a valid value. @param {import('./separate.mjs').FieldId} id @param {string} value @param {string} code */
  async tells(id, value, code) {
    await this.input(id).fill(value);
    // By key: WebKit's driver moves the focus between frames by itself, and then no field gets a `blur`.
    await this.input(id).press(Key.TAB);
    await this.noted(this.note(id), code, code ? /./ : /^$/);
  }

  /** Waits until the payment has ended with an error that belongs to no field. @param {string} code */
  async ended(code) {
    await this.page.until("return document.querySelector('[data-session]').dataset.code === arguments[0]", code);
  }

  /** @returns {Promise<string>} */
  async session() {
    return this.page.run("return document.querySelector('[data-session]').dataset.session");
  }
}
