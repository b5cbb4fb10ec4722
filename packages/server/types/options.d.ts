/** The options of a client, checked. Messages name the option and what it accepts, and never hold the API key. */
export type Options = {
    /**
     * of the merchant, as the gateway printed it. It stays on the server.
     */
    apiKey: string;
    /**
     * origin of the gateway, such as `https://gateway.example`
     */
    gateway: string;
    /**
     * used in place of the global one, for instance to go through a proxy
     */
    fetch?: typeof globalThis.fetch | undefined;
    /**
     * how long one attempt may take: 1 to 600000, 35000 by default, because the gateway answers within 30 seconds
     */
    timeoutMs?: number | undefined;
    /**
     * how often a call is repeated: 0 to 10, 2 by default
     */
    maxRetries?: number | undefined;
    /**
     * time and randomness, for tests
     */
    runtime?: Partial<Runtime> | undefined;
};
export type Runtime = {
    /**
     * milliseconds since 1970
     */
    now: () => number;
    /**
     * does `action` later; what it answers calls that off
     */
    after: (delayMs: number, action: () => void) => () => void;
    /**
     * from 0 up to, but not including, 1
     */
    random: () => number;
    uuid: () => string;
};
export type Settings = {
    base: string;
    apiKey: string;
    fetch: typeof globalThis.fetch;
    timeoutMs: number;
    maxRetries: number;
    runtime: Runtime;
};
/**
 * @typedef {object} Options
 * @property {string} apiKey of the merchant, as the gateway printed it. It stays on the server.
 * @property {string} gateway origin of the gateway, such as `https://gateway.example`
 * @property {typeof globalThis.fetch | undefined} [fetch] used in place of the global one, for instance to go through a proxy
 * @property {number | undefined} [timeoutMs] how long one attempt may take: 1 to 600000, 35000 by default, because the gateway answers within 30 seconds
 * @property {number | undefined} [maxRetries] how often a call is repeated: 0 to 10, 2 by default
 * @property {Partial<Runtime> | undefined} [runtime] time and randomness, for tests
 */
/**
 * Time and randomness.
 *
 * @typedef {object} Runtime
 * @property {() => number} now milliseconds since 1970
 * @property {(delayMs: number, action: () => void) => () => void} after does `action` later; what it answers calls that off
 * @property {() => number} random from 0 up to, but not including, 1
 * @property {() => string} uuid
 */
/** @typedef {{ base: string, apiKey: string, fetch: typeof globalThis.fetch, timeoutMs: number, maxRetries: number, runtime: Runtime }} Settings */
/** @param {Options} options @returns {Settings} */
export declare function settingsOf(options: Options): Settings;
