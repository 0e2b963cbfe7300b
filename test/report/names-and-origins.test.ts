// Who a row is about, and which part of it is whose.
import { describe, expect, test } from 'vitest';
import type { Action } from '../../src/model/plan.generated.ts';
import { plainStyle } from '../../src/report/terminal.ts';
import { kinds } from '../support/all-kinds.ts';
import { buildAction, removePermissions } from '../support/build-action.ts';
import { buildPlan, buildRefusal } from '../support/build-plan.ts';
import { livePolicy } from '../support/files-and-tenant.ts';
import { renderPlan } from './render.ts';

const context = { style: plainStyle, kinds, folder: '' };
const base = { ref: 'main', commit: 'c'.repeat(40), valid: true, header: [], sections: [] };
const read = (action: Action): Action => ({ ...action, reason: 'undeclared', before: action.after, after: null });
const textOf = (...actions: Action[]) => renderPlan(buildPlan({ actions, base }), 'plan', 'text', context);

describe('a role that the files declare by its id', () => {
  const action = { ...read(removePermissions('rol_Vd7', ['read:a'])), name: 'Auditor' };
  const refusals = [buildRefusal(['roles/rol_Vd7#read:a of x'], { kind: 'roles' })];
  const plan = buildPlan({ actions: [action], refusals });

  test.each(['text', 'markdown', 'github'] as const)('has its name in %s', (format) => {
    const text = renderPlan(plan, 'plan', format, context);
    expect(text).toContain('Auditor (rol_Vd7)');
    expect(text.replaceAll('Auditor (rol_Vd7)', '')).not.toContain('rol_Vd7');
  });

  test('has it in drift as well', () => {
    expect(renderPlan(plan, 'drift', 'text', context)).toMatch(/role +Auditor \(rol_Vd7\) /);
  });
});

describe('of an item that both sides changed', () => {
  test('what was changed on the tenant is marked', () => {
    const lost = { ...read(removePermissions('Support', ['read:a'])), origin: 'drift' } as const;
    const pairs = [{ resource_server_identifier: 'https://orders.example/', permission_name: 'read:b' }];
    const gained = buildAction({
      kind: 'roles',
      key: 'Support',
      part: 'add',
      action: 'add',
      before: null,
      after: { permissions: pairs },
      request: { operation: 'o', method: 'POST', path: '/p', body: { permissions: pairs } },
      origin: 'change',
    });
    expect(textOf(lost, gained)).toMatch(/loses read:a \(drift\); gains read:b of orders\.example .*both\n/);
    expect(textOf(lost)).not.toContain('(drift)');
  });

  test('a value shows that of the base', () => {
    const action = buildAction({
      action: 'update',
      before: { ...livePolicy('default') },
      after: { ...livePolicy('default') },
      changes: [
        { field: 'configuration.limit', before: 333, after: 250 },
        { field: 'configuration.action', before: 'log', after: 'block' },
      ],
      origin: 'both',
      part_origins: [
        { part: 'configuration.limit', origin: 'both', base: 300 },
        { part: 'configuration.action', origin: 'drift' },
      ],
    });
    expect(textOf(action)).toContain('limit 333 → 250 (base 300); action log → block (drift)');
  });
});
