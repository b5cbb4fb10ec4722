// @ts-check
/** Promises that are settled from outside. */

/**
 * @template T
 * @typedef {{ promise: Promise<T>, resolve: (value: T) => void, reject: (error: unknown) => void }} Deferred
 */

/** A rejection that the page does not handle is no error of the page. @template T @returns {Deferred<T>} */
export function defer() {
  const deferred = /** @type {Deferred<T>} */ ({});
  deferred.promise = new Promise((resolve, reject) => Object.assign(deferred, { resolve, reject }));
  deferred.promise.catch(() => {});
  return deferred;
}
