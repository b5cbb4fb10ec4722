/** What the shop's two pages of the class Build have in common. */

import { Key } from 'selenium-webdriver';
import { SeparatePage } from './separate.mjs';

export class BuildPage extends SeparatePage {
  /** Until the class says that every input is up. */
  async loaded() {
    await this.page.until("return document.querySelector('[data-session]').hasAttribute('data-loaded')");
  }

  /** Where the shop says what is wrong with a field. @param {string} id */
  note(id) {
    return `document.getElementById('${id}').nextElementSibling`;
  }

  /** A value and the code that the page hears once the field is left; none where it is good. @param {import('./separate.mjs').FieldId} id @param {string} value @param {string} code */
  async tells(id, value, code) {
    await this.input(id).fill(value);
    // By key: WebKit's driver moves the focus between frames by itself, and then no field hears that it was left.
    await this.input(id).press(Key.TAB);
    await this.noted(this.note(id), code, code ? /./ : /^$/);
  }

  /** Until the payment ended for a cause that is no field's. @param {string} code */
  async ended(code) {
    await this.page.until("return document.querySelector('[data-session]').dataset.code === arguments[0]", code);
  }

  /** @returns {Promise<string>} */
  async session() {
    return this.page.run("return document.querySelector('[data-session]').dataset.session");
  }
}
