import { expect, onTestFinished } from 'vitest';
import { isDifference } from '../../src/model/findings.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { drift, type Pulled, type PullOptions, plan, pull } from '../../src/sync/index.ts';
import { memorySource } from './memory-source.ts';
import { type StartedTenant, startTenant } from './start-tenant.ts';

type Files = Readonly<Record<string, string>>;
type Options = Partial<Omit<PullOptions, 'files' | 'tenant'>>;

/** A tenant that is pulled into texts in memory. */
export interface PulledTenant {
  readonly tenant: StartedTenant;
  /** Fails unless something was pulled. */
  pull(files: Files, options?: Options): Promise<Pulled>;
  /** The files as they are after a pull. */
  pullInto(files: Files, options?: Options): Promise<Files>;
  /** Codes and keys of actions, and of findings that are not about secrets. */
  planOf(files: Files): Promise<readonly string[]>;
  /** Codes and keys of the differences that drift finds; none if its exit code is 0. */
  driftOf(files: Files): Promise<readonly string[]>;
}

export async function pullTenant(seed: Seed, options: Parameters<typeof startTenant>[1] = {}): Promise<PulledTenant> {
  const tenant = await startTenant(seed, options);
  onTestFinished(() => tenant.close());
  return openPulls(tenant);
}

export async function openPulls(tenant: StartedTenant): Promise<PulledTenant> {
  const credentials = { token: await tenant.token() };
  const access = { baseUrl: tenant.baseUrl, credentials };
  const pullFiles = async (files: Files, more: Options = {}) => {
    const result = await pull({ files: memorySource(files), tenant: access, ...more });
    if (result.status !== 'pulled') expect(result).toMatchObject({ status: 'pulled' });
    return result as Pulled;
  };
  return {
    tenant,
    pull: pullFiles,
    pullInto: async (files, more) => written(files, await pullFiles(files, more)),
    driftOf: async (files) => {
      const result = await drift({ files: memorySource(files), tenant: access });
      if (result.status !== 'compared') return [JSON.stringify(result)];
      const { actions, findings, complete } = result.plan;
      const found = [
        ...(complete ? [] : ['incomplete']),
        ...actions.map(({ action, kind, key }) => `${action} ${kind}/${key}`),
        ...findings.filter(isDifference).map(({ code, kind, key }) => `${code} ${kind}/${key}`),
      ];
      expect(result.differs).toBe(found.length > 0);
      return found;
    },
    planOf: async (files) => {
      const result = await plan({ files: memorySource(files), tenant: access });
      if (!('plan' in result)) return [JSON.stringify(result)];
      const { actions, findings } = result.plan;
      return [
        ...actions.map(({ action, kind, key }) => `${action} ${kind}/${key}`),
        ...findings
          .filter(({ code }) => code !== 'LIVE_SECRET_NOT_COMPARED')
          .map(({ code, kind, key }) => `${code} ${kind}/${key}`),
      ];
    },
  };
}

/** The files once everything that was pulled is written. */
export function written(files: Files, { files: changed }: Pick<Pulled, 'files'>): Files {
  return { ...files, ...Object.fromEntries(changed.map(({ file, after }) => [file, after])) };
}
