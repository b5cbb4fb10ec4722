// @ts-check
/** What a fake payment comes to, as a test says it. */

/** @import { Outcome, PayframeErrorCode, ResultDetail } from '@payframe/form' */

/**
 * The outcome in detail. `challenge`: the bank's page is shown first; with a promise, until it resolves. `serverCloses`: the merchant's server closes the payment
 * (`READY_FOR_PAYMENT`); with a promise, when it resolves.
 * @typedef {{ outcome: Outcome, challenge?: boolean | Promise<unknown>, serverCloses?: boolean | Promise<unknown> }
 *   & Partial<Pick<ResultDetail, 'operationId' | 'cause' | 'final' | 'bin' | 'last4'>>} ResultPlan
 */
/** The form breaks instead: fatal, or it is editable again. @typedef {{ error: PayframeErrorCode, message?: string, fatal?: boolean }} ErrorPlan */
/**
 * An outcome of the form; `challenged`: approved after the bank's page; `expired`: the session has ended.
 * @typedef {Outcome | 'challenged' | 'expired' | ResultPlan | ErrorPlan} Plan
 */

/** @typedef {{ ends: 'result' } & ResultPlan | { ends: 'error' } & ErrorPlan | { ends: 'expired' }} Course */

/** @type {readonly string[]} */
const OUTCOMES = ['approved', 'pending', 'declined', 'cancelled', 'failed', 'reversed', 'unknown'];

/** @param {Plan} plan @returns {Course} */
export function courseOf(plan) {
  if (plan === 'expired') return { ends: 'expired' };
  if (plan === 'challenged') return { ends: 'result', outcome: 'approved', challenge: true };
  if (typeof plan === 'object' && 'error' in plan) return { ends: 'error', ...plan };
  const given = typeof plan === 'object' ? plan : { outcome: plan };
  if (OUTCOMES.includes(given.outcome)) return { ends: 'result', ...given };
  throw new TypeError(`There is no outcome "${given.outcome}"; there are ${[...OUTCOMES, 'challenged', 'expired'].join(', ')}, { outcome, … } and { error, … }.`);
}
