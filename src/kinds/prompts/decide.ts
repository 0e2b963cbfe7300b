import { plannedRequest } from '../../contract/planned-request.ts';
import { unreadableDecision } from '../../differ/unreadable-decision.ts';
import type { DecideInput, Decision, DesiredItem, KeepRules, Loss } from '../../model/kind.ts';
import type { Action, Finding } from '../../model/plan.generated.ts';
import { setPromptPartials } from '../../resources/prompts/operations.ts';
import type { Partials } from '../../resources/prompts/types.generated.ts';
import { decideBlind } from './decide-blind.ts';
import {
  changedTexts,
  type DesiredPrompt,
  inFixedOrder,
  type LivePrompt,
  partialsOf,
  textAt,
  textsOf,
} from './partials.ts';
import { textName, textPointer } from './text-place.ts';

const kind = 'prompts';

interface Decided {
  readonly action?: Action;
  readonly finding?: Finding;
  readonly losses: readonly Loss[];
}

/**
 * A put replaces everything that the prompt holds (public facts 3.3), so one is planned only where a text differs, it carries
 * the whole object, and every live text that it takes away is named and counted. Without an operation that reads partials, each
 * declared prompt is put blindly; after a read that failed nothing is.
 */
export function decide({ desired, live, keep }: DecideInput<DesiredPrompt, LivePrompt>): Decision {
  if (!live.readable)
    return live.structural ? decideBlind(desired, live, keep) : unreadableDecision(kind, desired, live);
  const read = new Map(live.items.map(({ prompt, partials }) => [prompt, inFixedOrder(partials)]));
  const declared = desired.items.flatMap((item) =>
    item.value.partials === undefined ? [] : [{ item, partials: item.value.partials }],
  );
  const decided = declared.flatMap(({ item, partials }) => {
    const held = read.get(item.key);
    return held === undefined ? [] : [decidePrompt(item, partials, held, keep)];
  });
  return {
    kind,
    actions: decided.flatMap(({ action }) => action ?? []),
    findings: decided.flatMap(({ finding }) => finding ?? []),
    losses: decided.flatMap(({ losses }) => losses),
    unreadable: null,
    population: { declared: declared.length, live: [...read.values()].flatMap(textsOf).length, filtered: false },
  };
}

function decidePrompt(item: DesiredItem<DesiredPrompt>, declared: Partials, held: Partials, keep: KeepRules): Decided {
  const undeclared = textsOf(held).filter((place) => textAt(declared, place) === null);
  const rule = undeclared.length === 0 ? null : keepingRule(item.key, keep);
  const after = partialsOf([...textsOf(declared), ...(rule === null ? [] : undeclared)]);
  const finding = rule === null ? {} : { finding: keptFinding(item, rule, undeclared.map(textName)) };
  if (changedTexts(held, after).length === 0) return { ...finding, losses: [] };
  const dropped = rule === null ? undeclared : [];
  const notes = dropped.map((place) => `removes ${textName(place)}: on the tenant but not declared`);
  const action: Action = {
    id: `${kind}/${item.key}`,
    kind,
    key: item.key,
    action: 'put',
    ...(textsOf(held).length === 0 ? { reason: 'missing', before: null } : { reason: 'different', before: held }),
    request: plannedRequest(setPromptPartials, { params: { prompt: item.key }, body: after }),
    after,
    ...(notes.length === 0 ? {} : { notes }),
    source: item.at(''),
    sources: textsOf(declared).map((place) => ({
      pointer: textPointer(place),
      source: item.at(`/partials${textPointer(place)}`),
    })),
  };
  return { action, ...finding, losses: dropped.map((place) => ({ action, item: `${action.id}#${textName(place)}` })) };
}

type KeepingRule = Pick<Finding, 'code'> & { readonly why: string };

function keepingRule(prompt: string, keep: KeepRules): KeepingRule | null {
  if (keep.isProtected(prompt)) return { code: 'LIVE_PROTECTED', why: 'because the prompt is protected' };
  return keep.keepUndeclared ? { code: 'LIVE_UNDECLARED', why: 'because keep_undeclared includes its kind' } : null;
}

function keptFinding(item: DesiredItem<DesiredPrompt>, { code, why }: KeepingRule, names: readonly string[]): Finding {
  return {
    code,
    kind,
    key: item.key,
    message: `on the tenant but not declared: ${names.join(', ')}; kept ${why}`,
    source: item.at(''),
  };
}
