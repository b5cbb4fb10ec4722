/** What the storefront asks: the form for its order, and how the order stands. */
import { PayframeService } from './payment-service.js';
import type { RequestContext } from '@vendure/core';
/** @import { RequestContext } from '@vendure/core' */
export declare const schema: import("graphql").DocumentNode;
export declare class PayframeShopResolver {
    service: PayframeService;
    /** @param {PayframeService} service */
    constructor(service: PayframeService);
    /** @param {RequestContext} ctx */
    payframeForm(ctx: RequestContext): Promise<{
        why: import("@payframe/server/order-book").FormRefusal | 'ORDER_STATE' | 'GIVING_BACK';
        __typename: string;
    } | {
        reference: string;
        sessionId: string;
        html?: string | undefined;
        gateway: string;
        __typename: string;
    }>;
    /** @param {string} reference */
    payframeReturned(reference: string): Promise<{
        status: string;
    }>;
}
