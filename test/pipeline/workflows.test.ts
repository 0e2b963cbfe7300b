// The example workflows keep the rules, and the check of the rules finds each violation.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { names as settingNames, steps as stepNames } from '../../src/pipeline/settings.ts';
import { lintWorkflow } from '../support/lint-workflow.ts';

const root = join(import.meta.dirname, '..', '..');
const folder = join(root, 'examples/github-actions');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const workflows = readdirSync(folder).filter((name) => name.endsWith('.yml'));
const sharded = readdirSync(join(folder, 'sharded')).filter((name) => name.endsWith('.yml'));
const action = parse(readFileSync(join(root, 'action/action.yml'), 'utf8'));
const lint = (text: string) => lintWorkflow(text, Object.keys(action.inputs));

test('there are three workflows', () => {
  expect(workflows).toEqual(['apply.yml', 'drift.yml', 'plan.yml']);
});

test.each([...workflows, ...sharded.map((name) => `sharded/${name}`)])('%s keeps the rules', (name) => {
  expect(lint(read(name))).toEqual([]);
});

describe('violations that are found', () => {
  test.each([
    ['plan.yml', '  pull_request:\n', '  pull_request_target:\n', 'pull_request_target'],
    ['plan.yml', '  pull_request:\n', '  pull_request:\n    paths: ["x"]\n', 'a required check with paths'],
    ['plan.yml', ', edited]', ']', 'a required check that is kept for another base'],
    ['plan.yml', 'permissions:\n  contents: read\nenv', 'env', 'permissions: contents: read is missing'],
    ['plan.yml', /@[0-9a-f]{40} # v6\.0\.0/, '@v6', 'not pinned: actions/checkout@v6'],
    ['plan.yml', /(# v6)\.0\.0/, '$1', /not pinned: actions\/checkout@[0-9a-f]{40} # v6$/],
    ['plan.yml', 'echo "validate: $VALIDATE', 'echo "${{ github.head_ref }}', 'tenant: an expression in a command'],
    ['plan.yml', /== github\.repository\)/, '!= github.repository)', 'plan: an environment for forks'],
    ['plan.yml', /ref: .*base\.sha }}/, 'fetch-depth: 1', 'comment: a token that writes for code under review'],
    ['apply.yml', 'cancel-in-progress: false', 'cancel-in-progress: true', 'a run in progress may be canceled'],
    ['apply.yml', 'npm ci --ignore-scripts', 'npx tenant-sync plan', 'plan: a command that may install'],
    ['apply.yml', 'npm ci --ignore-scripts', 'echo', 'plan: the tool is not installed from the lockfile'],
    ['apply.yml', '    environment: tenant-write\n', '', 'apply: secrets without an environment'],
    [
      'apply.yml',
      '      deployments: read\n',
      '      deployments: write\n',
      'plan: credentials of the tenant and a token that writes',
    ],
    [
      'apply.yml',
      /(tenant-write\n[^-]*)deployments: write/,
      '$1pages: write',
      /^apply: credentials of the tenant and a tok/,
    ],
    ['apply.yml', /(tenant-write\n[^-]*)deployments: write/, '$1checks: read', 'apply: an apply that is not recorded'],
    ['apply.yml', 'on:\n', 'on:\n  schedule:\n', 'apply: the protected environment in another event than a merge'],
    ['apply.yml', '|| github.ref == ', '|| github.ref != ', 'plan: a run that is started manually on any branch'],
    ['apply.yml', " && needs.plan.result != 'skipped'", '', 'publish: a run that is started manually on any branch'],
    ['plan.yml', 'package-manager-cache: false', 'cache: npm', 'comment: a cache that code under review writes'],
    ['drift.yml', /uses: actions\/setup-node@.*/, 'run: "true"', 'drift: the version of Node is not set'],
    ['drift.yml', 'persist-credentials: false', 'persist-credentials: true', 'drift: a checkout that keeps its token'],
    [
      'drift.yml',
      '{ name: tenant-read, deployment: false }',
      'tenant-read',
      'drift: a deployment where nothing is deployed',
    ],
    ['drift.yml', 'step: drift', 'steps: drift', 'drift: unknown input steps'],
    ['drift.yml', 'needs: drift', 'needs: drifts', 'issue: needs drifts, which is no job'],
    ['drift.yml', '    timeout-minutes: 10\n', '', 'drift: no timeout'],
  ])('%s with %j as %j', (name, from, to, expected) => {
    const changed = read(name).replace(from, to);
    expect(changed).not.toBe(read(name));
    expect(lint(changed)).toContainEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
  });
});

describe('the action', () => {
  test('takes what the steps take', () => {
    expect(Object.keys(action.inputs).sort()).toEqual(['step', ...settingNames].sort());
    for (const step of stepNames) expect(action.inputs.step.description).toContain(step);
  });

  test('runs the bundle of the package', () => {
    expect(join('action', action.runs.main)).toBe('dist/pipeline/main.js');
    const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(files).toEqual(expect.arrayContaining(['action', 'dist']));
  });
});
