// Reports print commands with the folder, the selection and the options of the run.
import { expect, test } from 'vitest';
import { commandsOf } from '../../src/cli/apply-command.ts';
import { kinds } from '../../src/kinds/index.ts';
import { composeOutcomes } from '../../src/report/view/compose-outcomes.ts';
import { buildAction } from '../support/build-action.ts';
import { buildOutcomes, buildPlan } from '../support/build-plan.ts';
import { livePolicy } from '../support/files-and-tenant.ts';

test('after an apply that left something, the plan of the same items', () => {
  const action = buildAction({ before: { ...livePolicy('client_id:a') } });
  const left = { id: action.id, outcome: 'not_attempted', status: null, message: 'm' } as const;
  const document = buildOutcomes(buildPlan({ actions: [action] }), [left]);
  const given = [
    { name: 'yes', value: true },
    { name: 'only', value: 'roles/a b' },
  ] as const;
  const next = (extras: Parameters<typeof composeOutcomes>[2]) =>
    composeOutcomes(document, kinds, extras).sections.flatMap(({ notes }) => notes.map(({ text }) => text));
  expect(next({ commands: commandsOf({ folder: 'acme', given }) })).toEqual([
    "run tenant-sync plan acme --only 'roles/a b' to see the remaining changes, then apply again",
  ]);
  expect(next({})).toEqual(['run tenant-sync plan to see the remaining changes, then apply again']);
});
