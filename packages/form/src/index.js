// @ts-check
/**
 * Payframe for a merchant's page: loads the form from the gateway. Types are in `types/index.d.ts`.
 * Importing it has no effects, also on a server.
 */

export { isPayframeError, PayframeError } from './errors.js';
export { loadFields, loadPayframe } from './load.js';
