// @ts-check
/**
 * A fake form without its element: loading, what the buyer enters, calls, and the payment. The order of events is that of the real form;
 * `tests/e2e/fake.test.mjs` compares both. Steps are promises, never timers.
 */

import { defer } from './deferred.js';
import { Entry } from './entry.js';
import { PayframeError } from './error.js';
import { originOf } from './options.js';
import { courseOf } from './outcomes.js';

/** @import { FieldError, FieldId, FlowState, PaymentFormElement, PaymentFormEventMap, ResultDetail, PayframeErrorCode } from '@payframe/form' */
/** @import { Deferred } from './deferred.js' */
/** @import { Entered } from './entry.js' */
/** @import { Course, Plan, ResultPlan } from './outcomes.js' */

/**
 * What tests decide, for all forms of a window.
 * @typedef {object} Settings
 * @property {() => Plan | Promise<Plan>} nextOutcome
 * @property {'ready' | PayframeErrorCode | Promise<'ready' | PayframeErrorCode>} load how a load ends
 * @property {PayframeErrorCode | undefined} refusal what `confirm()` rejects with
 * @property {PayframeErrorCode | undefined} sessionRefusal what `update({ session })` rejects with
 * @property {readonly FieldId[]} fields
 * @property {readonly string[]} networks
 * @property {string} brand
 * @property {string} orderId
 * @property {() => string} nextOperationId
 */

/**
 * What the element is to its form.
 * @typedef {object} Host
 * @property {PaymentFormElement} element
 * @property {() => boolean} isDisabled
 * @property {(session: string) => void} replaceSession without another load
 */

/** @typedef {'' | 'loading' | 'ready' | 'failed'} Stage */
/** @typedef {keyof PaymentFormEventMap} EventName */

/** In these states the form works on a press. @type {readonly (FlowState | undefined)[]} */
const BUSY = ['PROCESSING', 'READY_FOR_PAYMENT', 'FINALIZING', 'CHALLENGE', 'REDIRECTED_TO_EXTERNAL_DOMAIN'];

export class Machine {
  #settings;
  #host;
  /** @type {Stage} */
  #stage = '';
  /** @type {FlowState | undefined} */
  #flow;
  /** @type {Entry} */
  #entry;
  /** @type {FieldId | undefined} */
  #focused;
  /** The last report, as text; empty until the buyer or a call has changed something. */
  #reported = '';
  /** Why calls are refused. @type {PayframeError | undefined} */
  #refusal;
  /** @type {Deferred<void>} */
  #live = defer();
  /** The payment that runs. @type {Deferred<ResultDetail> | undefined} */
  #payment;
  /** The page's call that waits for its outcome. @type {Promise<ResultDetail> | undefined} */
  #confirmation;
  /** Ends what the buyer gives up on the bank's page. @type {Deferred<'cancelled'> | undefined} */
  #challenge;

  /** @param {Settings} settings @param {Host} host */
  constructor(settings, host) {
    this.#settings = settings;
    this.#host = host;
    this.#entry = new Entry(settings.fields, settings.networks, settings.brand);
  }

  get stage() {
    return this.#stage;
  }

  get isCollecting() {
    return this.#flow === 'CARD_DATA_COLLECTION' || this.#flow === 'PAYMENT_METHOD_SELECTION';
  }

  /** @returns {FieldId[]} */
  get fields() {
    return this.#entry.ids;
  }

  // ---- Loading ----------------------------------------------------------------------------------------------------------

  async load() {
    const { gateway, session } = this.#host.element;
    this.#refusal = undefined;
    this.#stage = 'loading';
    this.showStates();
    const live = this.#live;
    try {
      originOf(gateway);
      if (!session) throw new PayframeError('session_missing');
      const end = await this.#settings.load;
      if (live !== this.#live) return;
      if (end !== 'ready') throw new PayframeError(end);
    } catch (error) {
      if (live === this.#live) this.fail(/** @type {PayframeError} */ (error));
      return;
    }
    this.#stage = 'ready';
    live.resolve();
    this.emit('ready', null);
    this.#go('CARD_DATA_COLLECTION');
  }

  /** The frame is gone. Calls that wait are sent to the next one; those that were sent reject. @param {PayframeError} error */
  close(error) {
    const { stage } = this;
    this.#stage = '';
    this.#flow = this.#focused = undefined;
    this.#reported = '';
    const { fields, networks, brand } = this.#settings;
    this.#entry = new Entry(fields, networks, brand);
    if (stage === 'ready' || stage === 'failed') this.#live = defer();
    else if (stage === 'loading') this.#live = chained(this.#live);
    this.#payment?.reject(error);
    this.#payment = this.#confirmation = this.#challenge = undefined;
    this.showStates();
  }

  /** Calls reject from now on. @param {PayframeError} error */
  refuse(error) {
    this.#refusal = error;
    this.#live.reject(error);
    this.#live = defer();
    this.#payment?.reject(error);
    this.#payment = undefined;
  }

  /** A fatal error. @param {PayframeError} error */
  fail(error) {
    this.#stage = 'failed';
    this.#flow = this.#focused = undefined;
    this.#reported = '';
    this.refuse(error);
    if (this.emit('error', { code: error.code, message: error.message, fatal: true })) console.error(error);
  }

  /** Resolves once the form can be used. */
  async whenReady() {
    if (this.#refusal) throw this.#refusal;
    if (this.#stage !== 'ready') await this.#live.promise;
  }

  // ---- Calls ------------------------------------------------------------------------------------------------------------

  /** @param {{ signal?: AbortSignal }} [options] @returns {Promise<ResultDetail>} */
  async confirm({ signal } = {}) {
    if (signal?.aborted) throw new PayframeError('aborted');
    if (this.#host.isDisabled()) throw new PayframeError('wrong_state', 'the form is disabled');
    const waiting = this.#confirmation;
    if (waiting) return waiting;
    const withdrawn = defer();
    signal?.addEventListener('abort', () => withdrawn.reject(new PayframeError('aborted')), { once: true });
    const confirmation = (async () => {
      await Promise.race([this.whenReady(), withdrawn.promise]);
      if (this.#settings.refusal) throw new PayframeError(this.#settings.refusal);
      return this.#pay();
    })();
    this.#confirmation = confirmation;
    const done = () => {
      if (this.#confirmation === confirmation) this.#confirmation = undefined;
    };
    confirmation.then(done, done);
    return confirmation;
  }

  /** The buyer presses Pay. @returns {Promise<ResultDetail>} */
  async press() {
    await this.whenReady();
    return this.#pay();
  }

  async cancel() {
    await this.whenReady();
    if (this.#challenge) this.#challenge.resolve('cancelled');
    else if (this.isCollecting) await this.#finish({ outcome: 'cancelled' });
  }

  /** @param {FieldId} [field] */
  async focus(field) {
    await this.whenReady();
    const [first] = this.#entry.ids;
    if (!this.isCollecting || (field && !this.#entry.ids.includes(field))) throw new PayframeError('wrong_state');
    this.#focus(field ?? first);
  }

  async clear() {
    await this.#collecting();
    this.#entry.clear();
    this.#report();
  }

  /** @returns {Promise<FieldError[]>} */
  async validate() {
    await this.#collecting();
    const faults = this.#entry.check();
    this.#report();
    return faults;
  }

  /** @param {{ field?: FieldId, code: string }} error */
  async showServerError({ field, code }) {
    const isCode = (/** @type {unknown} */ word) => typeof word === 'string' && /^\w{1,64}$/.test(word);
    if (!isCode(code) || !(field === undefined || isCode(field))) throw new PayframeError('bad_option', `setServerError: ${field}, ${code}`);
    await this.#collecting();
    if (field) this.#entry.fail(field, code);
    this.#report();
  }

  /** @param {string} session */
  async takeOver(session) {
    await this.whenReady();
    if (!this.isCollecting) throw new PayframeError('wrong_state');
    if (this.#settings.sessionRefusal) throw new PayframeError(this.#settings.sessionRefusal);
    this.#host.replaceSession(session);
  }

  // ---- The buyer, and time ----------------------------------------------------------------------------------------------

  /** @param {FieldId} field @param {Entered} entered */
  async enter(field, entered) {
    await this.whenReady();
    if (!this.fields.includes(field)) throw new RangeError(`The form has no field ${field}; it has ${this.fields.join(', ')}.`);
    await this.focus(field);
    this.#entry.enter(field, entered);
    this.#report();
  }

  /** The focus leaves the form. */
  leave() {
    this.#focus(undefined);
  }

  /** The session ends: another one takes over if the page gives one. */
  async expire() {
    await this.whenReady();
    if (!(await this.#renew())) this.#end();
  }

  // ---- The payment --------------------------------------------------------------------------------------------------------

  /** @returns {Promise<ResultDetail>} */
  async #pay() {
    if (this.#payment) throw new PayframeError('busy');
    if (!this.isCollecting) throw new PayframeError('wrong_state');
    const [fault] = this.#entry.check();
    if (fault) {
      this.#report();
      this.#focus(fault.field);
      throw new PayframeError('invalid_data');
    }
    const payment = (this.#payment = /** @type {Deferred<ResultDetail>} */ (defer()));
    this.#run(payment).catch((error) => payment.reject(error));
    return payment.promise;
  }

  /** @param {Deferred<ResultDetail>} payment */
  async #run(payment) {
    this.leave();
    this.#go('PROCESSING');
    let course = courseOf(await this.#settings.nextOutcome());
    if (course.ends === 'expired' && payment === this.#payment && (await this.#renew())) {
      if (payment === this.#payment) this.#go('PROCESSING');
      course = courseOf(await this.#settings.nextOutcome());
    }
    // The form has gone, or was loaded again.
    if (payment !== this.#payment) return;
    if (course.ends === 'result') return this.#play(course, payment);
    this.#payment = undefined;
    if (course.ends === 'expired') payment.resolve(this.#end());
    else this.#break(course, payment);
  }

  /** @param {ResultPlan} plan @param {Deferred<ResultDetail>} payment */
  async #play(plan, payment) {
    // The code is kept no longer than it is needed.
    if (this.#entry.ids.includes('SECURITY_CODE')) this.#entry.enter('SECURITY_CODE', false);
    this.#report();
    if (plan.serverCloses) {
      this.#go('READY_FOR_PAYMENT');
      await plan.serverCloses;
      if (payment !== this.#payment) return;
    }
    this.#go('FINALIZING');
    if (plan.challenge) {
      this.#challenge = defer();
      this.#go('CHALLENGE');
      const end = await Promise.race([this.#challenge.promise, plan.challenge]);
      if (payment !== this.#payment) return;
      this.#challenge = undefined;
      if (end === 'cancelled') {
        this.#go('FINALIZING');
        plan = { outcome: 'cancelled', cause: 'challenge_cancelled' };
      }
    }
    payment.resolve(await this.#finish(plan, BUSY.includes(this.#flow)));
  }

  /** @param {ResultPlan} plan @param {boolean} [isFinalizing] @returns {Promise<ResultDetail>} */
  async #finish({ outcome, operationId = this.#settings.nextOperationId(), final = outcome !== 'declined', cause, bin, last4 }, isFinalizing = false) {
    if (!isFinalizing) this.#go('FINALIZING');
    /** @type {ResultDetail} */
    const result = { outcome, orderId: this.#settings.orderId, operationId, ...(cause && { cause }), final, ...(bin && { bin }), ...(last4 && { last4 }) };
    this.#payment = undefined;
    this.#go(final ? 'PAYMENT_COMPLETE' : 'CARD_DATA_COLLECTION');
    this.emit('result', result);
    if (!final && this.#entry.ids.includes('SECURITY_CODE')) this.#focus('SECURITY_CODE');
    return result;
  }

  /** The session is over. @returns {ResultDetail} */
  #end() {
    /** @type {ResultDetail} */
    const result = { outcome: 'failed', orderId: this.#settings.orderId, final: true };
    this.#go('EXPIRED');
    this.emit('result', result);
    this.#tell(new PayframeError('session_expired', 'build session expired'));
    return result;
  }

  /** @param {Extract<Course, { ends: 'error' }>} course @param {Deferred<ResultDetail>} payment */
  #break({ error: code, message, fatal = false }, payment) {
    const error = new PayframeError(code, message);
    if (fatal) {
      payment.reject(error);
      this.fail(error);
      return;
    }
    this.#go('CARD_DATA_COLLECTION');
    this.#tell(error);
    payment.reject(new PayframeError('not_completed'));
  }

  /** Another session of the page, if it gives one. @returns {Promise<boolean>} */
  async #renew() {
    const { element, replaceSession } = this.#host;
    let session = '';
    try {
      session = (await element.renewSession?.()) ?? '';
    } catch {
      // No session.
    }
    if (session) replaceSession(session);
    return session !== '';
  }

  // ---- What the page hears --------------------------------------------------------------------------------------------

  async #collecting() {
    await this.whenReady();
    if (!this.isCollecting) throw new PayframeError('wrong_state');
  }

  /** @param {FlowState} state */
  #go(state) {
    this.#flow = state;
    this.emit('statechange', { state });
  }

  /** @param {FieldId | undefined} field */
  #focus(field) {
    const former = this.#focused;
    if (former === field) return;
    this.#focused = undefined;
    if (former) this.emit('blur', { field: former });
    this.#focused = field;
    if (field) this.emit('focus', { field });
  }

  #report() {
    const report = this.#entry.report();
    const text = JSON.stringify(report);
    // What has not changed is not told again.
    if (text === this.#reported) return;
    this.#reported = text;
    this.emit('change', report);
  }

  /** @param {PayframeError} error */
  #tell({ code, message }) {
    this.emit('error', { code, message, fatal: false });
  }

  /** @template {EventName} K @param {K} type @param {PaymentFormEventMap[K]['detail']} detail @returns {boolean} whether its default goes on */
  emit(type, detail) {
    this.showStates();
    const { element } = this.#host;
    const { CustomEvent } = /** @type {Window & typeof globalThis} */ (element.ownerDocument.defaultView);
    return element.dispatchEvent(new CustomEvent(type, { detail, cancelable: true }));
  }

  showStates() {
    const { complete, empty, fields } = this.#entry.report();
    const names = [
      this.#stage,
      BUSY.includes(this.#flow) && 'busy',
      this.#reported && complete && 'complete',
      this.#reported && (empty ? 'empty' : 'filled'),
      this.#reported && fields.some(({ error }) => error) && 'invalid',
      this.#focused && 'focused',
    ];
    this.#host.element.dataset.state = names.filter(Boolean).join(' ');
  }
}

/** Another promise for the next load, to which those who wait for the former one belong too. @param {Deferred<void>} former @returns {Deferred<void>} */
function chained(former) {
  /** @type {Deferred<void>} */
  const next = defer();
  next.promise.then(former.resolve, former.reject);
  return next;
}
