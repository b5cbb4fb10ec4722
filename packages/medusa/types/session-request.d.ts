/** What a session of the gateway is opened with, for a payment session of Medusa. */
import type { SessionRequest } from '@payframe/server';
import type { Settings } from './options.js';
export type Sale = {
    reference: string;
    due: number;
    currency: string;
    customer: string | undefined;
};
/** @import { SessionRequest } from '@payframe/server' */
/** @import { Settings } from './options.js' */
/** @typedef {{ reference: string, due: number, currency: string, customer: string | undefined }} Sale `customer`: id of a customer who is logged in */
/** @param {Pick<Settings, 'storefront' | 'backend' | 'savedCards' | 'id' | 'session'>} settings @param {Sale} sale @returns {SessionRequest} */
export declare function sessionRequest({ storefront, backend, savedCards, id, session: parts }: Pick<Settings, 'storefront' | 'backend' | 'savedCards' | 'id' | 'session'>, { reference, due, currency, customer }: Sale): SessionRequest;
/** The id of an order at the gateway: it takes 27 characters, and those of Medusa behind `payses_` are 26. @param {string} sessionId */
export declare const referenceOf: (sessionId: string) => string;
