import type { AnyKind, Description } from '../model/kind.ts';
import type { Action, ActionName } from '../model/plan.generated.ts';
import { cutName, cutText, inlineValue } from './cut-text.ts';
import type { Fact, Item, Sign } from './report.ts';
import { sourceText } from './source-text.ts';

const signs: Readonly<Record<ActionName, Sign>> = { create: '+', add: '+', update: '~', put: '~', delete: '-', remove: '-' };
const reasons: Readonly<Record<Action['reason'], string>> = {
  undeclared: 'undeclared: not in the files',
  duplicate: 'duplicate: another live item of this identity is as declared, and stays',
  unreadable: 'unreadable: what the tenant holds is not known, so this is sent every time',
};

export function takesAway({ action }: Pick<Action, 'action'>): boolean {
  return action === 'delete' || action === 'remove';
}

export function signOf({ action }: Action): Sign {
  return signs[action];
}

/** An action with what it changes, why, and the request that does it. */
export function actionItem(action: Action, kinds: readonly AnyKind[]): Item {
  const { title, lines } = describe(action, kinds);
  return {
    sign: signOf(action),
    head: `${action.action} ${cutName(title)}`,
    details: [
      ...changeDetails(action, lines),
      { label: 'reason', text: reasons[action.reason] },
      { label: 'request', text: cutName(`${action.request.method} ${action.request.path}`) },
      ...sourceDetails(action.source),
    ],
    annotation: { level: takesAway(action) ? 'warning' : 'notice', title: `${action.action} ${action.kind}`, source: action.source },
  };
}

export function sourceDetails(source: Action['source']): Fact[] {
  return source === null ? [] : [{ label: 'source', text: sourceText(source) }];
}

function describe(action: Action, kinds: readonly AnyKind[]): Description {
  const kind = kinds.find(({ name }) => name === action.kind);
  return kind?.describe(action) ?? { title: action.key, lines: [] };
}

/**
 * Before and after. The words of a kind tell of the one side there is, and of what shall be when there are two; a kind without
 * words shows the value.
 */
function changeDetails({ action, before, after }: Action, described: readonly string[]): Fact[] {
  const words = described.length > 0 ? described.map((line) => (takesAway({ action }) ? cutName(line) : cutText(line))) : [inlineValue(after ?? before)];
  if (after === null) return words.map((text) => ({ label: 'before', text }));
  const now = words.map((text) => ({ label: action === 'remove' ? 'removes' : 'after', text }));
  return before === null ? now : [{ label: 'before', text: inlineValue(before) }, ...now];
}
