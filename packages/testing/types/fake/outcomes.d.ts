/** What a fake payment comes to, as a test says it. */
import type { Outcome, PayframeErrorCode, ResultDetail } from '@payframe/form';
export type ResultPlan = {
    outcome: Outcome;
    challenge?: boolean | Promise<unknown>;
    serverCloses?: boolean | Promise<unknown>;
} & Partial<Pick<ResultDetail, 'operationId' | 'cause' | 'final' | 'bin' | 'last4'>>;
export type ErrorPlan = {
    error: PayframeErrorCode;
    message?: string;
    fatal?: boolean;
};
export type Plan = Outcome | 'challenged' | 'expired' | ResultPlan | ErrorPlan;
export type Course = ({
    ends: 'result';
} & ResultPlan) | ({
    ends: 'error';
} & ErrorPlan) | {
    ends: 'expired';
};
/** @param {Plan} plan @returns {Course} */
export declare function courseOf(plan: Plan): Course;
