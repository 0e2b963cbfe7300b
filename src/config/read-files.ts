import { setImmediate } from 'node:timers/promises';
import { problem } from '../diagnostics/problem.ts';
import type { SourceText } from '../diagnostics/source-text.ts';
import type { VariableUse, WrittenItem } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { type FileListing, type FileSource, layersOf } from '../model/file-source.ts';
import { withoutFinal } from '../values/line-ends.ts';
import { memoizedByObject } from '../values/memoized.ts';
import type { Problem, Report } from './errors/problem.ts';
import type { ProblemList } from './errors/problem-list.ts';
import { startOf, textOf, unreadableFile } from './files/read-source.ts';
import { checkRules } from './header-rules.ts';
import { firstTooMany, type TakeBytes, tooManyBytesInAll, tooManyNodesInAll } from './limits.ts';
import { type KindSource, loadKinds } from './load-kinds.ts';
import { type ValidatedFile, validateFile } from './validate-file.ts';
import { openSubstitution, readVariableValues } from './variables/open-substitution.ts';
import { mayRefer, type Variables, variableFileOf } from './variables/variables.ts';
import { parseYaml } from './yaml/parse-yaml.ts';

/** What a run collects. */
export interface Run {
  readonly source: FileSource;
  readonly kinds: readonly KindSource[];
  readonly problems: ProblemList;
  readonly signal: AbortSignal | undefined;
  readonly take: TakeBytes;
  /** YAML files by name. */
  readonly texts: Map<string, SourceText>;
  /** Texts that the YAML files refer to. */
  readonly referenced: Map<string, SourceText>;
  uses: readonly VariableUse[];
  /** Later files, once there are enough errors. */
  unchecked: readonly string[];
  readonly items: WrittenItem[];
}

/** The files that can be read and have no error of their own, as far as there are few errors. Layers are in order. */
export async function validatedFiles(
  run: Run,
  listing: FileListing,
  variables: Variables,
): Promise<readonly ValidatedFile[]> {
  const { problems, signal } = run;
  const { report } = problems;
  for (const { path, ...problem } of listing.problems) report(unreadableFile(path, problem));
  const layers = layersOf(run.source);
  const layerOf = (file: string) => layers.findIndex(({ at = '' }) => file.startsWith(at));
  const ownVariables = layers.map(variableFileOf).filter((file) => listing.files.includes(file));
  const declaring = listing.files
    .filter((file) => !ownVariables.includes(file))
    .toSorted((left, right) => layerOf(left) - layerOf(right));
  if (declaring.length === 0 && problems.isEmpty()) report(emptyFolder);
  const sources = await readSources(run, declaring);
  if (sources === null) return [];
  const vars = [];
  for (const file of ownVariables) vars.push(textOf(file, await run.source.read(file), report));
  const values = await readVariableValues(vars, variables, report);
  const substitution = openSubstitution(variables, values, report, run.take);
  const files: ValidatedFile[] = [];
  for (const [index, source] of sources.entries()) {
    if (problems.isFull()) {
      run.unchecked = declaring.slice(index);
      break;
    }
    if (source === null) continue;
    run.texts.set(source.file, source);
    // Here the process handles signals.
    await setImmediate();
    signal?.throwIfAborted();
    const layer = layerOf(source.file);
    const validated = await validatedOnce(layers[layer] ?? run.source, source, report, async (reporting) => {
      const parsed = parseYaml(source, reporting, substitution);
      if (parsed === null) return null;
      checkRules(parsed, reporting);
      const kinds = await loadKinds(new Set(Object.keys(parsed.value)), run.kinds);
      return validateFile(parsed, kinds, reporting);
    });
    if (validated !== null) files.push({ layer, ...validated });
  }
  substitution.finish(files.length === declaring.length);
  run.uses = substitution.uses();
  return files;
}

type Validated = Omit<ValidatedFile, 'layer'>;

/** Files of folders that are loaded more than once, by name. */
const filesOf = memoizedByObject((_folder: FileSource) => new Map<string, Validated>());

/** A file without references and without problems is the same for every tenant. */
async function validatedOnce(
  folder: FileSource,
  source: SourceText,
  report: Report,
  validate: (report: Report) => Promise<Validated | null>,
): Promise<Validated | null> {
  if (folder.isKept !== true) return validate(report);
  const known = filesOf(folder);
  const earlier = known.get(source.file);
  if (earlier?.file.source.text === source.text) return earlier;
  let isFine = !mayRefer(source);
  const validated = await validate((problem) => {
    isFine = false;
    report(problem);
  });
  if (isFine && validated !== null) known.set(source.file, validated);
  return validated;
}

/** The texts of files, with null for a file that cannot be read; null after a report that they are too much together. */
async function readSources(
  { source, problems, take }: Run,
  files: readonly string[],
): Promise<readonly (SourceText | null)[] | null> {
  const sources: (SourceText | null)[] = [];
  for (const file of files) {
    const content = await source.read(file);
    if (content.ok && !take(content.bytes.length)) {
      problems.report({ ...tooManyBytesInAll, at: startOf(file) });
      return null;
    }
    sources.push(textOf(file, content, problems.report));
  }
  const tooMany = firstTooMany(sources.filter((text) => text !== null));
  if (tooMany === null) return sources;
  problems.report({ ...tooManyNodesInAll, at: startOf(tooMany.file) });
  return null;
}

const emptyFolder: Problem = {
  code: 'CONFIG_EMPTY_FOLDER',
  message:
    'The tenant folder contains no *.yaml or *.yml files. Folders that start with a dot and node_modules are not searched.',
  hint: 'pass the path of the folder that contains the YAML files, or create a first file',
};

export function missingFolder({ at = '' }: FileSource): Diagnostic {
  const name = at === '' ? '' : ` ${withoutFinal(at, '/')}`;
  const message = `The tenant folder${name} does not exist, or is not a folder.`;
  return problem('CONFIG_FOLDER_MISSING', message, 'pass the path of the folder that contains the YAML files');
}
