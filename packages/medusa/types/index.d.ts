/** Payframe as a payment provider of Medusa 2: `{ resolve: '@payframe/medusa', id: 'payframe', options: { … } }` among the providers of the payment module. */
import { PayframeProvider } from './provider.js';
export type PayframeOptions = import('./options.js').PayframeOptions;
export type SessionParts = import('./options.js').SessionParts;
/** @typedef {import('./options.js').PayframeOptions} PayframeOptions */
/** @typedef {import('./options.js').SessionParts} SessionParts */
export { PayframeProvider };
declare const _default: import("@medusajs/framework/types").ModuleProviderExports;
export default _default;
