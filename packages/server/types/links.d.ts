/** Payment links: an address at which a customer pays. */
import type { CallOptions, Transport } from './transport.js';
import type { CreatedLink, LinkDetails, LinkQuery, LinkRequest, PaymentLink } from './types.js';
/** @import { CallOptions, Transport } from './transport.js' */
/** @import { CreatedLink, LinkDetails, LinkQuery, LinkRequest, PaymentLink } from './types.js' */
export declare class PaymentLinks {
    #private;
    /** @param {Transport} transport */
    constructor(transport: Transport);
    /** `paymentLink.link` of the answer is the address to send. @param {LinkRequest} request @param {CallOptions} [options] @returns {Promise<CreatedLink>} */
    create(request: LinkRequest, options?: CallOptions): Promise<CreatedLink>;
    /** @param {string} linkId @param {CallOptions} [options] @returns {Promise<LinkDetails>} */
    read(linkId: string, options?: CallOptions): Promise<LinkDetails>;
    /**
     * Links, the newest first. For the next page repeat the call with `toTime` = `creationTime` of the last row.
     *
     * @param {LinkQuery} [query] @param {CallOptions} [options] @returns {Promise<PaymentLink[]>}
     */
    list(query?: LinkQuery, options?: CallOptions): Promise<PaymentLink[]>;
    /** Makes an expired or failed link valid again, or prolongs an unpaid one. @param {string} linkId @param {CallOptions} [options] @returns {Promise<PaymentLink>} */
    renew(linkId: string, options?: CallOptions): Promise<PaymentLink>;
    /** Gives up a link that is not paid. To do it again is no error. @param {string} linkId @param {CallOptions} [options] @returns {Promise<PaymentLink>} */
    cancel(linkId: string, options?: CallOptions): Promise<PaymentLink>;
}
