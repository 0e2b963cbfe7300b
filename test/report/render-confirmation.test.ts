import { describe, expect, test } from 'vitest';
import { renderLosses } from '../../src/report/render-losses.ts';
import { plainStyle } from '../../src/report/style.ts';
import { deletePolicy, putPartials, removePermissions } from '../support/build-action.ts';
import { buildPlan } from '../support/build-plan.ts';

describe('losses', () => {
  test('nothing', () => {
    expect(renderLosses(buildPlan(), plainStyle)).toBe(
      'No destructive changes on acme, https://login.acme.example/api/v2\n',
    );
  });

  test('deletions, removals and unreadable values that are overwritten', () => {
    const plan = buildPlan({
      actions: [putPartials('login', {}), deletePolicy('default'), removePermissions('rol_1', ['a', 'b'])],
    });
    expect(renderLosses(plan, plainStyle)).toBe(
      [
        'Destructive changes on acme, https://login.acme.example/api/v2: 2 requests',
        '  - delete rate_limit_policies/oauth_authentication_api/client/default',
        '      before    {"id":"rlp_1","resource":"oauth_authentication_api","consumer":"client","consumer_selector":"default","configuration":{"action":"block","limit":100}}',
        '  - remove roles/rol_1',
        '      removes   {"resource_server_identifier":"https://orders.example/","permission_name":"a"}',
        '      removes   {"resource_server_identifier":"https://orders.example/","permission_name":"b"}',
        'Unreadable live state to overwrite: 1 request',
        '  ~ put prompts/login',
        '',
      ].join('\n'),
    );
  });

  test('many are counted', () => {
    const pairs = Array.from({ length: 22 }, (_, index) => `p${index}`);
    const plan = buildPlan({
      actions: [removePermissions('rol_1', pairs), ...Array.from({ length: 1029 }, () => deletePolicy('default'))],
    });
    const lines = renderLosses(plan, plainStyle).split('\n');
    expect(lines.filter((line) => line.startsWith('  - '))).toHaveLength(20);
    expect(lines).toContain('      and 2 more');
    expect(lines.at(-2)).toBe('  and 1,010 more');
  });

  test('a request without before and body is one line', () => {
    const action = deletePolicy('default', 'rlp_1', { before: null });
    expect(
      renderLosses(buildPlan({ actions: [action] }), plainStyle)
        .trimEnd()
        .split('\n'),
    ).toHaveLength(2);
  });
});
