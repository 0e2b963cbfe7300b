// What a command line works on: the folder of a tenant, or a tenant of a project.
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { folderSource } from '../config/files/folder-source.ts';
import { layeredSource } from '../config/files/layered-source.ts';
import { emptySource } from '../config/files/overlaid-source.ts';
import { canonicalTenant } from '../contract/formats.ts';
import { didYouMean, nearestWord } from '../diagnostics/near-names.ts';
import { problem } from '../diagnostics/problem.ts';
import { type FileSource, filesAt, projectFile } from '../model/file-source.ts';
import type { Project, ProjectTenant } from '../project/read-project.ts';
import { few } from '../report/wording.ts';
import { digitsOf, fingerprint } from '../values/fingerprint.ts';
import { groupBy } from '../values/group-by.ts';
import { memoized, once } from '../values/memoized.ts';
import { matcherOfAny } from '../values/selector.ts';
import { startOfPaths } from './environment.ts';
import { CommandError, exitCode, invalidOption } from './exit-codes.ts';
import type { Io } from './io.ts';
import type { Shard } from './options.ts';
import type { Arguments } from './parse-arguments.ts';

type Surroundings = Pick<Io, 'env' | 'cwd'>;
type Asked = Pick<Arguments, 'folder'> & Partial<Pick<Arguments, 'tenant' | 'all' | 'wave' | 'shard' | 'results'>>;

export interface Target {
  readonly files: FileSource;
  /** Of a project; null for the folder of a tenant. */
  readonly tenant: ProjectTenant | null;
  readonly project: Project | null;
}

export function isProject(folder: string): boolean {
  return existsSync(join(folder, projectFile));
}

/** Of a project; '' for the folder of a tenant. */
export function nameOf({ tenant }: Pick<Target, 'tenant'>): string {
  return tenant?.name ?? '';
}

/** Most commands have no project. */
const reader = () => import('../project/read-project.ts');

/** The tenants that the options name; a folder without `tenant-sync.yaml` is one. Throws a CommandError. */
export async function targetsOf(io: Surroundings, asked: Asked): Promise<Target[]> {
  const { folder, tenant = [] } = asked;
  const path = resolve(io.cwd, folder);
  const at = startOfPaths(io, folder);
  const layer = memoized((name: string) => filesAt(`${at}${name}/`, layerSource(path, name)));
  const files = filesAt(at, folderSource(path));
  const project = isProject(path) ? await (await reader()).readProject(files, layer) : null;
  if (project === null) {
    const message = `${folder} has no ${projectFile}, so it is the folder of one tenant.`;
    if (tenant.length > 0 || asksForSeveral(asked))
      throw invalidOption(
        message,
        `name a folder with ${projectFile}, or omit --tenant, --all, --wave, --shard and --results`,
      );
    await checkNoLayer(path);
    return [{ files, tenant: null, project }];
  }
  if (!('tenants' in project)) throw new CommandError(exitCode.invalid, project);
  const tenants = selected(project, asked);
  const uses = groupBy(
    tenants.flatMap(({ layers }) => layers),
    (name) => name,
  );
  const isKept = (name: string) => tenants.length <= mostKept || (uses.get(name)?.length ?? 0) > 1;
  const known = memoized((name: string) => ({ ...layer(name), isKept: isKept(name) }));
  return tenants.map((one) => ({ tenant: one, project, files: filesOf(project, one, known) }));
}

/** Of as many tenants, files of one alone are kept as well: they are needed twice, to check all tenants and to run each. */
const mostKept = 100;

/** A link could lead out of what a review shows, so a layer that is one, or behind one, counts as missing. */
function layerSource(project: string, name: string): FileSource {
  const path = join(project, name);
  const isReal = existsSync(path) && realpathSync(path) === join(realpathSync(project), name);
  return isReal ? folderSource(path) : emptySource;
}

/** True if the options may select several tenants: the result is then a list, however many they are. */
export function asksForSeveral({ all = false, wave, shard, results, tenant = [] }: Asked): boolean {
  const isPart = [wave, shard, results].some((value) => value !== undefined);
  return all || isPart || tenant.length > 1 || tenant.some((pattern) => pattern.includes('*'));
}

/** Those of the shard; all of them without one. A tenant that is added moves no other to another shard. */
export function inShard(targets: readonly Target[], shard: Shard | undefined): readonly Target[] {
  if (shard === undefined) return targets;
  return targets.filter((target) => numberOf(nameOf(target)) % shard.of === shard.part - 1);
}

/** The same on every machine and in every version. */
function numberOf(name: string): number {
  return Number.parseInt(digitsOf(fingerprint(name), 12), 16);
}

/**
 * The same tenant in the files of an earlier commit, by its name or else by its base URL. Without one, its folder is
 * empty; a folder that became a project is the same folder. The project is read once for all tenants.
 */
export function earlierTargets(files: FileSource, open: (layer: string) => Promise<FileSource>) {
  const read = once(async () => (await reader()).readProject(files, open));
  return async ({ tenant }: Target): Promise<Pick<Target, 'files' | 'tenant'>> => {
    const project = tenant === null ? null : await read();
    if (tenant === null || project === null) return { files, tenant: null };
    if (!('tenants' in project)) return { files: invalidProject, tenant: null };
    const { tenants } = project;
    const url = tenant.baseUrl && canonicalTenant(tenant.baseUrl);
    const isSame = ({ baseUrl }: ProjectTenant) => baseUrl !== null && canonicalTenant(baseUrl) === url;
    const earlier = tenants.find(({ name }) => name === tenant.name) ?? tenants.find(isSame);
    if (earlier === undefined) return { files: emptySource, tenant: null };
    const layers = new Map(await Promise.all(earlier.layers.map(async (name) => [name, await open(name)] as const)));
    return {
      files: filesOf(project, { ...earlier, name: tenant.name }, (name) => layers.get(name) ?? emptySource),
      tenant: earlier,
    };
  };
}

/** So that the base counts as invalid. */
const invalidProject: FileSource = {
  ...emptySource,
  list: async () => ({ files: [], problems: [{ path: projectFile, reason: 'unreadable', detail: 'not valid' }] }),
};

function filesOf({ file, stateAt }: Project, tenant: ProjectTenant, open: (layer: string) => FileSource): FileSource {
  const { name, layers, baseUrl, source, approvals } = tenant;
  const values = {
    name,
    ...(stateAt && { state: 'database' as const }),
    ...(baseUrl !== null && { base_url: baseUrl }),
  };
  return {
    ...layeredSource(layers.map(open)),
    entry: { values, source, approvals, file, ...(stateAt && { stateAt }) },
  };
}

function selected({ tenants }: Project, { tenant: patterns = [], all, wave, shard }: Asked): readonly ProjectTenant[] {
  const names = tenants.map(({ name }) => name);
  if (all && patterns.length > 0)
    throw invalidOption('--all and --tenant cannot be used together.', 'keep one of them');
  if (!all && patterns.length === 0 && wave === undefined && shard === undefined) {
    const message = `The folder is a project with ${names.length === 1 ? 'the tenant' : 'the tenants'} ${few(names)}.`;
    throw invalidOption(message, names.length === 1 ? 'add --tenant NAME' : 'add --tenant NAME, or --all');
  }
  for (const pattern of patterns) {
    if (names.some(matcherOfAny([pattern]))) continue;
    const message = `--tenant ${pattern} matches no tenant of the project.`;
    throw invalidOption(message, didYouMean(nearestWord(pattern, names)) ?? `the tenants are ${few(names)}`);
  }
  const named = patterns.length === 0 ? tenants : tenants.filter(({ name }) => matcherOfAny(patterns)(name));
  const found = named.filter((one) => wave === undefined || one.wave === wave);
  if (found.length === 0) {
    const waves = [...new Set(named.map((one) => one.wave))].sort((one, other) => one - other);
    throw invalidOption(`None of these tenants is in wave ${wave}.`, `their waves are ${few(waves.map(String))}`);
  }
  return found;
}

/**
 * Refuses the folder of a layer of a project in a folder above: what the other layers of its tenants declare would be
 * missing, and deleted. If that project is not valid, its errors are reported: it may be one of its layers.
 */
async function checkNoLayer(path: string): Promise<void> {
  if (!existsSync(path)) return;
  const real = realpathSync(path);
  for (let folder = dirname(real); dirname(folder) !== folder; folder = dirname(folder)) {
    if (!isProject(folder)) continue;
    const project = await (await reader()).readProject(folderSource(folder), (name) => layerSource(folder, name));
    const own = `${relative(folder, real).replaceAll('\\', '/')}/`;
    if (project !== null && !('tenants' in project)) throw new CommandError(exitCode.invalid, project);
    const layers = project === null ? [] : project.tenants.flatMap(({ layers }) => layers);
    const layer = layers.find((name) => own.startsWith(`${name}/`) || `${name}/`.startsWith(own));
    if (layer === undefined) continue;
    const message = `The folder is a layer of the project in ${folder}: what its other layers declare would be missing.`;
    const hint = `run the command on ${folder} with --tenant NAME`;
    throw new CommandError(exitCode.invalid, [problem('CONFIG_LAYER_FOLDER', message, hint)]);
  }
}
