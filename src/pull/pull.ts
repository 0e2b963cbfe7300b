import { openReadConnection } from '../client/read-connection.ts';
import { overlaidSource } from '../config/files/overlaid-source.ts';
import { rememberedSource } from '../config/files/remembered-source.ts';
import { loadKinds } from '../config/load-kinds.ts';
import { declaresNothing, noVariables } from '../config/variables/variables.ts';
import { canonicalBaseUrl } from '../contract/formats.ts';
import { problem, warning } from '../diagnostics/problem.ts';
import { headerFileOf } from '../edit/header-edits.ts';
import { printYaml } from '../edit/print-yaml.ts';
import { connected, type Session } from '../engine/connected.ts';
import { credentialFinder } from '../engine/credential-values.ts';
import { type Loaded, load } from '../engine/load.ts';
import { planFor } from '../engine/make-plan.ts';
import type { PullOptions } from '../engine/options.ts';
import {
  type Failed,
  type Invalid,
  invalid,
  type Pulled,
  type PulledEdit,
  type PulledFile,
  type PullResult,
  runOf,
} from '../engine/results.ts';
import { namedKinds, selectorProblems, shortSelector, unmatchedOnly } from '../engine/selectors.ts';
import { itemId } from '../model/action-identity.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { FileSource } from '../model/file-source.ts';
import { InternalError } from '../model/internal-error.ts';
import type { KindName } from '../model/kind.ts';
import type { Plan } from '../model/plan.generated.ts';
import type { LiveState } from '../model/reader.ts';
import { idleCodes } from '../plan/rules.ts';
import { isEverything, selectsItem, selectsPart, unmatchedSelectors } from '../plan/selection.ts';
import { once } from '../values/memoized.ts';
import { parsedUrl } from '../values/parsed-url.ts';
import { parseSelector } from '../values/selector.ts';
import { openEditedLayer } from './edited-layer.ts';
import { refusedItems, whyNotWritten } from './inexpressible-items.ts';
import {
  changedId,
  changesOf,
  type ItemChange,
  isInSync,
  type Kept,
  type KindChanges,
  type KindState,
  openNames,
} from './item-changes.ts';
import { kindStates } from './kind-states.ts';
import { newTexts } from './new-texts.ts';
import { fileChanged } from './write-pulled.ts';

/** How often the tenant is read if it changes while it is read. */
const maxReadings = 3;

/** What the files have to become so that a plan has nothing to do, over a connection that cannot write. */
export async function pull(given: PullOptions): Promise<PullResult> {
  const secrets = new Set<string>();
  const onSecret = (secret: string) => {
    secrets.add(secret);
    given.onSecret?.(secret);
  };
  const { files, changed } = rememberedSource(given.files);
  const { variables = noVariables } = given;
  const variableFiles = variables.files.map((file) => ({ ...file, read: once(() => file.read()) }));
  return runOf('pull', given, async (emit): Promise<PullResult> => {
    // What the tenant has may be of any kind.
    const kinds = await loadKinds(new Set(given.kinds.map(({ name }) => name)), given.kinds);
    const options = { ...given, kinds, onSecret, files, variables: { ...variables, files: variableFiles } };
    const start = await startingFiles(options);
    const loaded = await load({ ...options, files: start.files });
    if (loaded.status === 'invalid') return loaded;
    const add = addsOf(options, loaded);
    const isWrong = (text: string) => selectorProblems('--add', text, options.kinds);
    const isPart = options.fixApprovals === true && !isEverything(loaded.selection);
    const problems = [...add.flatMap(isWrong), ...(isPart ? [wholeOnly] : [])];
    if (problems.length > 0) return invalid(problems, loaded.files);
    const resumed = (options.resume ?? []).filter((text) => isWrong(text).length === 0);
    emit({ type: 'warnings', diagnostics: loaded.warnings.filter(({ code }) => code !== 'CONFIG_NOTHING_MANAGED') });

    const result = await connected(openReadConnection, loaded, options, (session) =>
      pullSettled({ session, options, start, add: [...add, ...resumed], asked: add, secrets }),
    );
    const file = result.status === 'pulled' ? await changed() : null;
    if (file === null) return result;
    const message = 'This file changed, appeared or was deleted while the tenant was read, so nothing was written.';
    return { status: 'changed', diagnostics: [fileChanged(file, message)] };
  });
}

/** The files to begin with. A folder without any gets a header first. */
interface Start {
  readonly files: FileSource;
  /** New files that are a part of the result. */
  readonly texts: ReadonlyMap<string, string>;
}

async function startingFiles({ files, tenant, comment }: PullOptions): Promise<Start> {
  if (!(await declaresNothing(files))) return { files, texts: new Map() };
  // The project names the tenant of a layer.
  const text = printYaml({ tenant: files.entry === undefined ? headerOf(tenant.baseUrl) : {} });
  const file = headerFileOf(files);
  const texts = new Map([[file, await withComment(file, text, comment)]]);
  return { files: overlaidSource(files, texts), texts };
}

function headerOf(baseUrl: string): { readonly name?: string; readonly base_url: string } {
  // Where the URL cannot be used, loading reports it.
  const url = parsedUrl(baseUrl);
  const name = url?.hostname ?? '';
  return { ...(name !== '' && { name }), base_url: url === null ? baseUrl : canonicalBaseUrl(baseUrl) };
}

async function withComment(file: string, text: string, comment: PullOptions['comment']): Promise<string> {
  return comment === undefined ? text : `${await comment(file)}\n${text}`;
}

/** The selectors of --add; everything, if the files have no section. */
function addsOf({ add = [], kinds }: PullOptions, { desired }: Loaded): readonly string[] {
  if (desired.sections.size === 0) return kinds.map(({ name }) => name);
  return namedKinds(add, kinds);
}

interface Run {
  readonly session: Session;
  readonly options: PullOptions;
  readonly start: Start;
  /** Selectors of what is added. */
  readonly add: readonly string[];
  /** Those of them that must match something. */
  readonly asked: readonly string[];
  /** The credentials of the run, and the secrets that the files name. */
  readonly secrets: ReadonlySet<string>;
}

/** Reads the tenant again if it changes while it is read. */
async function pullSettled(run: Run): Promise<Pulled | Invalid | Failed> {
  for (let reading = 1; ; reading += 1) {
    const result = await pullOnce(run);
    if (result !== 'moved') return result;
    if (reading === maxReadings) return { status: 'failed', diagnostics: [moved] };
  }
}

/** One reading of the tenant, and what follows from it; `moved` if the tenant changed meanwhile. */
async function pullOnce(run: Run): Promise<Pulled | Invalid | Failed | 'moved'> {
  const { session, options, start, add } = run;
  const { loaded } = session;
  // Two plans over one reading: the second one shows what the files would lead to, and reads nothing.
  const snapshot = session.snapshots.share().since();
  const lives = new Map<KindName, LiveState<unknown>>();
  const plan = await planFor(session, loaded.selection, {
    snapshot,
    adopts: true,
    onLive: (kind, live) => lives.set(kind, live),
  });
  const wants = (kind: string) => add.some((text) => parseSelector(text).kind === kind);
  const reports = (name: string) =>
    plan.findings.some(({ code, kind }) => code === 'LIVE_UNDECLARED' && kind === name) ||
    plan.actions.some(({ action, kind, reason }) => action === 'delete' && reason === 'undeclared' && kind === name);
  const known = await kindStates({ session, snapshot, lives, wants, reports });
  const unmatched = unmatchedSelectorsOf(run, plan, known.states);
  if (unmatched.length > 0) return invalid(unmatched, loaded.files);

  // What the codes approve is what apply would do with the files as they are.
  const judged = options.fixApprovals ? await planFor(session, loaded.selection, { snapshot, guarded: true }) : null;
  const unjudged = judged?.complete === false ? [codesKept] : [];
  const made = await makeTexts(run, plan, known.states, idleCodes(judged?.findings ?? []));
  if (made.status === 'failed') return made;
  const files = filesOf(start, made, loaded);
  const result = {
    status: 'pulled',
    plan,
    files,
    warnings: [
      ...known.warnings,
      ...unjudged,
      ...made.parts.flatMap(({ kept, notes = [] }) => [...notes, ...kept.map((one) => one.diagnostic)]),
    ],
    variables: made.variables,
    notAdded: made.parts.flatMap(({ notAdded }) => notAdded),
    complete: known.complete,
    add,
  } as const;
  if (files.length === 0) return { ...result, edits: [] };
  const after = await planFor({ ...session, loaded: made.loaded }, loaded.selection, { snapshot, adopts: true });
  if (!isInSync(plan, after, made, known.states)) {
    if (snapshot.isRepeated()) return 'moved';
    throw new InternalError('the pulled files are not in sync with what was read; nothing was written');
  }
  return { ...result, edits: editsOf(made) };
}

const wholeOnly = problem(
  'OPTION_INVALID',
  '--fix-approvals cannot be used with --only or --except: a code may be for items that the selection leaves out.',
  'pull everything, or leave the option out',
);

const codesKept = warning(
  'PULL_NOT_READ',
  'approvals: not everything could be read, so no code is removed.',
  'fix the cause and pull again',
);

function secretInName(item: Kept): Diagnostic {
  const message = `The name of ${itemId(item)} contains a secret, so no file can protect the item. Nothing was pulled.`;
  return problem('PULL_SECRET_IN_NAME', message, 'rename the item on the tenant, and replace the secret');
}

const moved = problem(
  'PULL_MOVED',
  `The tenant changed each of the ${maxReadings} times that it was read, so nothing was pulled.`,
  'pull again when fewer changes are made',
);

/** A mistyped --only or --add must not look like "nothing to pull". */
function unmatchedSelectorsOf({ session, add, asked }: Run, plan: Plan, states: readonly KindState[]): Diagnostic[] {
  const added = new Set(add.map((text) => parseSelector(text).kind));
  const only = plan.selection.only.filter((text) => !added.has(parseSelector(text).kind));
  const known = states.flatMap(({ kind, keyOf, items, undeclared }) => [
    ...items.map(({ item: { key } }) => ({ kind: kind.name, key })),
    ...undeclared.map((live) => ({ kind: kind.name, key: keyOf(live) })),
  ]);
  const isRead = (kind: string) => states.some((state) => state.kind.name === kind);
  const unknown = unmatchedSelectors(asked, known).filter(({ kind, key }) => key !== null && isRead(kind));
  return [
    ...unmatchedOnly(
      { ...plan, selection: { ...plan.selection, only } },
      session.loaded.desired,
      session.options.kinds,
    ),
    ...unknown.map(({ text }) =>
      problem(
        'OPTION_MATCHES_NOTHING',
        `--add ${shortSelector(text, session.options.kinds)} matches no live item.`,
        'plan --only shows the names of items',
      ),
    ),
  ];
}

/** New texts, and the files as they are loaded with them. */
interface Made {
  readonly status: 'made';
  readonly parts: readonly KindChanges[];
  readonly changes: readonly ItemChange[];
  /** YAML files and other texts, by path; complete, with comments. */
  readonly yaml: ReadonlyMap<string, string>;
  readonly texts: ReadonlyMap<string, string>;
  readonly loaded: Loaded;
  readonly variables: readonly string[];
}

/** Items that no file can express are found by loading the result, and are then left out. */
async function makeTexts(
  run: Run,
  plan: Plan,
  states: readonly KindState[],
  /** Codes of `approvals` to remove. */
  idle: ReadonlySet<string>,
  refused: ReadonlyMap<string, string> = new Map(),
): Promise<Made | Failed> {
  const { session, options, start, add, secrets } = run;
  const { loaded } = session;
  const added = { only: [...add], except: [], rotate: [] };
  const isSecret = credentialFinder([...secrets]);
  const input = {
    plan,
    selection: loaded.selection,
    adds: (kind: string, key: string) => add.length > 0 && selectsItem(added, kind, key),
    names: openNames(loaded.secretNames),
    refused,
    whyUnwritable: (value: unknown) => whyNotWritten(value, isSecret),
  };
  const wanted = states.map((state) => changesOf(state, input));
  const exposed = wanted.flatMap(({ kept }) =>
    kept.filter(({ key, patterns = [] }) => patterns.length > 0 && isSecret(key)),
  );
  if (exposed.length > 0) return { status: 'failed', diagnostics: exposed.map(secretInName) };
  const layer = openEditedLayer(loaded.written, start.files);
  const parts: KindChanges[] = [];
  for (const part of wanted) parts.push(await layer.placed(part, loaded.desired.tenant));
  const changes = parts.flatMap((part) => part.changes);

  // A new section with a part of the items must not delete or report the others.
  const isPart = (kind: string) => selectsPart(loaded.selection, kind) || selectsPart(added, kind);
  const { edited, created, texts } = await newTexts({
    written: layer.written,
    changes,
    protect: parts.flatMap(({ kept }) =>
      kept.flatMap(({ kind, patterns = [] }) => patterns.map((one) => [kind, one] as const)),
    ),
    ignored: states.flatMap(({ kind: { name }, isManaged }, index) =>
      !isManaged && parts[index]?.changes.length !== 0 && isPart(name) ? [name] : [],
    ),
    idle,
    source: start.files,
    sections: new Set(loaded.desired.sections.keys()),
  });
  const yaml = new Map(edited);
  for (const [file, text] of created) yaml.set(file, await withComment(file, text, options.comment));
  const files = overlaidSource(start.files, new Map([...texts, ...yaml]));
  // A variable of the command line may have had its only use in a text that changes.
  const variables = { ...(options.variables ?? noVariables), mayBeUnused: true };
  const after = await load({ ...options, files, variables });
  if (after.status === 'loaded') {
    const before = new Set(loaded.secretNames);
    const added = after.secretNames.filter((name) => !before.has(name));
    return { status: 'made', parts, changes, yaml, texts, loaded: after, variables: added };
  }
  const found = await refusedItems(
    wanted.flatMap((part) => part.changes),
    options.kinds,
    loaded.desired.tenant,
  );
  if (found.size > 0) return makeTexts(run, plan, states, idle, new Map([...refused, ...found]));
  const messages = after.diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message);
  throw new InternalError(`the pulled files are not valid; nothing was written: ${messages.join(' ')}`);
}

/** Texts before the YAML files that refer to them, and the header first: it may have rules that keep items. */
function filesOf({ texts: started }: Start, { yaml, texts }: Made, { written }: Loaded): readonly PulledFile[] {
  const beforeOf = (file: string) =>
    started.has(file) ? null : (written.yaml.get(file) ?? written.texts.get(file) ?? null);
  const after = new Map([...started, ...texts, ...yaml]);
  const rank = (file: string) => (file === (written.header ?? headerFileOf(written)) ? 0 : yaml.has(file) ? 2 : 1);
  return [...after]
    .map(([file, text]) => ({ file, before: beforeOf(file), after: text }))
    .filter((one) => one.before !== one.after)
    .sort((left, right) => rank(left.file) - rank(right.file));
}

function editsOf({ changes, loaded, yaml, texts }: Made): readonly PulledEdit[] {
  const places = new Map(
    loaded.written.items.map(({ kind, item }) => [itemId({ kind: kind.name, key: item.key }), item.at('')]),
  );
  return changes.flatMap((change): PulledEdit[] => {
    const { kind, key } = change;
    const edit = { change: change.change, kind: kind.name, key };
    if (change.change === 'add' && change.overrides !== undefined)
      return [{ ...edit, change: 'edit', source: change.overrides.item.at('') }];
    if (change.change === 'add') return [{ ...edit, source: places.get(changedId(change)) ?? null }];
    const { item, places: declared, texts: referenced } = change.item;
    const isTouched =
      declared.some(({ file }) => yaml.has(file)) || [...referenced.values()].some((path) => texts.has(path));
    return isTouched ? [{ ...edit, source: item.at('') }] : [];
  });
}
