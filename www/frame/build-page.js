// @ts-check
// The way from the widget in a frame of the Build protocol to the merchant's page. The widget's late part makes events of what the widget
// says (`src/build_events.rs`); this script sends them by `postMessage`, to the page's exact origin. No content of a field comes here.

import { onTicks } from './pace.js';

export class BuildPage {
  /** @type {import('./port.js').FieldBoot} */
  #boot;
  /** From and to the widget, as for the shim of a form. */
  #widget = new MessageChannel();
  /** To and from its late part. What the widget says before waits here. */
  #latePart = new MessageChannel();
  #isLatePartThere = false;

  /** @param {import('./port.js').FieldBoot} boot */
  constructor(boot) {
    this.#boot = boot;
    this.#widget.port1.onmessage = ({ data }) => this.#onSaid(data);
    this.#latePart.port1.onmessage = ({ data }) => this.post(data);
    globalThis.payframeBuildPort = () => {
      this.#isLatePartThere = true;
      return this.#latePart.port2;
    };
  }

  /** The widget's end of its port. */
  get widgetPort() {
    return this.#widget.port2;
  }

  /** Sends to the page, at a time that does not depend on the fields. @type {(message: import('./parent-channel.js').ToPage) => void} */
  post = onTicks((message) => parent.postMessage(message, this.#boot.merchantOrigin));

  /** Passes on the page's command to send the card. @param {string} call its number: the command comes once through every frame */
  confirm(call) {
    this.#widget.port1.postMessage(/** @satisfies {import('../sdk/messages.js').ShimCommand & { call: string }} */ ({ type: 'confirm', id: 0, call }));
  }

  /** @param {import('../sdk/messages.js').FrameMessage} message */
  #onSaid(message) {
    const isRefusal = message.type === 'error' || message.type === 'reply';
    if (this.#isLatePartThere || !isRefusal) this.#latePart.port1.postMessage(message);
    // The late part did not load, and nothing was sent: one error for all commands that waited for it.
    else if (message.type === 'error') this.#confirmFailed();
  }

  #confirmFailed() {
    const validationStatus = this.#boot.fields.map((id) => ({ id, valid: false }));
    this.post({ event: 'CONFIRM_ERROR', id: 'confirmData', errorCode: 'HF0002', errorMessage: 'The service is briefly unavailable.', validationStatus });
  }
}
