import { buildPath } from '../../contract/path.ts';
import { unreadableDecision } from '../../differ/unreadable-decision.ts';
import { InternalError } from '../../model/internal-error.ts';
import type { DecideInput, Decision, DesiredItem } from '../../model/kind.ts';
import type { Action, Finding } from '../../model/plan.generated.ts';
import { setPromptPartials } from './operations.ts';
import type { Partials } from './types.generated.ts';

/** A declared prompt once its `{ file: … }` references are replaced by the texts of the files. */
export interface DesiredPrompt {
  readonly partials?: Partials;
}

const kind = 'prompt_partials';

/**
 * No available operation reads partials, so each declared prompt is put as it is declared. A put may replace partials that
 * cannot be seen, so a protected prompt is left alone.
 */
export function decide({ desired, live, keep }: DecideInput<DesiredPrompt, never>): Decision {
  if (live.readable) throw new InternalError('prompt partials were read, but no operation reads them');
  const declared = desired.items.flatMap((item) => (item.value.partials === undefined ? [] : [{ item, partials: item.value.partials }]));
  const actions = declared.filter(({ item }) => !keep.isProtected(item.key)).map(({ item, partials }) => put(item, partials));
  const kept = declared.filter(({ item }) => keep.isProtected(item.key)).map(({ item }) => keptFinding(item));
  return unreadableDecision(kind, desired, live, { actions, findings: kept });
}

function put(item: DesiredItem<DesiredPrompt>, partials: Partials): Action {
  return {
    id: `${kind}/${item.key}`,
    kind,
    key: item.key,
    action: 'put',
    reason: 'unreadable',
    request: { operation: setPromptPartials.id, method: 'PUT', path: buildPath(setPromptPartials, { prompt: item.key }), body: partials },
    before: null,
    after: partials,
    source: item.at(''),
  };
}

function keptFinding(item: DesiredItem<DesiredPrompt>): Finding {
  return {
    code: 'LIVE_PROTECTED',
    kind,
    key: item.key,
    message: 'not put, because the prompt is protected and its live partials cannot be read',
    source: item.at(''),
  };
}
