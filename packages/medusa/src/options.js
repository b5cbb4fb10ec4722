// @ts-check
/** The options of the provider, checked when the shop starts. */

/** @import { SessionRequest } from '@payframe/server' */

/** What a shop adds to a session. @typedef {{ order?: Partial<SessionRequest['order']>, paymentSession?: Partial<SessionRequest['paymentSession']>, form?: Partial<NonNullable<SessionRequest['form']>> }} SessionParts */

/**
 * @typedef {object} PayframeOptions
 * @property {string} gateway origin of the gateway
 * @property {string} apiKey of the merchant; it stays on the server
 * @property {string | string[]} notificationSecrets as the gateway printed them, `whsec_…`: the present one, and while it changes also the next
 * @property {string} storefront address of the page that shows the form; its origin has to be proven for the terminal
 * @property {string} backend origin at which the gateway reaches this server, for notifications
 * @property {string} [id] of the provider in `medusa-config`: `payframe` by default
 * @property {boolean} [savedCards] whether customers who are logged in can save cards and pay with them
 * @property {number} [payWithinMinutes] after which time a session that is not paid is closed at the gateway: 1440 by default
 * @property {number} [wakeEveryMs] how often the server looks for what is due: 1000 by default
 * @property {number} [retryMs] after which time work that failed is done again: 10000 by default
 * @property {SessionParts} [session] members of each session, such as the language
 * @property {typeof globalThis.fetch} [fetch] used in place of the global one
 */

/** @typedef {Required<Omit<PayframeOptions, 'session' | 'fetch'>> & Pick<PayframeOptions, 'session' | 'fetch'>} Settings */

/** @param {PayframeOptions} options @returns {Settings} */
export function settingsOf(options) {
  if ([options.notificationSecrets ?? []].flat().length === 0) throw refused('notificationSecrets', 'must have the secret that the gateway printed');
  if (!URL.canParse(options.storefront)) throw refused('storefront', 'must be the address of the page with the form');
  if (!URL.canParse(options.backend)) throw refused('backend', 'must be the origin of this server, as the gateway reaches it');
  return { id: 'payframe', savedCards: false, payWithinMinutes: 24 * 60, wakeEveryMs: 1000, retryMs: 10_000, ...options };
}

/** @param {string} name @param {string} accepted */
const refused = (name, accepted) => new TypeError(`@payframe/medusa: ${name} ${accepted}`);
