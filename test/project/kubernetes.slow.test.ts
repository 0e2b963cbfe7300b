// The manifests are valid by the schemas that Kubernetes publishes, and their commands do what they say.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CronJob, type ICronJob } from 'kubernetes-models/batch/v1/CronJob';
import { type IJob, Job } from 'kubernetes-models/batch/v1/Job';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { livePolicy } from '../support/files-and-tenant.ts';
import { startFleet } from '../support/start-fleet.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (name: string) => parse(readFileSync(join(root, 'examples/kubernetes', name), 'utf8'));
const job = read('apply-job.yaml');
const cronJob = read('drift-cronjob.yaml');
type Spec = NonNullable<IJob['spec']>;
const specs: readonly (readonly [string, Spec])[] = [
  ['apply-job.yaml', job.spec],
  ['drift-cronjob.yaml', cronJob.spec.jobTemplate.spec],
];

/** The validators ignore what they do not know: `seen` gets the path of each field that they look at. */
function watched<Of>(value: Of, path: string, seen: Set<string>): Of {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get(target, name, receiver) {
      const found: unknown = Reflect.get(target, name, receiver);
      if (typeof name !== 'string' || !Object.hasOwn(target, name)) return found;
      seen.add(`${path}/${name}`);
      return watched(found, `${path}/${name}`, seen);
    },
  });
}

function pathsOf(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, child]) => [`${path}/${name}`, ...pathsOf(child, `${path}/${name}`)]);
}

function refuses(validate: () => void): boolean {
  try {
    validate();
    return false;
  } catch {
    return true;
  }
}

describe('manifests', () => {
  test.each([
    ['apply-job.yaml', (data: unknown) => new Job(data as IJob)],
    ['drift-cronjob.yaml', (data: unknown) => new CronJob(data as ICronJob)],
  ])('%s is valid, and has no field that the schemas do not know', (name, modelOf) => {
    const seen = new Set<string>();
    watched(modelOf(read(name)), '', seen).validate();
    expect(pathsOf(read(name), '').filter((path) => !seen.has(path))).toEqual([]);
    const text = readFileSync(join(root, 'examples/kubernetes', name), 'utf8');
    const spoilt = [
      ['completions: 8', 'completions: "8"'],
      ['runAsNonRoot: true', 'runAsNonRoot: yes please'],
      ['valueFrom:', 'valuesFrom:'],
      ['automountServiceAccountToken', 'automountServiceToken'],
    ] as const;
    for (const [from, to] of spoilt.filter(([from]) => text.includes(from))) {
      const wrong = parse(text.replace(from, to));
      const known = new Set<string>();
      const isRefused = refuses(() => watched(modelOf(wrong), '', known).validate());
      expect(isRefused || pathsOf(wrong, '').some((path) => !known.has(path)), to).toBe(true);
    }
  });

  test.each(specs)(
    '%s runs with few rights, and each index is a shard',
    (_name, { completions, completionMode, template }) => {
      expect(completionMode).toBe('Indexed');
      const { spec } = template;
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
        containers: [
          {
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ['ALL'] },
            },
          },
        ],
      });
      const env = spec?.containers.flatMap((container) => container.env ?? []) ?? [];
      expect(env.find(({ name }) => name === 'SHARDS')?.value).toBe(String(completions));
      // No secret is in a manifest.
      for (const { name, value } of env) if (/URL|SECRET|TOKEN|KEY/.test(name)) expect(value).toBeUndefined();
    },
  );
});

const block = (limit: number) =>
  `rate_limit_policies:\n  - { consumer_selector: default, configuration: { action: block, limit: ${limit} } }\n`;

/** Runs the command of a container as a pod of each index does, with the built tool. */
async function runPods(spec: Spec, cwd: string, env: Readonly<Record<string, string | undefined>>) {
  const [container] = spec.template.spec?.containers ?? [];
  const bin = join(cwd, '.bin');
  await mkdir(bin, { recursive: true });
  await writeFile(
    join(bin, 'tenant-sync'),
    `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'dist/cli/main.cjs')}" "$@"\n`,
  );
  await chmod(join(bin, 'tenant-sync'), 0o755);
  const given = Object.fromEntries((container?.env ?? []).map(({ name, value = '' }) => [name, value]));
  const paths = { PATH: `${bin}:${process.env['PATH']}`, HOME: cwd, TENANT_SYNC_STATE_URL: undefined };
  const [shell = '', ...words] = [...(container?.command ?? []), ...(container?.args ?? [])];
  const runPod = async (index: number) => {
    const all = { ...given, ...paths, ...env, JOB_COMPLETION_INDEX: String(index) };
    return promisify(execFile)(shell, words, { cwd, env: all }).then(
      ({ stdout }) => ({ code: 0, stdout }),
      ({ code, stdout }: { readonly code: number; readonly stdout: string }) => ({ code, stdout }),
    );
  };
  return Promise.all(Array.from({ length: spec.completions ?? 0 }, (_, index) => runPod(index)));
}

describe('commands', () => {
  const names = Array.from({ length: 10 }, (_, index) => `t${index}`);
  const fleet = () =>
    startFleet({
      files: { 'base/policies.yaml': block(5) },
      live: Object.fromEntries(names.map((name) => [name, [livePolicy('default', name === 't3' ? 5 : 6)]])),
      waves: { t9: 2 },
    });

  test('the pods of the Job apply the wave, and their results are complete', async () => {
    const { cwd, env, run, requests } = await fleet();
    const state = { TENANT_SYNC_STATE_DIR: join(cwd, '.state'), RESULTS: join(cwd, 'results') };
    const pods = await runPods(job.spec, cwd, { ...env, ...state });
    expect(pods.map(({ code }) => code)).toEqual(pods.map(() => 0));
    const changed = requests.filter((request) => request.includes(' PATCH ')).map((request) => request.split(' ')[0]);
    expect(changed.toSorted()).toEqual(names.filter((name) => name !== 't3' && name !== 't9'));
    expect(await run('show', 'results')).toMatchObject({ code: 0, stderr: '' });
  });

  test('the pods of the CronJob print the document of each tenant once', async () => {
    const { cwd, env } = await fleet();
    const pods = await runPods(cronJob.spec.jobTemplate.spec, cwd, env);
    const plans = pods.flatMap(({ stdout }) => JSON.parse(stdout) as { tenant?: { name: string } }[]);
    expect(plans.flatMap(({ tenant }) => tenant?.name ?? []).toSorted()).toEqual(names);
    for (const { code } of pods) expect([0, 2]).toContain(code);
    expect(pods.map(({ code }) => code)).toContain(2);
  });
});
