import { plannedRequest } from '../contract/path.ts';
import type { ContainerChange, ContainerKind, ContainerPart } from '../differ/container-kind.ts';
import { type DecidedContainer, openParts } from '../differ/decide-parts.ts';
import { draftAction, itemFinding } from '../differ/draft.ts';
import type { Counted, DecideInput, DesiredItem } from '../model/kind.ts';
import { isAvailable } from '../model/operation.ts';
import type { Action } from '../model/plan.generated.ts';
import { type Elements, isSettled, type Unreadable } from '../model/reader.ts';
import type { ElementOperation, Resource } from '../model/resource.ts';
import { canonicalJson } from '../values/canonical-json.ts';
import { fingerprint } from '../values/fingerprint.ts';
import { isRecord } from '../values/is-record.ts';
import { memberOf } from '../values/json-pointer.ts';
import { compareText } from '../values/text-order.ts';
import { namesIn, onService, openReferences, samePlace } from './references.ts';

type Item = Readonly<Record<string, unknown>>;

/** An element of a set that has operations of its own, as the files have it and as the service has it. */
interface Element extends ContainerPart {
  readonly file: Item;
  readonly live: Item;
}

/** The item that has the set. `id`: on the tenant, or a reference to the action that creates it. */
export interface Owner {
  readonly item: DesiredItem<object>;
  readonly id: string;
  readonly needs: readonly string[];
  /** Names that patterns under `protect` may mean. */
  readonly names: readonly string[];
  /** What was read; null for a new item. */
  readonly elements: Elements | null;
}

type Noun = NonNullable<Resource['noun']>;

export interface DecidedSet extends Pick<DecidedContainer, 'actions' | 'findings'>, Counted {
  readonly unread: readonly Unreadable[];
}

/**
 * The elements that are added to sets and removed from them, such as the clients of a connection. A set that the files do not
 * declare is left alone, and one that could not be read is as well, with a finding.
 */
export function decideSets(
  kind: string,
  kindNoun: Noun,
  name: string,
  resource: Resource,
  owners: readonly Owner[],
  { keep, api, names, desired }: Pick<DecideInput<object, object>, 'keep' | 'api' | 'names' | 'desired'>,
): DecidedSet {
  const { add, remove } = resource.operations;
  const noun = resource.noun ?? { one: 'element', many: 'elements' };
  const elementOf = (file: Item, live: Item): Element => {
    const shown = resource.key.map((key) => String(file[key] ?? '')).join(' of ');
    const id = canonicalJson(resource.key.map((key) => live[key] ?? null));
    return { id, name: shown, value: true, file, live };
  };
  const fieldOf = (key: string) => resource.fields[key] ?? {};
  const mapped = (element: Item, change: typeof namesIn): Item =>
    Object.fromEntries(resource.key.map((key) => [key, change(fieldOf(key), element[key], names)]));
  const declaredElement = (written: unknown): Element => {
    const file = isRecord(written) ? written : { [resource.scalar ?? '']: written };
    return elementOf(file, mapped(file, samePlace));
  };
  const liveElement = (live: Item): Element => elementOf(mapped(live, namesIn), live);
  const requests = (
    operation: ElementOperation,
    owner: Owner,
    elements: readonly Element[],
    does: 'add' | 'remove',
  ) => {
    const { batch = elements.length } = operation.elements;
    const starts = Array.from({ length: Math.ceil(elements.length / batch) }, (_one, index) => index * batch);
    return starts.map((start): { action: Action; covers: readonly Element[] } => {
      const covers = elements.slice(start, start + batch);
      const { resolve, needs } = openReferences(names);
      const sent = covers.map(({ file, live }) => ({
        ...wireKey(resource, does === 'add' ? file : live, resolve),
        ...operation.elements.element,
      }));
      const files = covers.map(({ file }) => file[resource.scalar ?? ''] ?? file);
      const action = draftAction({
        kind,
        key: owner.item.key,
        part: [does, name, ...(operation.elements.batch === undefined ? [] : [covers[0]?.name])].join(' '),
        action: does,
        reason: does === 'add' ? 'missing' : 'undeclared',
        needs: [...new Set([...owner.needs, ...needs])],
        request: plannedRequest(operation, { params: { id: owner.id }, body: filled(operation.elements.body, sent) }),
        before: does === 'add' ? null : { [name]: files },
        after: does === 'add' ? { [name]: files } : null,
        precondition:
          owner.elements === null
            ? 'absent'
            : fingerprint({ id: owner.id, elements: covers.map(({ id }) => [id, does === 'remove']) }),
        source: owner.item.at(`/${name}`),
      });
      return { action, covers };
    });
  };
  const sorted = (elements: readonly Element[]) => elements.toSorted((one, other) => compareText(one.id, other.id));
  const correct =
    (owner: Owner) =>
    ({ missing, undeclared }: ContainerChange<object, Element>) => [
      ...(add === undefined || !isAvailable(add, api) ? [] : requests(add, owner, missing, 'add')).map(
        ({ action }) => ({ action, lost: [], asked: [], grants: true }),
      ),
      ...(remove === undefined || !isAvailable(remove, api) ? [] : requests(remove, owner, undeclared, 'remove')).map(
        ({ action, covers }) => ({ action, lost: covers, asked: [], grants: false }),
      ),
    ];
  const decideSet = (owner: Owner): DecidedContainer => {
    const { item, id, elements } = owner;
    if (elements !== null && !elements.readable) {
      const message = `its ${name} could not be read, and are not changed: ${elements.message}`;
      return { ...nothing, findings: [itemFinding(kind, item, elements.code, message, `/${name}`)] };
    }
    const container: ContainerKind<object, object, Element> = {
      kind,
      unit: { verb: 'remove', ...noun },
      noun: kindNoun,
      partsOf: (value) => ({
        wanted: ((memberOf(value, name) ?? []) as readonly unknown[]).map(declaredElement),
        unwanted: [],
        pointer: `/${name}`,
      }),
      match: () => ({ containers: [], findings: [] }),
      correct: correct(owner),
      correctUnread: () => [],
      namesOf: () => null,
    };
    const live = elements === null ? [] : elements.items.map((one) => liveElement(one as Item));
    const { decideParts } = openParts(container, keep, false);
    return decideParts({ item, id, names: owner.names, hidesName: false, parts: sorted(live) });
  };
  const decided = owners.map(decideSet);
  return {
    actions: decided.flatMap(({ actions }) => actions),
    findings: decided.flatMap(({ findings }) => findings),
    unread: owners.flatMap(({ elements }) => (elements?.readable !== false || isSettled(elements) ? [] : [elements])),
    losses: decided.flatMap(({ losses }) => losses),
    asked: decided.flatMap(({ asked }) => asked),
    gains: decided.flatMap(({ gains }) => gains),
    population: {
      declared: desired.items.filter(({ value }) => memberOf(value, name) !== undefined).length,
      live: decided.flatMap(({ live }) => live),
      filtered: true,
      unit: { verb: 'remove', ...noun },
      containers: kindNoun,
    },
  };
}

const nothing: DecidedContainer = { actions: [], findings: [], losses: [], asked: [], gains: [], live: [] };

function wireKey(resource: Resource, element: Item, resolve: ReturnType<typeof openReferences>['resolve']): Item {
  return Object.fromEntries(
    resource.key.map((key) => [key, onService(resource.fields[key] ?? {}, element[key], resolve)]),
  );
}

/** The form of a body with the elements in their place. */
function filled(form: unknown, elements: readonly Item[]): object {
  if (form === '$elements') return [...elements];
  return Object.fromEntries(
    Object.entries(form as Item).map(([key, below]) => [
      key,
      below === '$elements' ? elements : filled(below, elements),
    ]),
  );
}
