import { plannedRequest } from '../../contract/path.ts';
import type { ContainerAction, ContainerChange, ContainerPart, ContainersOnly } from '../../differ/container-kind.ts';
import { decideContainers } from '../../differ/decide-containers.ts';
import { draftAction, draftFinding } from '../../differ/draft.ts';
import type { DecideInput, Decision, DesiredItem } from '../../model/kind.ts';
import type { Action, Finding } from '../../model/plan.generated.ts';
import { setPromptPartials } from '../../service/prompts/operations.ts';
import type { Partials } from '../../service/prompts/types.generated.ts';
import { fingerprint } from '../../values/fingerprint.ts';
import { comparableText } from '../../values/line-ends.ts';
import { promptNames, unknownScreens } from './check.ts';
import {
  type DesiredPrompt,
  inFixedOrder,
  type LivePrompt,
  type PlacedText,
  partialsOf,
  partialsWithLineFeeds,
  textName,
  textPointer,
  textsOf,
} from './partials.ts';

/** The text at one insertion point of one screen. */
interface Text extends ContainerPart {
  readonly placed: PlacedText;
}

/**
 * A put replaces all partials of the prompt (public facts 3.3). So a put is planned only if a text differs, it sends
 * the complete object, and every live text that it removes is named and counted.
 */
const prompts: ContainersOnly<DesiredPrompt, LivePrompt, Text> = {
  kind: 'prompts',
  unit: { verb: 'remove', one: 'text', many: 'texts' },
  noun: { one: 'prompt', many: 'prompts' },
  partsOf: ({ partials }) =>
    partials === undefined
      ? null
      : { wanted: textsOf(partialsWithLineFeeds(partials)).map(textOf), unwanted: [], pointer: '' },
  match(items, live) {
    const byName = new Map(live.map(({ prompt, partials }) => [prompt, partials]));
    const containers = items.flatMap((item) => {
      const partials = byName.get(item.key);
      if (partials === undefined) return [];
      return [{ item, id: item.key, names: [item.key], parts: textsOf(inFixedOrder(partials)).map(textOf) }];
    });
    return { containers, findings: [] };
  },
  // A tenant has every prompt, declared or not.
  namesOf: () => promptNames,
  correct: replacement,
  // The put may replace texts that cannot be read, so a protected prompt is left alone.
  correctUnread: (item) => [
    draftAction({
      ...putOf(item, partialsWithLineFeeds(item.value.partials ?? {})),
      reason: 'unreadable',
      before: null,
      precondition: null,
      source: item.at(''),
    }),
  ],
};

export function decide(input: DecideInput<DesiredPrompt, LivePrompt>): Decision {
  const decision = decideContainers(prompts, input);
  return { ...decision, findings: [...decision.findings, ...input.desired.items.flatMap(newScreens(input))] };
}

/** Screens that are in no list, and where the tenant has no text either: a name may be misspelt. */
function newScreens({ live }: DecideInput<DesiredPrompt, LivePrompt>) {
  const byName = new Map((live.readable ? live.items : []).map(({ prompt, partials }) => [prompt, textsOf(partials)]));
  return (item: DesiredItem<DesiredPrompt>): Finding[] => {
    const texts = byName.get(item.key);
    if (texts === undefined) return [];
    return unknownScreens(item)
      .filter(({ screen }) => texts.every((text) => text.screen !== screen))
      .map(({ screen, problem: { hint }, source }) => {
        const message = `"${screen}" is not a known screen of this prompt, and the tenant has no text on it; ${hint}`;
        return draftFinding({ code: 'LIVE_UNKNOWN_SCREEN', kind: 'prompts', key: item.key, message, source });
      });
  };
}

function textOf(placed: PlacedText): Text {
  return { id: textPointer(placed), name: textName(placed), value: comparableText(placed.text), placed };
}

function replacement({
  container: { item, parts },
  declared,
  missing,
  changed,
  undeclared,
  kept,
}: ContainerChange<DesiredPrompt, Text>): ContainerAction<Text>[] {
  if (missing.length + changed.length + undeclared.length === 0) return [];
  const wanted = declared.wanted ?? [];
  const why = item.state === 'absent' ? 'declared absent' : 'not declared';
  const emptied = changed.filter(isBlank).flatMap(({ id }) => parts.filter((part) => part.id === id && !isBlank(part)));
  const notes = [
    ...undeclared.map(({ name }) => `removes ${name}: on the tenant but ${why}`),
    ...emptied.map(({ name }) => `empties ${name}: the declared text is blank`),
  ];
  const before = partialsOf(parts.map(({ placed }) => placed));
  const after = partialsOf([...wanted, ...kept].map(({ placed }) => placed));
  const action: Action = draftAction({
    ...putOf(item, after),
    ...(parts.length === 0
      ? { reason: 'missing', before: null }
      : { reason: item.state === 'absent' ? 'absent' : 'different', before }),
    ...(notes.length === 0 ? {} : { notes }),
    precondition: fingerprint({ prompt: item.key, partials: before }),
    source: item.at(''),
    sources: wanted.map(({ id }) => ({ pointer: id, source: item.at(`/partials${id}`) })),
  });
  const lost = [...undeclared, ...emptied];
  return [{ action, lost, asked: [], grants: wanted.some((text) => !isBlank(text)) }];
}

/** True for a text that shows nothing. */
function isBlank({ placed }: Text): boolean {
  return placed.text.trim() === '';
}

function putOf({ key }: DesiredItem<DesiredPrompt>, after: Partials) {
  const request = plannedRequest(setPromptPartials, { params: { prompt: key }, body: after });
  return { kind: 'prompts', key, action: 'put', request, after } as const;
}
