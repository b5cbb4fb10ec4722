/** The receiver of notifications. A notification is only a reason to ask the gateway; one that names no order of this shop is answered with 404, so that it comes again. */
import { PayframeService } from './payment-service.js';
import type { Settings } from './options.js';
export type RawRequest = import('node:http').IncomingMessage & {
    payframeBody?: Buffer;
    _body?: boolean;
};
/** @import { Settings } from './options.js' */
/** @typedef {import('node:http').IncomingMessage & { payframeBody?: Buffer, _body?: boolean }} RawRequest */
/**
 * Keeps the body as it arrived, because its bytes are signed. It runs before the parsers of the server.
 *
 * @param {RawRequest} request @param {unknown} _response @param {(problem?: unknown) => void} next
 */
export declare function keepRawBody(request: RawRequest, _response: unknown, next: (problem?: unknown) => void): Promise<void>;
export declare class PayframeNotifications {
    service: PayframeService;
    settings: Settings;
    /** @param {PayframeService} service @param {Settings} settings */
    constructor(service: PayframeService, settings: Settings);
    /** @param {RawRequest} request */
    receive(request: RawRequest): Promise<void>;
}
