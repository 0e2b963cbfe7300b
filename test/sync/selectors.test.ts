import { expect, test } from 'vitest';
import { namedKinds, selectionProblems } from '../../src/engine/selectors.ts';
import { kinds } from '../support/all-kinds.ts';

test.each([
  [{ only: ['roles'], except: ['roles'] }, 1],
  [{ only: ['roles/A'], except: ['roles/*'] }, 1],
  [{ only: [], except: kinds.map(({ name }) => name) }, 0],
  [{ only: ['roles'], except: ['roles/A'] }, 0],
  [{ only: ['roles', 'prompts'], except: ['roles'] }, 0],
])('--only and --except that select nothing together are an error: %j', (selection, problems) => {
  expect(selectionProblems({ ...selection, rotate: [] }, kinds)).toHaveLength(problems);
});

test.each([
  ['policies/default', 'rate_limit_policies/oauth_authentication_api/client/default'],
  ['rate_limit_policies/', 'rate_limit_policies/'],
  ['policies', 'rate_limit_policies'],
  ['role/Auditor', 'roles/Auditor'],
  ['roles/Auditor (rol_Vd7)', 'roles/rol_Vd7'],
  ['roles/Auditor (EU)', 'roles/Auditor (EU)'],
  ['api/https://orders.example/', 'resource_servers/https://orders.example/'],
  ['others/default', 'others/default'],
])('%s means %s, and is written only once', (text, selector) => {
  expect(namedKinds([text], kinds)).toEqual([selector]);
  expect(namedKinds([selector], kinds)).toEqual([selector]);
});
