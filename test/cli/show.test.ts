import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandTable } from '../../src/cli/command-table.ts';
import { filesOfEveryKind, seedOf } from '../support/files-and-tenant.ts';
import { runCommand } from '../support/run-command.ts';
import { type StartedTenant, startTenant } from '../support/start-tenant.ts';

let tenant: StartedTenant;
let cwd: string;
beforeAll(async () => {
  tenant = await startTenant(seedOf());
  cwd = await mkdtemp(join(tmpdir(), 'tenant-sync-show-'));
  for (const [name, text] of Object.entries(filesOfEveryKind)) await writeFile(join(cwd, name), text);
  const run = (...argv: readonly string[]) => runCommand(argv, { env: tenant.env, cwd });
  await mkdir(join(cwd, 'saved'));
  await run('plan', '--out', 'plan.json');
  await run('apply', '--yes', '--report', 'json=outcomes.json');
  await runCommand(['plan', '--report', 'json=failed.json'], { cwd, env: {} });
  await writeFile(join(cwd, 'saved/b.json'), await file('plan.json'));
  await writeFile(join(cwd, 'saved/a.json'), await file('outcomes.json'));
  await writeFile(join(cwd, 'saved/notes.txt'), 'not a plan');
});
afterAll(async () => {
  await tenant.close();
  await rm(cwd, { recursive: true });
});

const file = (name: string) => readFile(join(cwd, name), 'utf8');
/** Without an environment, and without a tenant. */
const show = (...argv: readonly string[]) => runCommand(['show', ...argv], { cwd, env: {} });

describe('show', () => {
  test('prints a saved plan as it was saved', async () => {
    expect(await show('plan.json', '--format', 'json')).toEqual({
      code: 0,
      stdout: await file('plan.json'),
      stderr: '',
    });
  });

  test('prints saved outcomes as they were saved', async () => {
    const { code, stdout } = await show('outcomes.json', '--format', 'json');
    expect({ code, stdout }).toEqual({ code: 0, stdout: await file('outcomes.json') });
  });

  test.each(commandTable.show.formats)('renders a plan as %s', async (format) => {
    const { code, stdout, stderr } = await show('plan.json', '--format', format);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('rol_1');
  });

  test('a folder is its JSON files, sorted, as a list', async () => {
    const { code, stdout } = await show('saved', '--format', 'json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout).map((one: object) => 'outcomes' in one)).toEqual([true, false]);
    const { stdout: one } = await show('plan.json', 'outcomes.json', '--format', 'json');
    expect(JSON.parse(one)).toHaveLength(2);
  });

  test.each([
    [['saved', 'saved/'], 2],
    [['saved', './saved/a.json'], 2],
    [['plan.json', './plan.json'], 1],
  ])('%j names each file once', async (operands, count) => {
    expect(JSON.parse((await show(...operands, '--format', 'json')).stdout)).toHaveLength(count);
  });

  test('several are one document of each format', async () => {
    const markdown = (await show('saved', '--format', 'markdown')).stdout;
    expect(markdown.match(/^## tenant-sync/gm)).toHaveLength(2);
    const html = (await show('plan.json', 'outcomes.json', '--format', 'html')).stdout;
    expect(html.match(/<article\b/g)).toHaveLength(2);
  });

  test('a run that had no plan shows its errors', async () => {
    const { code, stdout } = await show('failed.json');
    expect(code).toBe(0);
    expect(stdout).toContain('ENV_MISSING');
  });

  test('writes reports, with the places of the plan', async () => {
    const { code } = await show('plan.json', '--report', 'github=out.txt');
    expect(code).toBe(0);
    expect(await file('out.txt')).toContain('file=roles.yaml,');
  });

  test('everything that cannot be shown is reported at once, and nothing is printed', async () => {
    await writeFile(join(cwd, 'bad.json'), '{');
    await writeFile(join(cwd, 'other.json'), '{"a": 1}');
    await mkdir(join(cwd, 'empty'), { recursive: true });
    const { code, stdout, stderr } = await show('plan.json', 'no.json', 'bad.json', 'other.json', 'empty');
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    for (const text of ['no.json cannot be read', 'bad.json is not JSON', 'other.json cannot be used', 'empty has no'])
      expect(stderr).toContain(text);
  });

  test.each([
    ['a request', 'plan.json', '"method": "DELETE"', '"method": "PUT"'],
    ['a reason', 'plan.json', '"reason": "undeclared"', '"reason": "absent"'],
    ['a request of outcomes', 'outcomes.json', '"method": "DELETE"', '"method": "PUT"'],
  ])('%s that was changed after it was saved is refused', async (_name, source, from, to) => {
    const text = await file(source);
    expect(text).toContain(from);
    await writeFile(join(cwd, 'changed.json'), text.replace(from, to));
    const { code, stdout, stderr } = await show('changed.json');
    expect({ code, stdout, refused: stderr.includes('PLAN_STALE') }).toEqual({ code: 3, stdout: '', refused: true });
  });

  test('outcomes that are no outcomes, or not those of the plan, are refused', async () => {
    const { outcomes, ...others } = JSON.parse(await file('outcomes.json'));
    const shown = async (changed: object) => {
      const document = { ...others, outcomes: [{ ...outcomes[0], ...changed }] };
      await writeFile(join(cwd, 'changed.json'), JSON.stringify(document));
      return show('changed.json');
    };
    const unknown = await shown({ outcome: 'fine' });
    expect(unknown.code).toBe(3);
    expect(unknown.stderr).toContain('/outcomes/0/outcome violates the rule "enum" of schemas/outcomes.schema.json');
    const other = await shown({ id: 'roles/other' });
    expect(other.code).toBe(3);
    expect(other.stderr).toContain('its plan has no action roles/other');
  });

  test('needs a file', async () => {
    const { code, stderr } = await show();
    expect(code).toBe(3);
    expect(stderr).toContain('show needs <file...>');
  });
});
