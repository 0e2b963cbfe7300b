import type { Effect, PlanSource } from '../../../model/plan.generated.ts';
import { withLineFeeds } from '../../../values/line-ends.ts';
import { type PlacedText, textName } from '../partials.ts';
import { type Observation, observe } from './observe.ts';

/** A text that the service accepts has at most 10,000 characters, each of one or two units (public facts 3.3). */
const longestText = 20_000;

/** A text that a put sends, and the live one at its place. */
export interface InspectedText extends PlacedText {
  readonly before: string | null;
  readonly source: PlanSource | null;
}

/** What a text has and the live one at its place does not have; what is critical comes first. */
export function introduced(prompt: string, text: InspectedText): Effect[] {
  const { before, source } = text;
  if (Math.max(text.text.length, before?.length ?? 0) > longestText) {
    const message = `has a text that is too long to be inspected: ${textName(text)}`;
    return [effect(prompt, 'PARTIAL_NOT_INSPECTED', 'warning', message, source)];
  }
  const live = observe(withLineFeeds(before ?? ''));
  const scripts = live.filter(({ code }) => code === 'PARTIAL_SCRIPT');
  // '' is the page itself.
  const origins = new Set(['', ...scripts.flatMap((script) => script.origins ?? [])]);
  const known = new Set(live.map(identityOf));
  const seen = new Set(live.map(inContext));
  const found = observe(withLineFeeds(text.text)).flatMap((one) => {
    const isCritical = one.origins?.some((origin) => !origins.has(origin)) ?? false;
    // One review at each place.
    const isReview = one.code === 'PARTIAL_REVIEW_BY_HAND' && !isCritical;
    const shownAs = isReview ? String(one.at) : identityOf(one);
    if (seen.has(inContext(one)) || seen.has(shownAs)) return [];
    seen.add(shownAs);
    const message = messageOf(one, known.has(identityOf(one)), textName(text));
    return [effect(prompt, one.code, isCritical ? 'critical' : 'warning', message, placeOf(text, one.at))];
  });
  const isCritical = ({ severity }: Effect) => severity === 'critical';
  return [...found.filter(isCritical), ...found.filter((one) => !isCritical(one))];
}

function identityOf({ code, subject }: Observation): string {
  return `${code} ${subject}`;
}

function inContext(one: Observation): string {
  return `${identityOf(one)} ${one.context}`;
}

function messageOf({ code, what }: Observation, isKnown: boolean, name: string): string {
  if (code === 'PARTIAL_REVIEW_BY_HAND') return `has ${what}: review it by hand (in ${name})`;
  if (code === 'PARTIAL_LIQUID_BROKEN') return `has ${what} (in ${name})`;
  return isKnown ? `has ${what} in another context than now (in ${name})` : `adds ${what} to ${name}`;
}

function effect(
  prompt: string,
  code: Effect['code'],
  severity: Effect['severity'],
  message: string,
  source: PlanSource | null,
): Effect {
  return { code, severity, message, kind: 'prompts', key: prompt, ...(source !== null && { source }) };
}

/** The place in the file of the text. A text in a YAML file may be folded, so only its start is known. */
function placeOf({ text, source }: InspectedText, at: number): PlanSource | null {
  if (source === null || source.line !== 1 || source.column !== 1) return source;
  const before = withLineFeeds(text).slice(0, at);
  const start = before.lastIndexOf('\n') + 1;
  return { file: source.file, line: before.split('\n').length, column: before.length - start + 1 };
}
