// @ts-check
// Translates the widget's messages into events of the Build protocol, and sends them to the page by `postMessage`, to its exact origin. The
// widget exchanges messages with this script over a port, as with the shim of a form. No content of a field is stored or sent here.

import { FIELDS } from './driver.js';
import { onTicks } from './pace.js';

/** @typedef {import('../sdk/build-messages.js').BuildErrorCode} BuildErrorCode */
/** @typedef {import('./port.js').StateObject} StateObject */

/** Classes of the input, for style sheets of merchants. */
const CLASSES = /** @type {const} */ (['is-empty', 'is-focused', 'is-valid', 'is-invalid', 'is-disabled']);

/** The code of the Build protocol for an error of a field. @param {string} field @param {string} error @returns {BuildErrorCode} */
const codeOf = (field, error) => {
  if (field === 'CARD_NUMBER') return /network|not_accepted/.test(error) ? 'HF0005' : 'HF0004';
  return CODES_OF_FIELDS[field] ?? 'HF0001';
};

/** By field: the code for whatever is wrong with it. @type {Record<string, BuildErrorCode>} */
const CODES_OF_FIELDS = { EXPIRATION_DATE: 'HF0006', CARDHOLDER_NAME: 'HF0007', CARDHOLDER_SURNAME: 'HF0007' };

/** For developers. Buyers read a text of the merchant, or the sentence of the field. */
const SENTENCES = {
  HF0002: 'The service is briefly unavailable.',
  HF0003: 'The session has expired.',
  HF0007: 'Some field is not valid.',
  HF0009: 'The device check failed.',
  HF9004: 'The session is in a state that does not allow this.',
};

/** What a refused confirm is called; every other refusal is one of the state. @type {Record<string, keyof typeof SENTENCES>} */
const CODES_OF_REFUSALS = { invalid_data: 'HF0007', offline: 'HF0002', script_blocked: 'HF0002' };

export class BuildEvents {
  /** @type {import('./port.js').FieldBoot} */
  #boot;
  /** @type {import('./driver.js').Driver} */
  #driver;
  /** @type {import('./driver.js').Report[]} */
  #reports = [];
  /** The fields that were reported as valid. @type {Set<string>} */
  #good = new Set();
  #focused = '';
  #state = '';
  /** Whether a confirm runs. */
  #confirming = false;
  /** Numbers of the page's commands that were taken: each command reaches the driver through every frame. */
  #calls = new Set();
  #lastId = 0;
  #port;
  /** The widget's end of the port. */
  widgetPort;

  /** @param {import('./port.js').FieldBoot} boot @param {import('./driver.js').Driver} driver */
  constructor(boot, driver) {
    this.#boot = boot;
    this.#driver = driver;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.widgetPort = port2;
    port1.onmessage = ({ data }) => this.#onMessage(data);
    // The page is back from the back-forward cache: the session's state may have changed meanwhile.
    addEventListener('pageshow', ({ persisted }) => persisted && this.#readState().then((now) => now && now.state !== 'CARD_DATA_COLLECTION' && this.#reportState(now)));
  }

  /** Sends to the page, at a time that does not depend on the fields. @type {(message: import('./parent-channel.js').ToPage) => void} */
  post = onTicks((message) => parent.postMessage(message, this.#boot.merchantOrigin));

  /** A field has become live. @param {Window} frame @param {string} id */
  onFieldLive(frame, id) {
    this.post({ event: 'READY', id });
    this.#updateClasses(id);
  }

  /** @param {string} call */
  confirm(call) {
    if (this.#calls.has(call)) return;
    this.#calls.add(call);
    if (this.#confirming) return;
    this.#confirming = true;
    this.post({ payframe: 1, type: 'build-loading' });
    this.#port.postMessage({ type: 'confirm', id: ++this.#lastId });
  }

  /** @param {import('../sdk/messages.js').FrameMessage} message */
  #onMessage(message) {
    switch (message.type) {
      case 'change':
        return this.#onChange(message.fields);
      case 'focus':
      case 'blur':
        this.#focused = message.type === 'focus' ? message.field : '';
        this.post({ event: message.type === 'focus' ? 'FIELD_FOCUSSED' : 'FIELD_BLURRED', id: message.field });
        this.#reportValid();
        return this.#updateClasses(message.field);
      case 'reply':
        return message.error && this.#onRefusal(message.error.code);
      case 'statechange':
        return this.#onStateChange(message.state);
    }
  }

  /** @param {import('./driver.js').Report[]} reports */
  #onChange(reports) {
    const before = this.#reports;
    this.#reports = reports;
    for (const { id, complete, error, message = '' } of reports) {
      const old = before.find((report) => report.id === id);
      if (error && error !== old?.error) this.post({ event: 'BUILD_ERROR', id, errorCode: codeOf(id, error), errorMessage: message });
      if (!complete || error) this.#good.delete(id);
      this.#updateClasses(id);
    }
    this.#reportValid();
  }

  /** Reports the fields that have become valid. A number that is being typed may be valid at several lengths. */
  #reportValid() {
    for (const { id, complete, error } of this.#reports) {
      if (!complete || error || this.#good.has(id) || (id === 'CARD_NUMBER' && this.#focused === id)) continue;
      this.#good.add(id);
      this.post({ event: 'BUILD_SUCCESS', id });
    }
  }

  /** The widget refused the confirm. @param {string} cause */
  #onRefusal(cause) {
    if (cause !== 'busy') this.#reportFailure(CODES_OF_REFUSALS[cause] ?? 'HF9004');
  }

  /** @param {keyof typeof SENTENCES} errorCode */
  #reportFailure(errorCode) {
    this.#confirming = false;
    const validationStatus = this.#boot.fields.map((/** @type {string} */ id) => ({ id, valid: this.#reports.some((report) => report.id === id && report.complete && !report.error) }));
    this.post({ event: 'CONFIRM_ERROR', id: 'confirmData', errorCode, errorMessage: SENTENCES[errorCode], validationStatus });
  }

  /** @param {import('../sdk/messages.js').FlowState} state of the widget's flow */
  #onStateChange(state) {
    const first = !this.#state;
    this.#state = state;
    for (const id of FIELDS) this.#updateClasses(id);
    // The page knows the first state from its server.
    if (first || state === 'PROCESSING') return;
    if (state === 'EXPIRED') {
      if (this.#confirming) return this.#reportFailure('HF0003');
      return this.post({ event: 'BUILD_ERROR', id: this.#boot.field.id, errorCode: 'HF0003', errorMessage: SENTENCES.HF0003 });
    }
    if (state === 'CARD_DATA_COLLECTION') {
      if (this.#confirming) this.#reportFailure(this.#reports.some((report) => report.error) ? 'HF0007' : 'HF0002');
      return;
    }
    if (state === 'READY_FOR_PAYMENT') return this.#reportState({ state });
    this.#readState().then((now) => {
      if (now) this.#reportState(now);
      else if (this.#confirming) this.#reportFailure('HF0002');
    });
  }

  /** Tells the page the state of the session. @param {StateObject} now */
  #reportState({ state, url, operation, fieldSet }) {
    const wasConfirming = this.#confirming;
    this.#confirming = false;
    if (wasConfirming && operation?.operationResult === 'THREEDS_FAILED') {
      this.post({ event: 'BUILD_ERROR', id: 'GDI', errorCode: 'HF0009', errorMessage: SENTENCES.HF0009 });
    }
    this.post({ event: 'BUILD_FLOW_STATE_CHANGE', state, ...(url && { url }), ...(fieldSet && { fieldSet }), ...(operation && { operation: summary(operation) }) });
  }

  /** The state object of the session. @returns {Promise<StateObject | undefined>} */
  async #readState() {
    const answer = await ask(this.#boot.session, `build/state?sessionId=${encodeURIComponent(this.#boot.session)}`);
    if (answer?.expired) this.post({ event: 'BUILD_ERROR', id: this.#boot.field.id, errorCode: 'HF0003', errorMessage: SENTENCES.HF0003 });
    return answer?.body;
  }

  /** Sets the classes of a field's state on its input. @param {string} id */
  #updateClasses(id) {
    const report = this.#reports.find((known) => known.id === id);
    const { classList, value } = this.#driver.input(id);
    const busy = this.#state !== '' && this.#state !== 'CARD_DATA_COLLECTION';
    const now = [report?.empty ?? !value, this.#focused === id, report?.complete && !report.error, Boolean(report?.error), busy];
    CLASSES.forEach((name, place) => classList.toggle(name, Boolean(now[place])));
  }
}

/**
 * The members of an operation that a browser may know.
 * @param {import('./port.js').OperationSummary} operation @returns {import('../sdk/build-messages.js').BuildOperation}
 */
export const summary = ({ orderId, operationId, operationType, operationResult, operationTime }) => ({ orderId, operationId, operationType, operationResult, operationTime });

/**
 * Sends a request for a session to the gateway. Gives `undefined` if there was no answer.
 * @param {string} session @param {string} path below /api @param {object} [body] makes it a POST
 * @returns {Promise<{ body?: any, expired?: boolean } | undefined>}
 */
export async function ask(session, path, body) {
  try {
    const headers = { session, 'correlation-id': crypto.randomUUID(), ...(body && { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }) };
    const answer = await fetch(`/api/${path}`, { headers, signal: AbortSignal.timeout(35_000), ...(body && { method: 'POST', body: JSON.stringify(body) }) });
    if (answer.ok) return { body: await answer.json() };
    if (answer.status === 401) return { expired: true };
    const { errors } = await answer.json();
    return errors[0].code === 'PS0061' ? { expired: true } : undefined;
  } catch {
    return undefined;
  }
}
