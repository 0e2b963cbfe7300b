import type { AnyKind } from '../model/kind.ts';
import type { Finding, LeftOut, Plan } from '../model/plan.generated.ts';
import { cutName } from './cut-text.ts';
import { findingItem } from './finding-item.ts';
import { groupByKind } from './group-by-kind.ts';
import { quantity } from './quantity.ts';
import type { Group, Item, Section, Weight } from './report.ts';

/** Of what the selection left out only so many of a kind are named: nobody asked for them. */
const namedLeftOut = 20;

export function section(
  title: string,
  column: string | null,
  groups: readonly Group[],
  weight: Weight = 'folded',
): Section {
  return { title, column, groups, weight, notes: [] };
}

export function keptSection(findings: readonly Finding[], kinds: readonly AnyKind[]): Section {
  return section(
    `Kept on purpose: ${quantity(findings.length, 'item')}`,
    'Kept',
    groupByKind(findings, kinds, (finding) => findingItem(finding)),
  );
}

export function leftOutSection({ left_out: leftOut }: Plan, kinds: readonly AnyKind[]): Section {
  return section(
    `Left out by the selection: ${quantity(leftOut.length, 'part')}`,
    null,
    groupByKind(leftOut, kinds, leftOutItem, namedLeftOut),
  );
}

function leftOutItem({ key, what }: LeftOut): Item {
  const part = key === '*' ? 'the rest' : cutName(key);
  return {
    sign: '=',
    head: what === 'not_read' ? `${part}: not read` : `${part}: ${cutName(what)}`,
    details: [],
    annotation: null,
  };
}

export function isFilled({ groups }: Section): boolean {
  return groups.length > 0;
}
