/**
 * The payment provider. A payment session of Medusa is one order at the gateway, kept by the order book; its payment is authorized if the gateway says that the money is
 * held. Where neither the storefront nor a notification completes the cart, the book does, through Medusa's own event for notifications.
 */
import { AbstractPaymentProvider } from '@medusajs/framework/utils';
import type * as Medusa from '@medusajs/framework/types';
import type { PayframeOptions } from './options.js';
import type { Database } from './rows.js';
export type Cradle = {
    __pg_connection__: Database;
    event_bus: Medusa.IEventBusModuleService;
    logger: Medusa.Logger;
};
/** @import * as Medusa from '@medusajs/framework/types' */
/** @import { BookRow } from '@payframe/server/order-book' */
/** @import { PayframeOptions, Settings } from './options.js' */
/** @import { Database } from './rows.js' */
/** @typedef {{ __pg_connection__: Database, event_bus: Medusa.IEventBusModuleService, logger: Medusa.Logger }} Cradle */
/** @extends {AbstractPaymentProvider<PayframeOptions>} */
export declare class PayframeProvider extends AbstractPaymentProvider<PayframeOptions> {
    #private;
    /** @override */
    static identifier: string;
    /** @override @param {Record<string, unknown>} options */
    static validateOptions(options: Record<string, unknown>): void;
    /** @param {Cradle} cradle @param {PayframeOptions} options */
    constructor(cradle: Cradle, options: PayframeOptions);
    /** Looks for what is due, from now on. Medusa makes a provider only when it is first asked, so that this is for a loader. */
    wakeRegularly(): void;
    /** @override @param {Medusa.InitiatePaymentInput} input @returns {Promise<Medusa.InitiatePaymentOutput>} */
    initiatePayment({ amount, currency_code, data, context }: Medusa.InitiatePaymentInput): Promise<Medusa.InitiatePaymentOutput>;
    /** The sum has changed: the open session gets the new one. @override @param {Medusa.UpdatePaymentInput} input @returns {Promise<Medusa.UpdatePaymentOutput>} */
    updatePayment({ amount, currency_code, data }: Medusa.UpdatePaymentInput): Promise<Medusa.UpdatePaymentOutput>;
    /** The buyer's cart is no longer paid by this session: money that comes goes back. @override @param {Medusa.DeletePaymentInput} input */
    deletePayment({ data }: Medusa.DeletePaymentInput): Promise<{
        data: Record<string, unknown> | undefined;
    }>;
    /** @override @param {Medusa.AuthorizePaymentInput} input @returns {Promise<Medusa.AuthorizePaymentOutput>} */
    authorizePayment({ data }: Medusa.AuthorizePaymentInput): Promise<Medusa.AuthorizePaymentOutput>;
    /** @override @param {Medusa.GetPaymentStatusInput} input @returns {Promise<Medusa.GetPaymentStatusOutput>} */
    getPaymentStatus({ data }: Medusa.GetPaymentStatusInput): Promise<Medusa.GetPaymentStatusOutput>;
    /** @override @param {Medusa.RetrievePaymentInput} input @returns {Promise<Medusa.RetrievePaymentOutput>} */
    retrievePayment({ data }: Medusa.RetrievePaymentInput): Promise<Medusa.RetrievePaymentOutput>;
    /** Medusa names the capture, not its amount. @override @param {Medusa.CapturePaymentInput} input @returns {Promise<Medusa.CapturePaymentOutput>} */
    capturePayment({ data, context }: Medusa.CapturePaymentInput): Promise<Medusa.CapturePaymentOutput>;
    /** @override @param {Medusa.RefundPaymentInput} input @returns {Promise<Medusa.RefundPaymentOutput>} */
    refundPayment({ amount, data, context }: Medusa.RefundPaymentInput): Promise<Medusa.RefundPaymentOutput>;
    /** The order is cancelled, or could not be made: what is held goes back. @override @param {Medusa.CancelPaymentInput} input @returns {Promise<Medusa.CancelPaymentOutput>} */
    cancelPayment({ data }: Medusa.CancelPaymentInput): Promise<Medusa.CancelPaymentOutput>;
    /** A notification, or the book's own reminder: both only make the shop ask. @override @param {Medusa.ProviderWebhookPayload['payload']} payload @returns {Promise<Medusa.WebhookActionResult>} */
    getWebhookActionAndData({ data, rawData, headers }: Medusa.ProviderWebhookPayload['payload']): Promise<Medusa.WebhookActionResult>;
}
