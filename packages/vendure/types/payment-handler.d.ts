/**
 * What Vendure asks of a payment method: the payment of an order, which only the plug-in itself may add, and what staff does in the admin. A call of staff that
 * had no answer leaves the payment as it is, and is repeated with the same key.
 */
import { PaymentMethodHandler } from '@vendure/core';
import type { PaidBy } from '@payframe/server/paid-orders';
export type Proof = PaidBy & {
    reference: string;
    amount: number;
};
/** What the plug-in gives to Vendure to add a payment. @param {Proof} proof */
export declare function provenMetadata(proof: Proof): {};
export declare const payframePaymentHandler: PaymentMethodHandler<{}>;
/** By which name the handler finds the calls to the gateway. */
export declare const PAID_ORDERS = "PayframePaidOrders";
