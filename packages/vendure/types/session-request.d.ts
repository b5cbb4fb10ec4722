/** What a session of the gateway is opened with, for an order of Vendure. */
import type { SessionRequest } from '@payframe/server';
import type { SessionParts, Settings } from './options.js';
export type Sale = {
    /**
     * id of the order at the gateway
     */
    reference: string;
    due: number;
    currency: string;
    /**
     * of the buyer, as Vendure has it, such as `de` or `pt_BR`
     */
    language: string;
    /**
     * id of a customer who is logged in; a guest has none, whatever e-mail address was typed
     */
    customer: string | undefined;
};
/** @import { SessionRequest } from '@payframe/server' */
/** @import { SessionParts, Settings } from './options.js' */
/**
 * @typedef {object} Sale
 * @property {string} reference id of the order at the gateway
 * @property {number} due
 * @property {string} currency
 * @property {string} language of the buyer, as Vendure has it, such as `de` or `pt_BR`
 * @property {string | undefined} customer id of a customer who is logged in; a guest has none, whatever e-mail address was typed
 */
/** @param {Pick<Settings, 'storefront' | 'shopServer' | 'savedCards'>} settings @param {Sale} sale @param {SessionParts} [parts] of the shop @returns {SessionRequest} */
export declare function sessionRequest({ storefront, shopServer, savedCards }: Pick<Settings, 'storefront' | 'shopServer' | 'savedCards'>, { reference, due, currency, language, customer }: Sale, parts?: SessionParts): SessionRequest;
/** The id of an order at the gateway: the first is the order's code, a later one has a number behind it. @param {string} code @param {number} number */
export declare const referenceOf: (code: string, number: number) => string;
