// @ts-check
/** Ids as parts of a path. */

import { refusedValue } from './errors.js';

/** @param {string} id @param {string} name of the id, for the message */
export function segment(id, name) {
  // URL parsers take "." and ".." for steps of the path, however they are encoded.
  if (typeof id !== 'string' || id === '' || id === '.' || id === '..') throw refusedValue(name, 'must be an id: a text that is not empty, "." or ".."');
  return encodeURIComponent(id);
}
