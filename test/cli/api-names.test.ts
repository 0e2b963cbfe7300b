// APIs are selected by their identifiers, and also as reports print them: without `https://` and a slash at the end.
import { describe, expect, test } from 'vitest';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const apisYaml = (...identifiers: readonly string[]) =>
  `resource_servers:\n${identifiers.map((one) => `  - { identifier: "${one}", scopes: [{ value: "read:all" }] }\n`).join('')}`;

async function planned(files: string, only: string) {
  const live = ['https://orders.example/'].map((identifier, index) => ({
    id: `${index}`.padStart(24, '0'),
    identifier,
    name: identifier,
    scopes: [],
  }));
  const { env } = await tenantWith({ resource_servers: live });
  const cwd = await folder({ 'a.yaml': files });
  const { code, stdout, stderr } = await runCommand(['plan', cwd, '--only', only, '--format', 'json'], { env });
  return { code, stderr, result: JSON.parse(stdout) };
}

describe('an API by the name that reports print', () => {
  test.each(['api/orders.example', 'apis/https://orders.example/', 'resource_servers/orders.example'])(
    '%s is the declared one',
    async (only) => {
      const { code, result } = await planned(apisYaml('https://orders.example/', 'https://other.example/'), only);
      expect(code).toBe(0);
      expect(result.selection.only).toEqual(['resource_servers/https://orders.example/']);
      expect(result.actions.map(({ key }: { readonly key: string }) => key)).toEqual(['https://orders.example/']);
    },
  );

  test('is another one if its identifier is that name', async () => {
    const files = apisYaml('orders.example', 'https://orders.example/');
    const { result } = await planned(files, 'api/orders.example');
    expect(result.selection.only).toEqual(['resource_servers/orders.example']);
  });

  test('is unclear if two have it, and the hint names one', async () => {
    const { code, stderr } = await planned(apisYaml('https://x.example/', 'https://x.example'), 'api/x.example');
    expect({ code, hint: stderr.includes('hint: write resource_servers/https://x.example') }).toEqual({
      code: 3,
      hint: true,
    });
  });
});
