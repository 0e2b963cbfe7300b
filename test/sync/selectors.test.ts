import { describe, expect, test } from 'vitest';
import { namedKinds, selectionProblems } from '../../src/engine/selectors.ts';
import { kinds } from '../../src/kinds/index.ts';

const start = 'rate_limit_policies/oauth_authentication_api/client';

describe('a selector means the item that reports show by this name', () => {
  test.each([
    ['policies/default', `${start}/default`],
    ['policies/client_id:https://a.example/x', `${start}/client_id:https://a.example/x`],
    ['policies/client_id:app-0*', `${start}/client_id:app-0*`],
    ['policy/oauth_authentication_api/client/default', `${start}/default`],
    ['policies/another_api/client/default', 'rate_limit_policies/another_api/client/default'],
    ['policies/*/default', 'rate_limit_policies/*/default'],
    ['policies/*', 'rate_limit_policies/*'],
    ['policies/', 'rate_limit_policies/'],
    ['policies', 'rate_limit_policies'],
    ['roles/default', 'roles/default'],
    ['apis/urn:a', 'resource_servers/urn:a'],
  ])('%s', (written, meant) => {
    expect(namedKinds([written], kinds)).toEqual([meant]);
  });
});

test.each([
  [{ only: ['roles'], except: ['roles'] }, 1],
  [{ only: ['roles/A'], except: ['roles/*'] }, 1],
  [{ only: [], except: kinds.map(({ name }) => name) }, 1],
  [{ only: ['roles'], except: ['roles/A'] }, 0],
  [{ only: ['roles', 'prompts'], except: ['roles'] }, 0],
])('a selection of nothing is an error: %j', (selection, problems) => {
  expect(selectionProblems({ ...selection, rotate: [] }, kinds)).toHaveLength(problems);
});
