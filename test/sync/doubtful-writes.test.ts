// Whole commands against servers whose responses to writes are not the success of the operation, and that do nothing.
import { describe, expect, test } from 'vitest';
import { policy, policyPage, secretToken } from '../client/builders.ts';
import { type ScriptedAnswer, startFaultServer } from '../support/fault-server.ts';
import { policiesYaml } from '../support/files-and-tenant.ts';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';

/** A tenant with these policies that never changes, and responds to every write like this. */
async function applied(live: readonly number[], yaml: string, answer: ScriptedAnswer) {
  const server = await startFaultServer(({ method }) =>
    method === 'GET' ? { body: policyPage(live.map(policy)) } : answer,
  );
  try {
    const env = {
      TENANT_SYNC_BASE_URL: server.baseUrl,
      TENANT_SYNC_TOKEN: secretToken,
      TENANT_SYNC_STATE_DIR: await folder({}),
    };
    const argv = ['apply', await folder({ 'p.yaml': yaml }), '--yes', '--format', 'json'];
    const { code, stdout } = await runCommand(argv, { env });
    const requests = server.requests.map(({ method }) => method);
    return { code, outcomes: JSON.parse(stdout).outcomes.map(({ outcome }: { outcome: string }) => outcome), requests };
  } finally {
    await server.close();
  }
}

describe('a delete that did nothing is not done, whatever the response', () => {
  test.each<[string, ScriptedAnswer]>([
    ['the 404 of a router', { status: 404, body: { statusCode: 404, error: 'Not Found', message: 'Not Found' } }],
    ['the 404 page of a proxy', { status: 404, body: '<html>' }],
    ['a login page', { status: 200, body: '<html><form>' }],
    ['an error in a success', { status: 200, body: { error: 'not carried out' } }],
    ['202', { status: 202 }],
    ['207', { status: 207, body: { results: [{ status: 403 }] } }],
    ['a redirect', { status: 302, headers: { location: '/login' } }],
  ])('%s', async (_name, answer) => {
    const { code, outcomes } = await applied([1, 2], policiesYaml('client_id:c1'), answer);
    expect({ code, outcomes }).toEqual({ code: 1, outcomes: ['unknown'] });
  });
});

test('forty creates that conflict read nothing more', async () => {
  const selectors = Array.from({ length: 40 }, (_, index) => `client_id:new-${index}`);
  const conflict = { status: 409, body: { statusCode: 409, error: 'Conflict', message: 'It exists.' } };
  const { code, outcomes, requests } = await applied([1], policiesYaml('client_id:c1', ...selectors), conflict);
  expect({ code, outcomes: new Set(outcomes) }).toEqual({ code: 1, outcomes: new Set(['failed']) });
  const firstWrite = requests.indexOf('POST');
  expect(requests.slice(firstWrite)).not.toContain('GET');
});
