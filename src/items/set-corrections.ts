import type { ContainerAction, ContainerChange, ContainerPart } from '../differ/container-kind.ts';
import { type ActionDraft, draftAction } from '../differ/draft.ts';
import { withLossNote } from '../differ/odd-fields.ts';
import type { Fields } from '../model/field.ts';
import type { DesiredItem } from '../model/kind.ts';
import type { PlannedRequest } from '../model/plan.generated.ts';
import type { OddField } from '../model/reader.ts';
import { fingerprint } from '../values/fingerprint.ts';
import { listOf } from '../values/list-of.ts';
import { changesOf } from './compare.ts';
import type { SetElement } from './short-sets.ts';

/** An element of a set that items of other kinds name. */
export interface Element extends ContainerPart {
  readonly value: true;
  readonly element: SetElement;
}

/** A set of one item, on the tenant. */
interface LiveSet {
  readonly kind: string;
  /** The field of the item. */
  readonly name: string;
  /** The field that identifies an element. */
  readonly only: string;
  readonly fields: Fields;
  readonly item: DesiredItem<object>;
  readonly id: string;
  readonly elements: readonly SetElement[];
  readonly odd: readonly OddField[];
  /** True if another update changes the fields of the item. */
  readonly isBeside: boolean;
}

type Change = Pick<ContainerChange<object, Element>, 'declared' | 'missing' | 'undeclared'>;

/**
 * The requests that change a set: one that adds and changes elements, and one that removes others. Each has the complete
 * set, in the order of the tenant, with what is new at the end. `note`: for a removal; null if nothing is removed.
 */
export function correctSet(
  { kind, name, only, fields, item, id, elements, odd, isBeside }: LiveSet,
  requestOf: (body: object) => PlannedRequest,
  note: string | null,
): (change: Change) => ContainerAction<Element>[] {
  const draft = (
    parts: Pick<ActionDraft, 'action' | 'reason' | 'part' | 'changes' | 'notes'>,
    before: readonly SetElement[],
    after: readonly SetElement[],
  ) =>
    withLossNote(
      draftAction({
        ...{ kind, key: item.key, ...parts },
        request: requestOf({ [name]: after }),
        ...{ before: { [name]: before }, after: { [name]: after } },
        // What the request replaces: the complete list, as it is when the request is sent.
        precondition: fingerprint({ id, [name]: before }),
        source: item.at(`/${name}`),
      }),
      odd,
    );
  return ({ declared, missing, undeclared }) => {
    const wanted = new Map(declared.wanted?.map((part) => [part.id, part.element]));
    const changed = elements.flatMap((live) => {
      const element = wanted.get(String(live[only]));
      const changes = element === undefined ? [] : changesOf(fields, element, live);
      // What a declared element leaves out stays.
      return changes.length === 0 ? [] : [{ live, element: { ...element, ...lacking(live, element) }, changes }];
    });
    const now = new Map(changed.map(({ live, element }) => [live, element]));
    const union = [...elements.map((live) => now.get(live) ?? live), ...missing.map(({ element }) => element)];
    const changes = changed.flatMap(({ live, changes: own }) =>
      own.map(({ path: _path, field, ...change }) => ({ field: `${name}.${live[only]}.${field}`, ...change })),
    );
    const actions: ContainerAction<Element>[] = [];
    if (missing.length > 0) {
      const names = [...new Set(changed.flatMap((one) => one.changes.map(({ field }) => `${field}s`)))];
      const order = [...wanted.keys()].filter((key) => changed.some(({ live }) => live[only] === key));
      const notes = changed.length > 0 && { notes: [`also changes ${listOf(names)}: ${listOf(order)}`] };
      const action = draft({ part: 'add', action: 'add', reason: 'missing', ...notes }, elements, union);
      actions.push({ action, lost: [], asked: [], grants: true });
    } else if (changes.length > 0) {
      const part = isBeside && { part: name };
      const action = draft({ ...part, action: 'update', reason: 'different', changes }, elements, union);
      actions.push({ action, lost: [], asked: [], grants: true });
    }
    if (undeclared.length > 0 && note !== null) {
      const gone = new Set(undeclared.map((part) => part.id));
      const left = union.filter((element) => !gone.has(String(element[only])));
      const action = draft({ part: 'remove', action: 'remove', reason: 'undeclared', notes: [note] }, union, left);
      actions.push({ action, lost: undeclared, asked: [], grants: false });
    }
    return actions;
  };
}

function lacking(live: SetElement, element: SetElement | undefined): SetElement {
  return Object.fromEntries(Object.entries(live).filter(([field]) => element?.[field] === undefined));
}

/** The elements of a live set as a request has them: what is absent stays absent. */
export function elementsIn(fields: Fields, live: unknown): SetElement[] {
  const elements = (Array.isArray(live) ? live : []) as readonly SetElement[];
  return elements.map((element) =>
    Object.fromEntries(
      Object.keys(fields).flatMap((field) => (element[field] == null ? [] : [[field, element[field]]])),
    ),
  );
}

/** What identifies each of these elements. */
export function identitiesIn(elements: unknown, only: string): string[] {
  return ((Array.isArray(elements) ? elements : []) as readonly SetElement[]).map((element) => String(element[only]));
}

/** What the second list has and the first one lacks. */
export function lackingIn(first: readonly string[], second: readonly string[]): string[] {
  const values = new Set(first);
  return second.filter((value) => !values.has(value));
}
