// @ts-check
/** Bytes as base64, the alphabet with `+` and `/`. Only what all runtimes have: `btoa` and `atob`. */

/** @param {Uint8Array} bytes */
export function toBase64(bytes) {
  let text = '';
  for (let start = 0; start < bytes.length; start += PIECE) text += String.fromCharCode(...bytes.subarray(start, start + PIECE));
  return btoa(text);
}

/** @param {string} text @returns {Uint8Array<ArrayBuffer> | undefined} `undefined` if it is no base64 */
export function fromBase64(text) {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** So many arguments fit into one call in every engine. */
const PIECE = 0x2000;
