import type { StepResult } from '../results.ts';

/** The fields of a result that has no plan. */
export const noPlan: Pick<StepResult, 'baseUrl' | 'digest' | 'actions' | 'merged' | 'proposal'> = {
  baseUrl: '',
  digest: '',
  actions: null,
  merged: [],
  proposal: [],
};
