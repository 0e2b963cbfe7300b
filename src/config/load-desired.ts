// Files to desired state in steps: list, read, parse, substitute variables, validate by the schema, join, resolve
// references to files, check by the kinds. An error excludes the smallest part that it affects (a file, an item) from
// the next steps and never ends the run, so one run reports all errors.

import { sourceOf } from '../diagnostics/source-text.ts';
import type { LoadResult, VariableUse, WrittenFiles } from '../model/desired.ts';
import type { FileSource } from '../model/file-source.ts';
import type { AnyKind, DesiredSection, KindHead, KindName } from '../model/kind.ts';
import type { ApiLevel } from '../model/operation.ts';
import { jsonPointer } from '../values/json-pointer.ts';
import { desiredHeader, type JoinedSection } from './declared.ts';
import { resolveItems } from './desired-items.ts';
import type { Problem } from './errors/problem.ts';
import { openProblemList } from './errors/problem-list.ts';
import { referenceResolver } from './files/file-reference.ts';
import { checkAssertion, checkReplacedRule, checkStates } from './header-rules.ts';
import { joinHeaders, joinSections } from './join-files.ts';
import { openFolderBudget } from './limits.ts';
import { type KindSource, loadKinds } from './load-kinds.ts';
import { checkPlaceholders } from './placeholders.ts';
import { missingFolder, type Run, validatedFiles } from './read-files.ts';
import { noVariables, type Variables } from './variables/variables.ts';
import { asWritten, keyPlace, type YamlFile } from './yaml/yaml-file.ts';

export interface Loaded extends LoadResult {
  /** The base URL of the header as its file writes it: with references, for messages. */
  readonly writtenUrl?: string;
  /** Names of the environment variables that the files use for secrets. */
  readonly secretNames: readonly string[];
  /** Of all environment variables. */
  readonly uses: readonly VariableUse[];
  readonly written: WrittenFiles;
  /** The kinds that the files have sections of. */
  readonly kinds: readonly AnyKind[];
}

const nothingLoaded = {
  desired: null,
  secretNames: [],
  uses: [],
  files: 0,
  written: { at: '', items: [], yaml: new Map(), texts: new Map(), header: null },
  kinds: [],
};

/**
 * All errors in all files of `source`, or the desired state. Never throws because of the content of a file. Of `kinds`, those
 * are loaded that the files have sections of. `signal` ends the run.
 */
export async function loadDesired(
  source: FileSource,
  kinds: readonly KindSource[],
  variables: Variables = noVariables,
  signal?: AbortSignal,
): Promise<Loaded> {
  const listing = await source.list();
  if (listing === null) return { ...nothingLoaded, diagnostics: [missingFolder(source)] };
  const problems = openProblemList();
  const { report } = problems;
  const run: Run = {
    source,
    kinds,
    problems,
    signal,
    take: openFolderBudget(),
    texts: new Map(),
    referenced: new Map(),
    uses: [],
    unchecked: [],
    items: [],
  };
  const files = await validatedFiles(run, listing, variables);
  const header = joinHeaders(files, report);
  if (variables.isEarlier !== true) checkReplacedRule(header, kinds, report);
  checkAssertion(header, source.entry, report);
  const present = await loadKinds(new Set(files.flatMap(({ file }) => Object.keys(file.value))), kinds);
  const joined = joinSections(files, present, report);
  for (const section of joined) checkStates(section, header, report);
  const sections = await desiredSections(joined, run, header.tenant.api);
  if (problems.isEmpty() && header.file !== null && sections.size === 0) report(nothingManaged(header.file, kinds));
  checkPlaceholders(
    files.map(({ file }) => file),
    run.referenced.values(),
    report,
  );
  const texts = new Map([...run.referenced, ...run.texts]);
  const diagnostics = problems.finish(texts, run.unchecked);
  const { at = '' } = source;
  const own = files.find(({ file }) => file.source.file.startsWith(at) && Object.hasOwn(file.value, 'tenant'));
  const failed = diagnostics.some(({ severity }) => severity === 'error');
  const { base_url: url } = header.tenant;
  const urlAt = failed || url === undefined ? null : header.placeOf('/base_url');
  const written = urlAt === null ? undefined : String(asWritten(urlAt.file, urlAt.pointer, url));
  const writtenUrl = source.entry?.values.base_url ?? written;
  return {
    desired: failed ? null : { ...desiredHeader(header, source.entry), sections },
    ...(writtenUrl !== undefined && { writtenUrl }),
    secretNames: run.uses.filter(({ isSecret }) => isSecret).map(({ name }) => name),
    uses: run.uses,
    diagnostics,
    files: run.texts.size,
    written: {
      at,
      items: run.items,
      yaml: new Map([...run.texts].map(([file, { text }]) => [file, text])),
      texts: new Map([...run.referenced].map(([file, { text }]) => [file, text])),
      header: own?.file.source.file ?? null,
      ...(source.entry !== undefined && { project: { tenant: source.entry.values.name, file: source.entry.file } }),
    },
    kinds: present,
  };
}

async function desiredSections(
  joined: readonly JoinedSection[],
  run: Run,
  api: ApiLevel = 'full',
): Promise<ReadonlyMap<KindName, DesiredSection>> {
  const { problems } = run;
  const resolve = referenceResolver(run.source, problems.report, run.take, run.referenced);
  const sections = new Map<KindName, DesiredSection>();
  for (const section of joined) {
    const resolved = await resolveItems(section, resolve);
    for (const one of resolved) {
      run.items.push(one);
      section.kind.check?.(one.item, problems.add, api);
    }
    sections.set(section.kind.name, {
      items: resolved.map(({ item }) => item),
      get source() {
        return sourceOf(section.place);
      },
    });
  }
  return sections;
}

function nothingManaged(file: YamlFile, kinds: readonly KindHead[]): Problem {
  return {
    code: 'CONFIG_NOTHING_MANAGED',
    severity: 'warning',
    message: 'The files have a header but no section, so nothing is managed.',
    hint: `add a section: ${kinds.map(({ name }) => name).join(', ')}`,
    at: keyPlace(file, jsonPointer('tenant')),
  };
}
