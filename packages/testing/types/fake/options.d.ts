/** The options of a form, which are attributes and properties of the element, and their checks. */
import type { FormOptions } from '@payframe/form';
export type Option = {
    accepts: (value: unknown) => boolean;
    fallback: string | number;
};
/** @type {Readonly<Record<keyof FormOptions | 'gateway', Option>>} */
export declare const OPTIONS: Readonly<Record<keyof FormOptions | 'gateway', Option>>;
/** A change of one of these loads the form again. */
export declare const RELOADING: string[];
/** The known options that are set. Throws for a wrong value, warns once of an unknown name. @param {object} options */
export declare function checkedOptions(options: object): Record<string, unknown>;
/** Those options that change in place, and `session`. @param {object} options */
export declare function changesInPlace(options: object): {
    session: string | undefined;
    changes: {
        [x: string]: unknown;
    };
};
/** Gives a class the properties of the options. @param {object} prototype */
export declare function defineOptions(prototype: object): void;
/** Properties that were set before the element was upgraded hide the accessors. @param {HTMLElement} element @param {string[]} names */
export declare function upgradeProperties(element: HTMLElement, names: string[]): void;
/** The gateway's origin, or an error: the rule is that of the gateway's script. @param {string} gateway */
export declare function originOf(gateway: string): string;
