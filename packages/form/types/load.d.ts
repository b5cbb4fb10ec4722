/**
 * Loads the gateway's scripts into the page, each once for each origin.
 *
 * The scripts come from the gateway itself, never from this package: script and form agree with each other, and the gateway can be
 * updated without a change of the shop. On a server every call rejects with `no_browser`, and nothing happens.
 */
import type { Payframe } from '../types/sdk/payframe.js';
export type ScriptOptions = {
    /**
     * `sha384-…` of the script, from `GET /build/integrity`: the browser refuses any other content. Name the `release` too, because
     * the script without a release changes with each update of the gateway
     */
    integrity?: string | undefined;
    /**
     * such as `0.1.0-6450449e`, from the addresses of `GET /build/integrity`. Default: the gateway's current one
     */
    release?: string | undefined;
    /**
     * of the page's Content-Security-Policy
     */
    nonce?: string | undefined;
};
/**
 * Loads `payframe.js` and gives its API for this gateway. With it `<payment-form>` is defined.
 * @param {string} gateway origin of the gateway, such as `https://gateway.example` @param {ScriptOptions} [options]
 * @returns {Promise<Payframe>} rejects with a `PayframeError`
 */
export declare function loadPayframe(gateway: string, options?: ScriptOptions): Promise<Payframe>;
/** Loads `fields.js`, which defines `<payment-field>`. @param {string} gateway @param {ScriptOptions} [options] @returns {Promise<void>} rejects with a `PayframeError` */
export declare function loadFields(gateway: string, options?: ScriptOptions): Promise<void>;
/** The gateway's origin, or an error: the rule is that of the gateway's script. @param {string} gateway */
export declare function originOf(gateway: string): string;
