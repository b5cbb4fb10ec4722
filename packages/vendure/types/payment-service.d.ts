/** The order book of the shop: rows in Vendure's database, and what selling means in Vendure. */
import { ActiveOrderService, ChannelService, EventBus, OrderService, ProcessContext, RequestContext, RequestContextService, TransactionalConnection } from '@vendure/core';
import { Payframe } from '@payframe/server';
import type { FormRefusal } from '@payframe/server/order-book';
import type { PaidOrders } from '@payframe/server/paid-orders';
import type { Settings } from './options.js';
export type ShownForm = {
    reference: string;
    sessionId: string;
    html?: string | undefined;
    gateway: string;
};
export type RefusedForm = {
    why: FormRefusal | 'ORDER_STATE' | 'GIVING_BACK';
};
/** @import { GraphQLErrorResult, Order } from '@vendure/core' */
/** @import { BookRow, BookShop, BookStore, FormRefusal } from '@payframe/server/order-book' */
/** @import { PaidOrders } from '@payframe/server/paid-orders' */
/** @import { Settings } from './options.js' */
/** @typedef {{ reference: string, sessionId: string, html?: string | undefined, gateway: string }} ShownForm */
/** @typedef {{ why: FormRefusal | 'ORDER_STATE' | 'GIVING_BACK' }} RefusedForm */
export declare const SETTINGS = "PayframeSettings";
export declare const CLIENT = "PayframeClient";
export declare class PayframeService {
    #private;
    connection: TransactionalConnection;
    orders: OrderService;
    activeOrders: ActiveOrderService;
    channels: ChannelService;
    contexts: RequestContextService;
    events: EventBus;
    process: ProcessContext;
    settings: Settings;
    payframe: Payframe;
    paidOrders: PaidOrders;
    /**
     * @param {TransactionalConnection} connection @param {OrderService} orders @param {ActiveOrderService} activeOrders @param {ChannelService} channels
     * @param {RequestContextService} contexts @param {EventBus} events @param {ProcessContext} process @param {Settings} settings @param {Payframe} payframe
     * @param {PaidOrders} paidOrders
     */
    constructor(connection: TransactionalConnection, orders: OrderService, activeOrders: ActiveOrderService, channels: ChannelService, contexts: RequestContextService, events: EventBus, process: ProcessContext, settings: Settings, payframe: Payframe, paidOrders: PaidOrders);
    onApplicationBootstrap(): void;
    onApplicationShutdown(): void;
    /** The form for the buyer's active order. @param {RequestContext} ctx @returns {Promise<ShownForm | RefusedForm>} */
    form(ctx: RequestContext): Promise<ShownForm | RefusedForm>;
    /** The buyer is back, or the page has heard an outcome. @param {string} reference @returns {Promise<string>} how it stands: a status of the order keeper, or `GIVING_BACK` */
    returned(reference: string): Promise<string>;
    /** A verified notification names an order. @param {string} reference */
    notified(reference: string): Promise<void>;
}
