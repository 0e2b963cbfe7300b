import type { AnyKind, Description } from '../model/kind.ts';
import type { Action, ActionName, Effect, FieldChange } from '../model/plan.generated.ts';
import { cutName, cutSentence, cutText, inlineValue } from './cut-text.ts';
import type { Fact, Item, Sign } from './report.ts';
import type { TextDetails } from './text-diff.ts';
import { formatSource } from './wording.ts';

const signs: Readonly<Record<ActionName, Sign>> = {
  create: '+',
  add: '+',
  update: '~',
  put: '~',
  delete: '-',
  remove: '-',
};
const reasons: Readonly<Record<Action['reason'], string>> = {
  missing: 'missing: declared but not on the tenant',
  different: 'different: does not match the files',
  rotated: 'rotated: requested with --rotate',
  undeclared: 'undeclared: not in the files',
  absent: 'absent: declared absent in the files',
  duplicate: 'duplicate: another item with this identity already matches the files',
  unreadable: 'unreadable: live state cannot be read, so every apply sends this',
};

/** True if a live value is gone afterwards: a deletion, a removal, or a put that omits part of it. */
export function isDestructive({ action, before, after }: Pick<Action, 'action' | 'before' | 'after'>): boolean {
  return (
    action === 'delete' ||
    action === 'remove' ||
    (action === 'put' && before !== null && omitsPart(before, after ?? {}))
  );
}

function omitsPart(before: unknown, after: unknown): boolean {
  if (!isRecord(before)) return false;
  return Object.entries(before).some(
    ([key, value]) => !isRecord(after) || !Object.hasOwn(after, key) || omitsPart(value, after[key]),
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function signOf({ action }: Action): Sign {
  return signs[action];
}

/** An action with its changes, its reason and its request. */
export function actionItem(action: Action, kinds: readonly AnyKind[], textDetails: TextDetails): Item {
  const description = describe(action, kinds);
  return {
    sign: signOf(action),
    head: `${action.action} ${cutName(description.title)}`,
    details: [
      ...changeDetails(action, description, textDetails),
      ...(action.notes ?? []).map((note) => ({ label: 'note', text: cutSentence(note) })),
      ...action.effects.map((effect) => ({ label: 'effect', text: cutSentence(effectText(effect, action)) })),
      { label: 'reason', text: reasons[action.reason] },
      { label: 'request', text: cutName(`${action.request.method} ${action.request.path}`) },
      ...sourceDetails(action.source),
    ],
    annotation: {
      level: isDestructive(action) ? 'warning' : 'notice',
      title: `${action.action} ${action.kind}`,
      source: action.source,
    },
  };
}

/** The subject of the sentence is left out where it is the item of the action. */
function effectText({ kind, key, message }: Effect, action: Action): string {
  return kind === action.kind && key === action.key ? message : `${kind}/${key}: ${message}`;
}

export function sourceDetails(source: Action['source']): Fact[] {
  return source === null ? [] : [{ label: 'source', text: formatSource(source) }];
}

function describe(action: Action, kinds: readonly AnyKind[]): Description {
  const kind = kinds.find(({ name }) => name === action.kind);
  return kind?.describe(action) ?? { title: action.key, lines: [] };
}

/**
 * Long texts are shown line by line, an update field by field, anything else before and after. The lines of a kind
 * describe the state afterwards, or the state before where there is no other. A kind without lines shows the value.
 */
function changeDetails(
  { action, reason, before, after, changes = [] }: Action,
  { lines, texts = [] }: Description,
  textDetails: TextDetails,
): Fact[] {
  if (texts.length > 0 && reason !== 'unreadable') return texts.flatMap(textDetails);
  if (changes.length > 0) return changes.map((change) => ({ label: 'changes', text: changeText(change) }));
  const shown =
    lines.length > 0
      ? lines.map((line) => (isDestructive({ action, before, after }) ? cutName(line) : cutText(line)))
      : [inlineValue(after ?? before)];
  if (action === 'remove' || action === 'add') return shown.map((text) => ({ label: `${action}s`, text }));
  if (after === null) return shown.map((text) => ({ label: 'before', text }));
  const now = shown.map((text) => ({ label: 'after', text }));
  return before === null ? now : [{ label: 'before', text: inlineValue(before) }, ...now];
}

/** `configuration.limit: 100 -> 50`: the live value, then the declared one. */
export function changeText({ field, before, after }: FieldChange): string {
  return `${cutName(field)}: ${inlineValue(before)} -> ${inlineValue(after)}`;
}
