import { describe, expect, test } from 'vitest';
import type { Plan } from '../../src/model/plan.generated.ts';
import { renderConfirmation } from '../../src/report/render-report.ts';
import { plainStyle } from '../../src/report/terminal.ts';
import { deletePolicy, putPartials, removePermissions } from '../support/build-action.ts';
import { buildPlan } from '../support/build-plan.ts';
import { standInKinds } from '../support/stand-in-kinds.ts';

const textOf = (plan: Plan) => renderConfirmation(plan, { style: plainStyle, kinds: standInKinds, width: null });

describe('before a confirmation', () => {
  test('nothing is lost', () => {
    expect(textOf(buildPlan())).toBe('acme  https://login.acme.example   no losses\n');
  });

  test('deletions, removals and unreadable values that are overwritten', () => {
    const plan = buildPlan({
      actions: [putPartials('login', {}), deletePolicy('default'), removePermissions('rol_1', ['a', 'b'])],
    });
    expect(textOf(plan)).toBe(
      [
        'acme  https://login.acme.example   3 losses',
        '',
        'Deletions',
        '  - policy  oauth_authentication_api/client/default  id rlp_1, configuration: {"action":"block","limit":100}  not in the files',
        '',
        'Sent by every apply, because live state cannot be read',
        '  ~ role    rol_1                                    a of https://orders.example/, b of https://orders.example/  roles.yaml:6',
        '  ~ prompt  login                                    {}  prompts.yaml:2',
        '',
      ].join('\n'),
    );
  });

  test('many are counted', () => {
    const actions = Array.from({ length: 1029 }, (_none, index) =>
      deletePolicy(`client_id:${index}`, `rlp_${index}`, { before: { configuration: { limit: index } } }),
    );
    const lines = textOf(buildPlan({ actions })).split('\n');
    expect(lines.filter((line) => line.startsWith('  - '))).toHaveLength(20);
    expect(lines.at(-2)).toBe('  …: and 1,009 more');
  });
});
