/** The options of the plug-in, checked when the shop starts. */
import type { Order, RequestContext } from '@vendure/core';
import type { SessionRequest } from '@payframe/server';
export type SessionParts = {
    order?: Partial<SessionRequest['order']>;
    paymentSession?: Partial<SessionRequest['paymentSession']>;
    form?: Partial<NonNullable<SessionRequest['form']>>;
};
export type PayframeOptions = {
    /**
     * origin of the gateway
     */
    gateway: string;
    /**
     * of the merchant; it stays on the server
     */
    apiKey: string;
    /**
     * as the gateway printed them, `whsec_…`: the present one, and while it changes also the next
     */
    notificationSecrets: string | string[];
    /**
     * address of the page that shows the form; its origin has to be proven for the terminal
     */
    storefront: string;
    /**
     * origin at which the gateway reaches this server, for notifications
     */
    shopServer: string;
    /**
     * code of the payment method in Vendure: `payframe` by default
     */
    method?: string;
    /**
     * whether customers with an account can save cards and pay with them
     */
    savedCards?: boolean;
    /**
     * after which time an order that is not paid is closed at the gateway: 1440 by default
     */
    payWithinMinutes?: number;
    /**
     * how often the server looks for what is due: 1000 by default
     */
    wakeEveryMs?: number;
    /**
     * adds members to a session, such as the language
     */
    session?: (ctx: RequestContext, order: Order) => SessionParts;
    /**
     * used in place of the global one
     */
    fetch?: typeof globalThis.fetch;
};
export type Settings = Required<Omit<PayframeOptions, 'session' | 'fetch'>> & Pick<PayframeOptions, 'session' | 'fetch'>;
/** @import { Order, RequestContext } from '@vendure/core' */
/** @import { SessionRequest } from '@payframe/server' */
/** What a shop adds to a session. @typedef {{ order?: Partial<SessionRequest['order']>, paymentSession?: Partial<SessionRequest['paymentSession']>, form?: Partial<NonNullable<SessionRequest['form']>> }} SessionParts */
/**
 * @typedef {object} PayframeOptions
 * @property {string} gateway origin of the gateway
 * @property {string} apiKey of the merchant; it stays on the server
 * @property {string | string[]} notificationSecrets as the gateway printed them, `whsec_…`: the present one, and while it changes also the next
 * @property {string} storefront address of the page that shows the form; its origin has to be proven for the terminal
 * @property {string} shopServer origin at which the gateway reaches this server, for notifications
 * @property {string} [method] code of the payment method in Vendure: `payframe` by default
 * @property {boolean} [savedCards] whether customers with an account can save cards and pay with them
 * @property {number} [payWithinMinutes] after which time an order that is not paid is closed at the gateway: 1440 by default
 * @property {number} [wakeEveryMs] how often the server looks for what is due: 1000 by default
 * @property {(ctx: RequestContext, order: Order) => SessionParts} [session] adds members to a session, such as the language
 * @property {typeof globalThis.fetch} [fetch] used in place of the global one
 */
/** @typedef {Required<Omit<PayframeOptions, 'session' | 'fetch'>> & Pick<PayframeOptions, 'session' | 'fetch'>} Settings */
/** Address of the notifications below `shopServer`. */
export declare const NOTIFICATIONS = "payframe/notifications";
/** @param {PayframeOptions} options @returns {Settings} */
export declare function settingsOf(options: PayframeOptions): Settings;
