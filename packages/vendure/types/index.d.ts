/** Payframe as a plug-in of Vendure 3. */
import { payframePaymentHandler } from './payment-handler.js';
import { PayframePayment } from './payment-row.js';
export type PayframeOptions = import('./options.js').PayframeOptions;
export type SessionParts = import('./options.js').SessionParts;
import type { Settings } from './options.js';
/** @typedef {import('./options.js').PayframeOptions} PayframeOptions */
/** @typedef {import('./options.js').SessionParts} SessionParts */
/** @import { Settings } from './options.js' */
export { payframePaymentHandler, PayframePayment };
/** `plugins: [PayframePlugin.init({ … })]` in the configuration of the shop, and a payment method with the handler `payframe`. */
export declare class PayframePlugin {
    /** @type {Settings | undefined} */
    static settings: Settings | undefined;
    /** @param {PayframeOptions} options */
    static init(options: PayframeOptions): typeof PayframePlugin;
}
