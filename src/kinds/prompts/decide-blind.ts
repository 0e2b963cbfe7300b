import { plannedRequest } from '../../contract/planned-request.ts';
import { unreadableDecision } from '../../differ/unreadable-decision.ts';
import type { Decision, DesiredItem, DesiredSection, KeepRules } from '../../model/kind.ts';
import type { Unreadable } from '../../model/live-state.ts';
import type { Action, Finding } from '../../model/plan.generated.ts';
import { setPromptPartials } from '../../resources/prompts/operations.ts';
import type { Partials } from '../../resources/prompts/types.generated.ts';
import type { DesiredPrompt } from './partials.ts';

const kind = 'prompts';

/**
 * Where no operation reads partials, each declared prompt is put as it is declared. A put may replace partials that cannot be
 * seen, so a protected prompt is left alone.
 */
export function decideBlind(desired: DesiredSection<DesiredPrompt>, why: Unreadable, keep: KeepRules): Decision {
  const declared = desired.items.flatMap((item) =>
    item.value.partials === undefined ? [] : [{ item, partials: item.value.partials }],
  );
  const actions = declared
    .filter(({ item }) => !keep.isProtected(item.key))
    .map(({ item, partials }) => put(item, partials));
  const kept = declared.filter(({ item }) => keep.isProtected(item.key)).map(({ item }) => keptFinding(item));
  return unreadableDecision(kind, desired, why, { actions, findings: kept });
}

function put(item: DesiredItem<DesiredPrompt>, partials: Partials): Action {
  return {
    id: `${kind}/${item.key}`,
    kind,
    key: item.key,
    action: 'put',
    reason: 'unreadable',
    request: plannedRequest(setPromptPartials, { params: { prompt: item.key }, body: partials }),
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
    message: 'not sent because the prompt is protected and its live partials cannot be read',
    source: item.at(''),
  };
}
