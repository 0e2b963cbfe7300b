import type { DesiredItem, DesiredSection, ItemState } from '../../src/model/kind.ts';

/** A section as the loader makes it, with made-up places: item n starts at line n + 2 of one file. */
export function desiredSection<Value>(
  values: readonly (readonly [string, Value])[],
  file = 'files.yaml',
): DesiredSection<Value> {
  return {
    items: values.map(([key, value], index) => desiredItem(key, value, index, file)),
    source: { file, line: 1, column: 1 },
  };
}

/** The pointer of a place shows in its column, so that tests can tell places of one item apart. */
export function desiredItem<Value>(key: string, value: Value, index = 0, file = 'files.yaml'): DesiredItem<Value> {
  return { key, state: 'present', value, at: (pointer) => ({ file, line: index + 2, column: pointer.length + 1 }) };
}

/** The section with other states of the items that are named. */
export function withStates<Value>(
  section: DesiredSection<Value>,
  states: Readonly<Record<string, ItemState>>,
): DesiredSection<Value> {
  return { ...section, items: section.items.map((item) => ({ ...item, state: states[item.key] ?? item.state })) };
}
