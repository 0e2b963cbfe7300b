import type { WrittenValue } from './written-value.ts';

/** One change of a file. Pointers, indexes and keys are those of the file before all of its changes. */
export type Edit = SetEdit | DeleteEdit | InsertItem | InsertKey;

/** Replaces the value at a pointer. */
export interface SetEdit {
  readonly op: 'set';
  readonly pointer: string;
  readonly value: WrittenValue;
}

/** Deletes an item of a list, or a key with its value. */
export interface DeleteEdit {
  readonly op: 'delete';
  readonly pointer: string;
}

/** Adds an item to the list at a pointer. */
export interface InsertItem {
  readonly op: 'insert';
  readonly pointer: string;
  /** Index of the item before it; null for the start of the list. Several after one item are in the order of the edits. */
  readonly after: number | null;
  readonly value: WrittenValue;
}

/** Adds a key to the mapping at a pointer. */
export interface InsertKey {
  readonly op: 'insert';
  readonly pointer: string;
  readonly key: string;
  /** The key before it; null for the start of the mapping. */
  readonly after: string | null;
  readonly value: WrittenValue;
}
