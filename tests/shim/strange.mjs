/** Malformed messages, the same for the same seed. Each is an example with a change. */

const VALUES = [null, undefined, true, -1, 0, 1.5, 1e308, NaN, Infinity, 2 ** 53, '', ' ', '0', 'x'.repeat(5000), '<img src=x onerror=alert(1)>', '__proto__', 'constructor', '\u0000', '\ud800', '👩‍👩‍👧‍👦', [], {}, [[]], { type: 'ready' }, { length: 2 ** 32 }, new Date(0), new Map([['type', 'result']]), /x/];
const NAMES = ['__proto__', 'constructor', 'toString', 'type', 'id', 'port', 'length', 'then', '', '0'];

/**
 * @param {object[]} examples @param {number} seed @param {number} count
 * @returns {any[]}
 */
export function strange(examples, seed, count) {
  let state = seed >>> 0;
  /** One of the numbers from 0 to `limit`, without it (mulberry32). @param {number} limit */
  const below = (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
  /** @template T @param {T[]} all @returns {T} */
  const one = (all) => /** @type {T} */ (all[below(all.length)]);
  /** @param {any} value @returns {any} */
  const changed = (value) => {
    if (typeof value !== 'object' || value === null || below(4) === 0) return typeof value === 'string' && below(3) ? value.slice(0, below(value.length + 1)) + one(['', 'x', '\u0000', '-']) : structuredClone(one(VALUES));
    const copy = structuredClone(value);
    const names = Object.keys(copy);
    const name = names.length && below(4) ? one(names) : one(NAMES);
    if (name === 'length' && Array.isArray(copy)) copy.push(one(VALUES));
    else if (below(6) === 0) delete copy[name];
    // As JSON would: an own member, whatever its name.
    else Object.defineProperty(copy, name, { value: changed(copy[name]), enumerable: true, configurable: true, writable: true });
    return copy;
  };
  return Array.from({ length: count }, () => {
    let message = one(examples);
    for (let times = below(3); times >= 0; times -= 1) message = changed(message);
    return message;
  });
}
