/** An order in the middle of a step, and its outputs so far. */
import type { Cause, KeeperOutput, KeptOrder, OrderState } from './order-types.js';
/** @import { Cause, KeeperOutput, KeptOrder, OrderState } from './order-types.js' */
export declare class Working {
    #private;
    order: KeptOrder;
    /** @type {KeeperOutput[]} */
    outputs: KeeperOutput[];
    /** @param {KeptOrder} order which is changed by the step */
    constructor(order: KeptOrder);
    /** @param {OrderState} status @param {KeptOrder['statusDetail']} [detail] */
    setStatus: (status: OrderState, detail?: KeptOrder['statusDetail']) => void;
    closeAll(): void;
    askNow(): void;
    /** Reads the order again after an answer without a result. */
    askLater(): void;
    askLaterUncounted(): void;
    /** @param {Cause} why */
    needsPerson(why: Cause): void;
    /** Calls a person, once for each cause in a row. @param {Cause} why */
    call(why: Cause): void;
    fulfil(): void;
    /** An order whose stock is released is never sold. */
    release(): void;
}
/** A person is called after this number of answers in a row without a result. The requests continue. */
export declare const READS_UNTIL_PERSON = 6;
