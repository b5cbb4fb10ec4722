/** Bytes as base64, the alphabet with `+` and `/`. Only what all runtimes have: `btoa` and `atob`. */
/** @param {Uint8Array} bytes */
export declare function toBase64(bytes: Uint8Array): string;
/** @param {string} text @returns {Uint8Array<ArrayBuffer> | undefined} `undefined` if it is no base64 */
export declare function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined;
