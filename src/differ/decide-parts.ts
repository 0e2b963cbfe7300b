import type { Decision, DesiredItem, KeepRules, Loss, Population } from '../model/kind.ts';
import type { Action, Finding } from '../model/plan.generated.ts';
import { listOf } from '../values/list-of.ts';
import type { Container, ContainerKind, ContainerPart, DeclaredParts } from './container-kind.ts';
import { draftFinding, itemFinding } from './draft.ts';
import type { UnreadParts } from './unreadable-decision.ts';

/** What is decided about one container. */
export type DecidedContainer = Pick<Decision, 'actions' | 'findings' | 'losses' | 'asked' | 'gains'> &
  Pick<Population, 'live'>;

/** Decides about the parts of containers. */
export function openParts<Desired, Part extends ContainerPart>(kind: ContainerKind<Desired, Part>, keep: KeepRules) {
  const { isItem, unit } = kind;

  /** The parts that an item declares; null if it declares none. */
  const declaredParts = ({ state, value }: DesiredItem<Desired>): DeclaredParts<Part> | null => {
    if (state === 'present') return kind.partsOf(value);
    return state === 'absent' && !isItem ? { wanted: [], unwanted: [], pointer: '' } : null;
  };
  const isProtected = (names: readonly string[]) => names.some((name) => keep.isProtected(name));
  const keptFinding = (item: DesiredItem<Desired>, kept: readonly Part[], why: string, pointer: string): Finding => {
    const counted = `${kept.length} ${kept.length === 1 ? unit.one : unit.many}`;
    const message = `${counted} would be removed (${listOf(kept.map(({ name }) => name))}); kept because ${why}`;
    return itemFinding(kind.kind, item, 'LIVE_PROTECTED', message, pointer);
  };

  return {
    declaredParts,
    /** Brings the parts of a container to the declared ones, except for those that a rule keeps. */
    decideParts(container: Container<Desired, Part>): DecidedContainer {
      const { item } = container;
      const declared = declaredParts(item) ?? { wanted: null, unwanted: [], pointer: '' };
      const difference = compareParts(declared, container.parts);
      const why = isProtected(container.names) ? 'it is protected' : null;
      const keptParts = new Set([
        ...(why === null ? [] : difference.unwanted),
        ...(why === null && !keep.keepsParts ? [] : difference.undeclared),
      ]);
      const kept = container.parts.filter((part) => keptParts.has(part));
      const removed = (parts: readonly Part[]) => parts.filter((part) => !keptParts.has(part));
      const [unwanted, undeclared] = [removed(difference.unwanted), removed(difference.undeclared)];
      const corrected = kind.correct({ container, declared, ...difference, unwanted, undeclared, kept });
      const named = ({ id, key }: Action, { name }: Part): Loss => ({ id, item: `${kind.kind}/${key}#${name}` });
      const granting = corrected.filter(({ grants }) => grants).map(({ action }) => action.id);
      return {
        actions: corrected.map(({ action, grants }) => (grants ? action : { ...action, needs: granting })),
        findings: why === null || kept.length === 0 ? [] : [keptFinding(item, kept, why, declared.pointer)],
        losses: corrected.flatMap(({ action, lost }) => lost.map((part) => named(action, part))),
        asked: corrected.flatMap(({ action, asked }) => asked.map((part) => named(action, part))),
        gains: granting,
        // A container whose parts are not declared has none that count.
        live: declared.wanted === null ? [] : [{ key: item.key, parts: container.parts.length - kept.length }],
      };
    },
    /** Plans what can be sent without reading, except to protected containers, and reports what cannot be checked. */
    decideUnread(items: readonly DesiredItem<Desired>[]): UnreadParts {
      const findings: Finding[] = [];
      const idOf = ({ value }: DesiredItem<Desired>) => kind.idOf?.(value) ?? null;
      // A pattern that is not just the id of a declared container may mean a name that is not known.
      const isOpen = keep.patterns.some((pattern) => items.every((item) => idOf(item) !== pattern));
      const whyKept = (item: DesiredItem<Desired>): string | null => {
        if (isProtected([item.key])) return 'it is protected';
        return isOpen && idOf(item) !== null ? hiddenName : null;
      };
      const actions = items.flatMap((item) => {
        const found = (code: Finding['code'], message: string, source: Finding['source'] = item.at('')) =>
          findings.push(draftFinding({ code, kind: kind.kind, key: item.key, message, source }));
        const planned = declaredParts(item) === null ? [] : (kind.correctUnread?.(item) ?? []);
        const why = whyKept(item);
        const isKept = why !== null && planned.length > 0;
        if (isKept)
          found(
            'LIVE_PROTECTED',
            `its live state cannot be read; not changed because ${why}`,
            planned[0]?.source ?? null,
          );
        const field = item.state === 'present' ? kind.notChecked?.(item.value) : null;
        if (field) found('LIVE_NOT_CHECKED', notCheckedText(field), item.at(`/${field}`));
        if (item.state === 'absent' && isItem)
          found('LIVE_NOT_CHECKED', 'declared absent, but no available operation can read or delete it');
        return isKept ? [] : planned;
      });
      return { actions, findings };
    },
  };
}

const hiddenName = 'its name is not known and a pattern under protect may mean it; ids under protect are exact';

function compareParts<Part extends ContainerPart>({ wanted, unwanted }: DeclaredParts<Part>, live: readonly Part[]) {
  const values = new Map(live.map((part) => [part.id, part.value]));
  const declared = new Set(wanted?.map(({ id }) => id));
  const absent = new Set(unwanted.map(({ id }) => id));
  const present = (wanted ?? []).filter(({ id }) => !absent.has(id));
  return {
    missing: present.filter(({ id }) => !values.has(id)),
    changed: present.filter(({ id, value }) => values.has(id) && values.get(id) !== value),
    unwanted: live.filter(({ id }) => absent.has(id)),
    undeclared: wanted === null ? [] : live.filter(({ id }) => !declared.has(id) && !absent.has(id)),
  };
}

function notCheckedText(field: string): string {
  return field.endsWith('s')
    ? `its ${field} are declared, but no available operation can read the live ones; they are neither compared nor changed`
    : `its ${field} is declared, but no available operation can read the live one; it is neither compared nor changed`;
}
