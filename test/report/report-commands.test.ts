// Reports print commands with the folder, the selection and the options of the run.
import { describe, expect, test } from 'vitest';
import { commandsOf } from '../../src/cli/apply-command.ts';
import { kinds } from '../../src/kinds/index.ts';
import type { ViewContext } from '../../src/report/document.ts';
import { composeView } from '../../src/report/view/compose-view.ts';
import { buildAction } from '../support/build-action.ts';
import { buildOutcomes, buildPlan } from '../support/build-plan.ts';
import { livePolicy } from '../support/files-and-tenant.ts';

describe('after an apply that left something', () => {
  const action = buildAction({ before: { ...livePolicy('client_id:a') } });
  const left = { id: action.id, outcome: 'not_attempted', status: null, message: 'm' } as const;
  const plan = buildPlan({ actions: [action], selection: { only: ['roles/x'], except: [], rotate: [] } });
  const document = buildOutcomes(plan, [left]);
  const next = (extras: Partial<ViewContext>) =>
    composeView({ type: 'outcomes', outcomes: document }, { kinds, ...extras }).sections.flatMap(({ notes }) =>
      notes.map(({ text }) => text),
    );

  test('the plan of the same items is next, started as this run was', () => {
    const given = [
      { name: 'yes', value: true },
      { name: 'only', value: 'roles/a b' },
    ] as const;
    expect(next({ commands: commandsOf({ program: 'npx tenant-sync' }, { folder: 'acme', given }) })).toEqual([
      "run npx tenant-sync plan acme --only 'roles/a b' to see the remaining changes, then apply again",
    ]);
  });

  test('of a saved plan, a new one with its selection is saved and reviewed', () => {
    const given = [
      { name: 'plan', value: 'p.json' },
      { name: 'yes', value: true },
      { name: 'var', value: 'a=1' },
    ] as const;
    const commands = commandsOf({ program: 'tenant-sync' }, { folder: 'acme', given });
    expect(next({ commands })).toEqual([
      'run tenant-sync plan acme --var a=1 --only roles/x --out p.json to save a new plan of what remains, review it, then apply it',
    ]);
    const base = { ref: 'origin/main', commit: 'c'.repeat(40), valid: true, header: [], sections: [] };
    const changed = { ...plan, base, selection: { ...plan.selection, changed: true } };
    expect(commands.plan(changed)).toBe('tenant-sync plan acme --var a=1 --base origin/main --changed --out p.json');
  });

  test('a document has neither folder nor command', () => {
    expect(next({})).toEqual(['plan this tenant again to see the remaining changes, then apply that plan']);
  });
});
