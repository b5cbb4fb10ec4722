// @ts-check
/** Payframe as a payment provider of Medusa 2: `{ resolve: '@payframe/medusa', id: 'payframe', options: { … } }` among the providers of the payment module. */

import { ModuleProvider, Modules } from '@medusajs/framework/utils';
import { PayframeProvider } from './provider.js';

/** @typedef {import('./options.js').PayframeOptions} PayframeOptions */
/** @typedef {import('./options.js').SessionParts} SessionParts */

export { PayframeProvider };

/** Begins to look for what is due when the shop starts: an order may have been paid while it was down. @param {import('@medusajs/framework/types').LoaderOptions} loaded */
async function wake({ container, options }) {
  new PayframeProvider(/** @type {any} */ (container.cradle), /** @type {any} */ (options)).wakeRegularly();
}

export default ModuleProvider(Modules.PAYMENT, { services: [PayframeProvider], loaders: [wake] });
