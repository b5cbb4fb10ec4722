// @ts-check
/** A shop of Medusa with the provider. Its catalogue is made by the test, through the Admin API. */

const { defineConfig } = require('@medusajs/framework/utils');

const { DATABASE_URL, PAYFRAME_GATEWAY, PAYFRAME_API_KEY, PAYFRAME_SECRET, STOREFRONT, NOTIFICATIONS } = process.env;

module.exports = defineConfig({
  projectConfig: {
    databaseUrl: DATABASE_URL,
    databaseDriverOptions: { ssl: false, connection: { ssl: false } },
    http: { storeCors: '/.*/', adminCors: '/.*/', authCors: '/.*/', jwtSecret: 'test', cookieSecret: 'test' },
  },
  admin: { disable: true },
  modules: [
    {
      resolve: '@medusajs/medusa/payment',
      options: {
        webhook_delay: 100,
        providers: [
          {
            resolve: '@payframe/medusa',
            id: 'payframe',
            options: { gateway: PAYFRAME_GATEWAY, apiKey: PAYFRAME_API_KEY, notificationSecrets: PAYFRAME_SECRET, storefront: STOREFRONT, backend: NOTIFICATIONS, savedCards: true, retryMs: 3000 },
          },
        ],
      },
    },
  ],
});
