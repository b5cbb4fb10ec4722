/**
 * A fake form without its element: loading, what the buyer enters, calls, and the payment. The order of events is that of the real form;
 * `tests/e2e/fake.test.mjs` compares both. Steps are promises, never timers.
 */
import { PayframeError } from './error.js';
import type { FieldError, FieldId, PaymentFormElement, PaymentFormEventMap, ResultDetail, PayframeErrorCode } from '@payframe/form';
import type { Entered } from './entry.js';
import type { Plan } from './outcomes.js';
export type Settings = {
    nextOutcome: () => Plan | Promise<Plan>;
    /**
     * how a load ends
     */
    load: 'ready' | PayframeErrorCode | Promise<'ready' | PayframeErrorCode>;
    /**
     * what `confirm()` rejects with
     */
    refusal: PayframeErrorCode | undefined;
    /**
     * what `update({ session })` rejects with
     */
    sessionRefusal: PayframeErrorCode | undefined;
    fields: readonly FieldId[];
    networks: readonly string[];
    brand: string;
    orderId: string;
    nextOperationId: () => string;
};
export type Host = {
    element: PaymentFormElement;
    isDisabled: () => boolean;
    /**
     * without another load
     */
    replaceSession: (session: string) => void;
};
export type Stage = '' | 'loading' | 'ready' | 'failed';
export type EventName = keyof PaymentFormEventMap;
export declare class Machine {
    #private;
    /** @param {Settings} settings @param {Host} host */
    constructor(settings: Settings, host: Host);
    get stage(): Stage;
    get isCollecting(): boolean;
    /** @returns {FieldId[]} */
    get fields(): FieldId[];
    load(): Promise<void>;
    /** The frame is gone. Calls that wait are sent to the next one; those that were sent reject. @param {PayframeError} error */
    close(error: PayframeError): void;
    /** Calls reject from now on. @param {PayframeError} error */
    refuse(error: PayframeError): void;
    /** A fatal error. @param {PayframeError} error */
    fail(error: PayframeError): void;
    /** Resolves once the form can be used. */
    whenReady(): Promise<void>;
    /** @param {{ signal?: AbortSignal }} [options] @returns {Promise<ResultDetail>} */
    confirm({ signal }?: {
        signal?: AbortSignal;
    }): Promise<ResultDetail>;
    /** The buyer presses Pay. @returns {Promise<ResultDetail>} */
    press(): Promise<ResultDetail>;
    cancel(): Promise<void>;
    /** @param {FieldId} [field] */
    focus(field?: FieldId): Promise<void>;
    clear(): Promise<void>;
    /** @returns {Promise<FieldError[]>} */
    validate(): Promise<FieldError[]>;
    /** @param {{ field?: FieldId, code: string }} error */
    showServerError({ field, code }: {
        field?: FieldId;
        code: string;
    }): Promise<void>;
    /** @param {string} session */
    takeOver(session: string): Promise<void>;
    /** @param {FieldId} field @param {Entered} entered */
    enter(field: FieldId, entered: Entered): Promise<void>;
    /** The focus leaves the form. */
    leave(): void;
    /** The session ends: another one takes over if the page gives one. */
    expire(): Promise<void>;
    /** @template {EventName} K @param {K} type @param {PaymentFormEventMap[K]['detail']} detail @returns {boolean} whether its default goes on */
    emit<K extends EventName>(type: K, detail: PaymentFormEventMap[K]['detail']): boolean;
    showStates(): void;
}
