// @ts-check
/** A shop of Vendure with the plug-in: `node shop.mjs`. Its catalogue is made by the test, through the Admin API. */

import { bootstrap, DefaultGuestCheckoutStrategy, DefaultLogger, EventBus, LogLevel, OrderStateTransitionEvent } from '@vendure/core';
import { PayframePlugin } from '@payframe/vendure';

const { PORT, DATABASE_URL, PAYFRAME_GATEWAY = '', PAYFRAME_API_KEY = '', PAYFRAME_SECRET = '', STOREFRONT = '', NOTIFICATIONS = '' } = process.env;

const app = await bootstrap({
  apiOptions: { port: Number(PORT), hostname: '127.0.0.1', adminApiPath: 'admin-api', shopApiPath: 'shop-api' },
  authOptions: { tokenMethod: 'bearer', requireVerification: false, superadminCredentials: { identifier: 'staff', password: 'staff' }, cookieOptions: { secret: 'test' } },
  dbConnectionOptions: { type: 'postgres', url: DATABASE_URL, synchronize: true, logging: false },
  // The harder case: a guest may type the address of somebody who has an account.
  orderOptions: { guestCheckoutStrategy: new DefaultGuestCheckoutStrategy({ allowGuestCheckoutForRegisteredCustomers: true }) },
  paymentOptions: { paymentMethodHandlers: [] },
  logger: new DefaultLogger({ level: LogLevel.Info, timestamp: true }),
  plugins: [
    PayframePlugin.init({
      gateway: PAYFRAME_GATEWAY,
      apiKey: PAYFRAME_API_KEY,
      notificationSecrets: PAYFRAME_SECRET,
      storefront: STOREFRONT,
      shopServer: NOTIFICATIONS,
      savedCards: true,
    }),
  ],
});
app.get(EventBus).ofType(OrderStateTransitionEvent).subscribe(({ order, toState }) => console.log(`order ${order.code} is ${toState}`));
process.once('SIGTERM', () => app.close());
console.log(`listening on ${PORT}`);
