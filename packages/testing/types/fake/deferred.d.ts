/** Promises that are settled from outside. */
export type Deferred<T> = {
    promise: Promise<T>;
    resolve: (value: T) => void;
    reject: (error: unknown) => void;
};
/**
 * @template T
 * @typedef {{ promise: Promise<T>, resolve: (value: T) => void, reject: (error: unknown) => void }} Deferred
 */
/** A rejection that the page does not handle is no error of the page. @template T @returns {Deferred<T>} */
export declare function defer<T>(): Deferred<T>;
