import type { DecideInput, Decision, KeepRules, Loss } from '../model/kind.ts';
import type { Action, Finding } from '../model/plan.generated.ts';
import { type ListedKind, openDifferences } from './decide-difference.ts';
import { decideSecrets } from './decide-secrets.ts';
import { diffItems } from './diff-items.ts';
import { draftFinding } from './draft.ts';
import { leftFindings } from './left-items.ts';
import { noteLosses, oddFindings } from './odd-fields.ts';
import { reachedRenames, withRenames } from './renames.ts';
import { unit, unreadableDecision } from './unreadable-decision.ts';

/**
 * The decision for a kind whose items can be listed.
 *
 * Every difference becomes one request or one finding. It becomes a request if the kind has a correction for it whose
 * operation the files allow. Items that `protect` or `undeclared` covers stay, and are no losses.
 */
export function decideListed<Desired extends object, Live extends object>(
  plain: ListedKind<Desired, Live>,
  given: DecideInput<Desired, Live>,
): Decision {
  const { desired, keep, watched = [] } = given;
  const listed = { ...plain, ...withRenames(plain, plain.identity.join('/'), desired.items) };
  if (!given.live.readable) return unreadableDecision(listed.kind, desired, given.live);
  const { items, findings: undeclarable } = separated(listed, given.live.items, keep);
  const live = { ...given.live, items };
  const input = { ...given, live };
  const actions: Action[] = [];
  const found: Finding[] = [];
  const losses: Loss[] = [];
  const kept = new Set<string>();
  const decide = openDifferences(listed, input);
  const keys = items.map((item) => listed.keyOf(item));
  for (const difference of diffItems(desired.items, items, listed, keys)) {
    const decided = decide(difference);
    if (decided.finding !== undefined) found.push(decided.finding);
    if (decided.kept !== undefined) kept.add(decided.kept);
    if (decided.action !== undefined) actions.push(decided.action);
    if (decided.followUp !== undefined) actions.push(decided.followUp);
    if (decided.loss !== undefined) losses.push(decided.loss);
  }
  const decision: Decision = {
    kind: listed.kind,
    actions,
    findings: [
      ...found,
      ...undeclarable,
      ...reachedRenames(listed.kind, desired.items, live.items, plain.keyOf),
      ...oddFindings(listed, given),
      ...leftFindings(listed, given.live.items, watched, actions),
    ],
    losses,
    asked: [],
    gains: actions.flatMap(({ id, before }) => (before === null ? [id] : [])),
    unreadable: null,
    population: {
      declared: desired.items.filter(({ state }) => state === 'present').length,
      live: items.flatMap((item, index) => (kept.has(listed.idOf(item)) ? [] : { key: keys[index] ?? '', parts: 1 })),
      filtered: live.filtered,
      unit,
    },
    names:
      live.filtered || keep.patterns.length === 0
        ? null
        : [...desired.items.map(({ value }) => value), ...live.items].flatMap((item) => listed.protectedAs(item)),
  };
  const { secrets } = listed;
  const complete =
    secrets === undefined ? decision : decideSecrets(decision, { ...input, live }, { ...listed, secrets });
  return { ...complete, actions: noteLosses(complete.actions, live, listed) };
}

/** What no file can declare is neither matched nor deleted, and its id is no name that files could mean. */
function separated<Desired, Live>(
  { kind, undeclarable, idOf }: ListedKind<Desired, Live>,
  live: readonly Live[],
  { undeclared }: KeepRules,
): { readonly items: readonly Live[]; readonly findings: readonly Finding[] } {
  if (undeclarable === undefined) return { items: live, findings: [] };
  const findings = live.flatMap((item) => {
    const why = undeclarable(item);
    const message = `on the tenant; left alone because ${why}, so no file can declare it`;
    return why === null
      ? []
      : draftFinding({ code: 'LIVE_UNDECLARABLE', kind, key: idOf(item), message, source: null });
  });
  const items = live.filter((item) => undeclarable(item) === null);
  return { items, findings: undeclared === 'ignore' ? [] : findings };
}
