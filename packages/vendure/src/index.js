// @ts-check
/** Payframe as a plug-in of Vendure 3. */

import { PluginCommonModule, VendurePlugin } from '@vendure/core';
import { Payframe } from '@payframe/server';
import { PaidOrders } from '@payframe/server/paid-orders';
import { keepRawBody, PayframeNotifications } from './notifications.js';
import { NOTIFICATIONS, settingsOf } from './options.js';
import { PAID_ORDERS, payframePaymentHandler } from './payment-handler.js';
import { PayframePayment } from './payment-row.js';
import { CLIENT, PayframeService, SETTINGS } from './payment-service.js';
import { PayframeShopResolver, schema } from './shop-api.js';

/** @typedef {import('./options.js').PayframeOptions} PayframeOptions */
/** @typedef {import('./options.js').SessionParts} SessionParts */
/** @import { Settings } from './options.js' */

export { payframePaymentHandler, PayframePayment };

/** `plugins: [PayframePlugin.init({ … })]` in the configuration of the shop, and a payment method with the handler `payframe`. */
export class PayframePlugin {
  /** @type {Settings | undefined} */
  static settings;

  /** @param {PayframeOptions} options */
  static init(options) {
    PayframePlugin.settings = settingsOf(options);
    return PayframePlugin;
  }
}

/** @returns {Settings} */
function settings() {
  if (!PayframePlugin.settings) throw new Error('PayframePlugin.init() was not called');
  return PayframePlugin.settings;
}

VendurePlugin({
  imports: [PluginCommonModule],
  compatibility: '^3.0.0',
  entities: [PayframePayment],
  controllers: [PayframeNotifications],
  providers: [
    { provide: SETTINGS, useFactory: settings },
    { provide: CLIENT, useFactory: () => new Payframe({ gateway: settings().gateway, apiKey: settings().apiKey, fetch: settings().fetch }) },
    { provide: PAID_ORDERS, useFactory: (/** @type {Payframe} */ payframe) => new PaidOrders(payframe), inject: [CLIENT] },
    PayframeService,
  ],
  shopApiExtensions: { schema, resolvers: [PayframeShopResolver] },
  configuration(config) {
    config.paymentOptions.paymentMethodHandlers.push(payframePaymentHandler);
    config.apiOptions.middleware.push({ route: `/${NOTIFICATIONS}`, handler: /** @type {any} */ (keepRawBody), beforeListen: true });
    return config;
  },
})(PayframePlugin);
