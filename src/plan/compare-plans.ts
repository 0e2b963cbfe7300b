import type { Plan } from '../model/plan.generated.ts';
import { canonicalJson } from '../values/canonical-json.ts';
import { groupBy } from '../values/group-by.ts';

/** What differs between a saved plan and the same plan made now, in what a digest covers; empty if nothing does. */
export function comparePlans(saved: Plan, now: Plan): string[] {
  return [
    ...(canonicalJson(saved.tenant) === canonicalJson(now.tenant)
      ? []
      : [`tenant: ${canonicalJson(saved.tenant)} in the saved plan, now ${canonicalJson(now.tenant)}`]),
    ...compareTexts('action', actionTexts(saved), actionTexts(now)),
    ...compareTexts('finding', findingTexts(saved), findingTexts(now)),
    ...compareTexts('refusal', refusalTexts(saved), refusalTexts(now)),
  ];
}

type Texts = ReadonlyMap<string, string>;

function actionTexts({ actions }: Plan): Texts {
  return new Map(actions.map(({ id, request, precondition }) => [id, canonicalJson({ request, precondition })]));
}

/** Several findings may be about one item: together they are one text. */
function findingTexts({ findings }: Plan): Texts {
  const byItem = groupBy(findings, ({ kind, key }) => `${kind}/${key}`);
  return new Map([...byItem].map(([item, ofItem]) => [item, ofItem.map(({ code }) => code).join()]));
}

function refusalTexts({ refusals }: Plan): Texts {
  return new Map(refusals.map((refusal) => [`${refusal.code} of ${refusal.kind}`, canonicalJson(refusal)]));
}

function compareTexts(noun: string, saved: Texts, now: Texts): string[] {
  const gone = [...saved.keys()].filter((name) => !now.has(name));
  const fresh = [...now.keys()].filter((name) => !saved.has(name));
  const changed = [...now].filter(([name, text]) => saved.has(name) && saved.get(name) !== text);
  return [
    ...gone.map((name) => `${noun} ${name}: planned but no longer needed`),
    ...fresh.map((name) => `${noun} ${name}: not in the saved plan`),
    ...changed.map(([name]) => `${noun} ${name}: changed since the plan was saved`),
  ];
}
