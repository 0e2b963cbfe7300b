// `tenant-sync.yaml` and the files that it includes: the tenants of a project, or all errors in them.
import { posix } from 'node:path';
import { explainSchemaErrors } from '../config/errors/explain-schema-errors.ts';
import type { Problem, Report } from '../config/errors/problem.ts';
import { openProblemList } from '../config/errors/problem-list.ts';
import { isYaml } from '../config/files/list-tree.ts';
import { textOf, unreadableFile } from '../config/files/read-source.ts';
import { variableValue } from '../config/variables/open-substitution.ts';
import { parseYaml } from '../config/yaml/parse-yaml.ts';
import { keyPlace, locate, type YamlFile } from '../config/yaml/yaml-file.ts';
import { canonicalTenant } from '../contract/formats.ts';
import { validateProject } from '../contract/project.generated.ts';
import { shape } from '../contract/shape.ts';
import { didYouMean, nearestWord } from '../diagnostics/near-names.ts';
import { type Place, placeText, type SourceText, sourceOf } from '../diagnostics/source-text.ts';
import type { Diagnostic, Source } from '../model/diagnostic.ts';
import {
  type FileSource,
  isHiddenPath,
  type ProjectApproval,
  type ProjectText,
  projectFile,
} from '../model/file-source.ts';
import type { Project as ProjectFile } from '../model/project.generated.ts';
import { groupBy } from '../values/group-by.ts';
import { jsonPointer } from '../values/json-pointer.ts';
import { memoized } from '../values/memoized.ts';
import { matchesWildcard } from '../values/selector.ts';

export interface ProjectTenant {
  readonly name: string;
  /** Folders below that of the project; of what several declare, a later one counts. */
  readonly layers: readonly string[];
  /** What the names of the environment variables with its credentials begin with. */
  readonly environment: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly baseUrl: string | null;
  readonly wave: number;
  readonly approvals: readonly ProjectApproval[];
  readonly source: Source;
}

export interface Project {
  readonly file: ProjectText;
  /** In the order of their names. */
  readonly tenants: readonly ProjectTenant[];
  /** Where it requires a database; undefined unless it does. */
  readonly stateAt?: Source;
}

const { validate } = shape<ProjectFile>('project.schema.json', validateProject);

/** A tenant and the places in its file that messages name. */
interface Entry {
  readonly tenant: ProjectTenant;
  readonly file: YamlFile;
  readonly pointer: string;
  /** Its name. */
  readonly at: Place;
}

/**
 * The project that `source` has in its own folder. `open` opens the folder of a layer. Null without the file, and a list
 * of diagnostics if anything in it is wrong.
 */
export async function readProject(
  source: FileSource,
  open: (layer: string) => FileSource | Promise<FileSource>,
): Promise<Project | readonly Diagnostic[] | null> {
  const { at = '' } = source;
  if (!(await source.namesIn(at === '' ? '.' : at.slice(0, -1))).includes(projectFile)) return null;
  const problems = openProblemList();
  const { report } = problems;
  const texts = new Map<string, SourceText>();
  const read = async (path: string): Promise<YamlFile | null> => {
    const content = await source.read(path);
    // A link, a hidden file or another name of a file may be what nobody should see, and an error shows its first line.
    if (content.ok && (content.path !== path || (content.names ?? 1) > 1)) {
      report(unreadableFile(path, { reason: 'hidden', detail: '' }));
      return null;
    }
    const text = textOf(path, content, report);
    if (text === null) return null;
    texts.set(path, text);
    const file = parseYaml(text, report);
    return file === null || !isValid(file, report) ? null : file;
  };
  const first = await read(at + projectFile);
  if (first === null) return problems.finish(texts);
  const files = [first];
  for (const path of await includedFiles(first, source, report)) {
    const file = await read(path);
    if (file === null) continue;
    for (const name of ['include', 'approvals', 'state'])
      if (Object.hasOwn(file.value, name))
        report(
          wrong(`An included file has no "${name}".`, `add it to ${projectFile}`, keyPlace(file, jsonPointer(name))),
        );
    files.push(file);
  }
  const entries = files.flatMap((file) => entriesOf(file, report));
  checkNames(entries, report);
  checkBaseUrls(entries, report);
  await checkLayers(
    entries,
    memoized(async (layer) => (await (await open(layer)).list()) !== null),
    report,
  );
  if (entries.length === 0)
    report(wrong('The project has no tenant.', 'add one under "tenants"', locate(first, '').value));
  const names = entries.map(({ tenant }) => tenant.name);
  const approved = files.flatMap((file) => approvalsOf(file, names, report));
  const diagnostics = problems.finish(texts);
  if (diagnostics.length > 0) return diagnostics;
  const approvals = groupBy(approved, ({ tenant }) => tenant);
  const tenants = entries.map(({ tenant }) => ({ ...tenant, approvals: approvals.get(tenant.name) ?? [] }));
  const { state } = first.value as ProjectFile;
  return {
    file: first.source,
    ...(state && { stateAt: sourceOf(locate(first, jsonPointer('state')).value) }),
    tenants: tenants.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
  };
}

/** Each code once for each tenant that it names. A name that no tenant has would approve nothing. */
function approvalsOf(file: YamlFile, names: readonly string[], report: Report) {
  const { approvals = [] } = file.value as ProjectFile;
  return approvals.flatMap(({ code, tenants }, index) =>
    tenants.map((tenant, position) => {
      const at = locate(file, jsonPointer('approvals', index, 'tenants', position)).value;
      const hint = didYouMean(nearestWord(tenant, names)) ?? 'delete it, or correct the name';
      if (!names.includes(tenant)) report(wrong(`The project has no tenant "${tenant}".`, hint, at));
      return { tenant, code, source: sourceOf(at) };
    }),
  );
}

function isValid(file: YamlFile, report: Report): boolean {
  if (validate(file.value)) return true;
  explainSchemaErrors(file, validate.errors ?? [], report, 'project.schema.json');
  return false;
}

/** Below the folder of the project, in order; a pattern without a file is an error. */
async function includedFiles(file: YamlFile, source: FileSource, report: Report): Promise<readonly string[]> {
  const { include = [] } = file.value as ProjectFile;
  const found = new Set<string>();
  for (const [index, pattern] of [include].flat().entries()) {
    const { at = '' } = source;
    const path = posix.join(at, pattern);
    const isBelow = path.startsWith(at) && !path.startsWith('../') && !isHiddenPath(path.slice(at.length));
    const names = isBelow ? await source.namesIn(posix.dirname(path)) : [];
    const isReadable = (name: string) => isYaml(name) && !isHiddenPath(name) && name !== projectFile;
    const matching = names.filter((name) => isReadable(name) && matchesWildcard(posix.basename(path), name)).sort();
    for (const name of matching) found.add(posix.join(posix.dirname(path), name));
    const pointer = jsonPointer('include') + (typeof include === 'string' ? '' : jsonPointer(index));
    if (matching.length > 0) continue;
    const message = `No YAML file below the folder of ${projectFile} matches "${pattern}".`;
    report(wrong(message, 'correct the path, or delete the line', locate(file, pointer).value));
  }
  return [...found];
}

function entriesOf(file: YamlFile, report: Report): readonly Entry[] {
  const { tenants = {} } = file.value as ProjectFile;
  return Object.entries(tenants).map(([name, { layers, environment, variables, base_url: baseUrl, wave }]) => {
    const pointer = jsonPointer('tenants', name);
    const at = keyPlace(file, pointer);
    const tenant = {
      name,
      layers,
      environment: environment ?? 'TENANT_SYNC',
      variables: Object.fromEntries(
        Object.entries(variables ?? {}).map(([variable, value]) => [
          variable,
          variableValue(file, pointer + jsonPointer('variables', variable), value, report),
        ]),
      ),
      baseUrl: baseUrl ?? null,
      wave: wave ?? 1,
      approvals: [],
      source: sourceOf(at),
    };
    return { tenant, file, pointer, at };
  });
}

function checkNames(entries: readonly Entry[], report: Report): void {
  for (const [name, [first, ...others]] of groupBy(entries, ({ tenant }) => tenant.name))
    for (const { at } of others) {
      const places = [first?.at ?? at, at].map(placeText).join(' and at ');
      report(wrong(`The tenant "${name}" is declared twice: at ${places}.`, 'rename or delete one of the two', at));
    }
}

function checkBaseUrls(entries: readonly Entry[], report: Report): void {
  const urls = entries.filter(({ tenant }) => tenant.baseUrl !== null);
  for (const [first, ...others] of groupBy(urls, ({ tenant }) => canonicalTenant(tenant.baseUrl ?? '')).values())
    for (const { file, pointer, tenant } of others) {
      const urls = [...new Set([first?.tenant.baseUrl, tenant.baseUrl])].join(' and ');
      const message = `${urls}: "${first?.tenant.name}" and "${tenant.name}" are the same tenant. A tenant belongs to one entry.`;
      report(wrong(message, 'correct one of the two', locate(file, pointer + jsonPointer('base_url')).value));
    }
}

/** Each layer is a folder that exists, and none is inside another: its files would count twice. */
async function checkLayers(
  entries: readonly Entry[],
  exists: (layer: string) => Promise<boolean>,
  report: Report,
): Promise<void> {
  const places = new Map<string, Place>();
  for (const { tenant, file, pointer } of entries)
    for (const [index, layer] of tenant.layers.entries()) {
      const at = locate(file, pointer + jsonPointer('layers', index)).value;
      if (tenant.layers.indexOf(layer) < index)
        report(wrong(`The layer "${layer}" is there twice.`, 'delete one of the two', at));
      if (!places.has(layer)) places.set(layer, at);
    }
  for (const [layer, at] of places) {
    const outer = [...places.keys()].find((folder) => layer.startsWith(`${folder}/`));
    if (outer !== undefined)
      report(wrong(`The layer "${layer}" is inside the layer "${outer}".`, 'move it out of that folder', at));
    else if (isHiddenPath(layer) || !(await exists(layer))) {
      const message = `The folder of the layer "${layer}" does not exist, or is a link.`;
      const kept = `git keeps no empty folder, so add a file such as ${layer}/.gitkeep`;
      report(wrong(message, `correct the path, or create the folder; ${kept}`, at));
    }
  }
}

function wrong(message: string, hint: string, at: Place): Problem {
  return { code: 'CONFIG_PROJECT', message, hint, at };
}
