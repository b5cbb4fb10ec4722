/** The gateway's own payment page, for shops without a page for the form. */
import type { CallOptions, Transport } from './transport.js';
import type { HostedPage, HostedPageRequest } from './types.js';
/** @import { CallOptions, Transport } from './transport.js' */
/** @import { HostedPage, HostedPageRequest } from './types.js' */
export declare class HostedPages {
    #private;
    /** @param {Transport} transport */
    constructor(transport: Transport);
    /** `hostedPage` of the answer is where to send the browser. @param {HostedPageRequest} request @param {CallOptions} [options] @returns {Promise<HostedPage>} */
    create(request: HostedPageRequest, options?: CallOptions): Promise<HostedPage>;
}
