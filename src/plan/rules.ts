import { didYouMean, openNames } from '../diagnostics/near-names.ts';
import type { Item } from '../model/action-identity.ts';
import type { Source } from '../model/diagnostic.ts';
import { findingTraits } from '../model/findings.ts';
import type { Approval, Finding } from '../model/plan.generated.ts';
import { jsonPointer } from '../values/json-pointer.ts';
import { memoized } from '../values/memoized.ts';
import { literalText, wildcardMatcher } from '../values/selector.ts';
import type { AssembleInput, Rules } from './assemble-input.ts';
import { unmatchedSelectors } from './selection.ts';

/** Guard limits that apply to files without any. */
export const defaultLimits = { max_delete_percent: 30, max_delete_count: 3 } as const;

type RuleInput = Pick<AssembleInput, 'desired' | 'selection' | 'decisions'> & {
  /** Live items that are not as declared; made if they are asked for. */
  readonly live: () => readonly Item[];
};

/**
 * Patterns under `protect` that cover no declared and no live name, with their positions in the list of the kind and the
 * name that each probably means. Where not all names are known, a pattern may match one that was not read.
 */
function idlePatterns({ desired, decisions }: Pick<RuleInput, 'desired' | 'decisions'>) {
  return decisions.flatMap(({ kind, names }) => {
    const patterns = desired.tenant.protect?.[kind] ?? [];
    if (patterns.length === 0 || names === null) return [];
    const known = new Set(names);
    const isIdle = (pattern: string) =>
      literalText(pattern) === null ? !names.some(wildcardMatcher(pattern)) : !known.has(literalText(pattern) ?? '');
    const idle = [...patterns.entries()].filter(([, pattern]) => isIdle(pattern));
    const { near } = openNames(names);
    return idle.map(([index, pattern]) => ({ kind, pattern, index, near: near(pattern) }));
  });
}

/** Rules that weaken the protection of the tenant, and rules that have no effect. */
export function ruleFindings({ desired, selection, decisions, live }: RuleInput): Finding[] {
  const { tenant, tenantAt, sections } = desired;
  /** Every plan shows a guard that allows more than the default. */
  const wider = (['max_delete_count', 'max_delete_percent'] as const).flatMap((name) => {
    const limit = tenant.guards?.[name];
    if (limit === undefined || limit <= defaultLimits[name]) return [];
    const unit = name === 'max_delete_percent' ? '%' : '';
    const message = `allows ${limit}${unit} of a kind to be deleted in one plan; the default is ${defaultLimits[name]}${unit}`;
    return [ruleFinding('RULE_GUARD_WIDENED', `guards.${name}`, message, tenantAt(jsonPointer('guards', name)))];
  });
  const unmatched = (key: string, message: string, ...path: readonly (string | number)[]) =>
    ruleFinding('RULE_UNMATCHED', key, message, path.length === 0 ? undefined : tenantAt(jsonPointer(...path)));
  const patterns = idlePatterns({ desired, decisions }).map(({ kind, pattern, index, near }) => {
    const message = `protects nothing: no declared or live item has this name${hintOf(near)}`;
    return unmatched(`protect.${kind}: ${pattern}`, message, 'protect', kind, index);
  });
  // A kind without a section is neither read nor changed.
  const without = 'has no effect: the files have no section for this kind';
  const idleKinds = Object.keys(tenant.undeclared ?? {})
    .filter((kind) => !sections.has(kind))
    .map((kind) => unmatched(`undeclared.${kind}`, without, 'undeclared', kind));
  /** A misspelt --except does not leave out what it was meant to leave out. */
  const declared = () => [...sections].flatMap(([kind, { items }]) => items.map(({ key }) => ({ kind, key })));
  const known = selection.except.length === 0 ? [] : [...declared(), ...live()];
  const isRead = (kind: string) =>
    decisions.some(
      ({ kind: name, unreadable, population }) => name === kind && unreadable === null && !population.filtered,
    );
  const namesOf = memoized((kind: string) =>
    openNames(known.filter((item) => item.kind === kind).map(({ key }) => key)),
  );
  const exclusions = unmatchedSelectors(selection.except, known)
    .filter(({ kind, key }) => !sections.has(kind) || (key !== null && key !== '*' && isRead(kind)))
    .map(({ text, kind, key }) => {
      const why = sections.has(kind)
        ? `no declared item and no undeclared live item matches it${hintOf(namesOf(kind).near(key ?? ''))}`
        : `the files have no section for ${kind}`;
      return unmatched(`--except ${text}`, `excludes nothing: ${why}`);
    });
  return [...wider, ...patterns, ...idleKinds, ...exclusions];
}

/** A code of --approve that does not approve this refused plan. Of several tenants, the code is about all of them. */
export function otherCode({ ofProject }: Rules, code: string | null, given = code): Finding[] {
  if (code === null || given === code || ofProject) return [];
  const message = `approves nothing: the code of this plan is ${code}`;
  return [{ ...ruleFinding('RULE_UNMATCHED', `--approve ${given}`, message, undefined), severity: 'note' }];
}

/** Codes under `approvals` that approve nothing any more. `code` is that of the plan; null if it has none. */
export function idleApprovals({ tenant, tenantAt, ofProject }: Rules, code: string | null): Finding[] {
  return [...(tenant.approvals ?? []).entries()]
    .filter(([, approved]) => approved !== code)
    .map(([index, approved]) => {
      const remedy = ofProject ? 'delete it' : 'pull --fix-approvals removes it';
      const message = `approves nothing: no refused plan has this code any more; ${remedy}`;
      const source = tenantAt(jsonPointer('approvals', index));
      return { ...ruleFinding('RULE_UNMATCHED', `approvals: ${approved}`, message, source), severity: 'note' };
    });
}

/** The codes of which these findings say that they approve nothing. */
export function idleCodes(findings: readonly Finding[]): ReadonlySet<string> {
  return new Set(findings.flatMap(({ kind, key }) => (kind === 'tenant' && /^approvals: (.*)$/.exec(key)?.[1]) || []));
}

function hintOf(near: string | undefined): string {
  return near === undefined ? '' : `; ${didYouMean(near)}`;
}

/** A finding about the header or an option: no item has the kind `tenant`. */
function ruleFinding(code: Finding['code'], key: string, message: string, source: Source | undefined): Finding {
  const { severity } = findingTraits({ code });
  return { code, severity, kind: 'tenant', key, message, origin: null, source: source ?? null };
}

/** What approves a code: the files, or the option of the run; null if neither has it. */
export function approvalOf(code: string, { tenant, tenantAt }: Rules, option: string | undefined): Approval | null {
  const index = tenant.approvals?.indexOf(code) ?? -1;
  if (index >= 0) return { by: 'tenant.approvals', source: tenantAt(jsonPointer('approvals', index)) ?? null };
  return code === option ? { by: '--approve', source: null } : null;
}
