import type { Row } from './plan-view.ts';

const none: readonly never[] = [];

const bare = {
  verb: null,
  names: none,
  count: 1,
  what: '',
  long: null,
  sentence: null,
  place: '',
  source: null,
  origin: null,
  texts: none,
  details: none,
  isLoss: false,
  annotation: null,
} as const;

/** A row about something that is no item of the plan. */
export function bareRow(row: Pick<Row, 'sign' | 'kind' | 'noun' | 'name'> & Partial<Row>): Row {
  return { ...bare, ...row };
}
