import type { Effect, PlanSource } from '../../../model/plan.generated.ts';
import { groupBy } from '../../../values/group-by.ts';
import { withLineFeeds } from '../../../values/line-ends.ts';
import { type PlacedText, textName } from '../partials.ts';
import { type Observation, observe } from './observe.ts';

/** A text that the service accepts has at most 10,000 characters, each of one or two units (public facts 3.3). */
const longestText = 20_000;
/** For all texts of a plan, before and after. */
const mostWork = 2_000_000;
/** Effects of one prompt, the most severe first: the rest is counted. */
const mostOfPrompt = 200;

/** A text that a put sends, and the live one at its place. */
export interface InspectedText extends PlacedText {
  readonly before: string | null;
  readonly source: PlanSource | null;
}

/** Compares texts of one plan, which share a limit of work. */
export function openInspection(): (prompt: string, texts: readonly InspectedText[]) => Effect[] {
  let left = mostWork;
  return (prompt, texts) => {
    const found = texts.flatMap((text) => {
      const size = text.text.length + (text.before?.length ?? 0);
      const isLong = Math.max(text.text.length, text.before?.length ?? 0) > longestText;
      if (isLong || size > left) return [{ effect: notInspected(prompt, text), rank: 1 }];
      left -= size;
      return introduced(text).map((one) => ({ effect: effectOf(prompt, text, one), rank: rankOf(one) }));
    });
    return limited(prompt, found);
  };
}

interface Introduced extends Observation {
  /** True if the live text has it in another context, where it may not be active. */
  readonly isKnown: boolean;
  /** True if it is a script from where the live text loads none, or with an address of an origin that is new to its scripts. */
  readonly isCritical: boolean;
}

/** What the text has and the live one at its place does not have, or not in this context. */
function introduced({ before, text }: InspectedText): Introduced[] {
  const live = observe(withLineFeeds(before ?? ''));
  const known = new Set(live.map(identityOf));
  const active = new Set(live.map(inContext));
  const scripts = live.filter(({ code }) => code === 'PARTIAL_SCRIPT');
  // '' is the page itself.
  const origins = new Set(['', ...scripts.flatMap((one) => one.origins ?? [])]);
  const named = new Set([...origins, ...live.flatMap((one) => one.named ?? [])]);
  const shown = new Set<string>();
  const now = observe(withLineFeeds(text));
  // The live text may hide what is in other texts of the page.
  const ended = now.some(({ isWhole }) => isWhole) ? [] : live.filter(({ isWhole }) => isWhole);
  const end = ended.map((one) => ({ ...one, what: `no longer ${one.what}`, at: 0, context: 'ended' }));
  return [...end, ...now].flatMap((observation) => {
    const identity = identityOf(observation);
    const isNew = (known: ReadonlySet<string>, of: readonly string[] = []) => of.some((origin) => !known.has(origin));
    const isCritical = isNew(origins, observation.origins) || isNew(named, observation.named);
    // One review at each place.
    const isReview = observation.code === 'PARTIAL_REVIEW_BY_HAND' && !isCritical;
    const shownAs = isReview ? `${observation.at}` : identity;
    if (active.has(inContext(observation)) || shown.has(shownAs)) return [];
    shown.add(shownAs);
    return [{ ...observation, isKnown: known.has(identity), isCritical }];
  });
}

function identityOf({ code, subject }: Observation): string {
  return `${code} ${subject}`;
}

function inContext(observation: Observation): string {
  return `${identityOf(observation)} ${observation.context}`;
}

function effectOf(prompt: string, text: InspectedText, { code, what, at, isKnown, isCritical }: Introduced): Effect {
  const found = draft(prompt, code, messageOf(code, what, isKnown, textName(text)), placeOf(text, at));
  return isCritical ? { ...found, severity: 'critical' } : found;
}

function messageOf(code: Effect['code'], what: string, isKnown: boolean, name: string): string {
  if (code === 'PARTIAL_REVIEW_BY_HAND') return `has ${what}: review it by hand (in ${name})`;
  if (code === 'PARTIAL_LIQUID_BROKEN') return `has ${what} (in ${name})`;
  return isKnown ? `has ${what} in another context than now (in ${name})` : `adds ${what} to ${name}`;
}

/** What is cut first has the highest rank. 1: a text that is not inspected. */
function rankOf({ code, isCritical, isShown }: Introduced): number {
  if (isCritical) return 0;
  return isShown || code === 'PARTIAL_FIELD_PREFIX' ? 3 : 2;
}

function notInspected(prompt: string, text: InspectedText): Effect {
  const message = `has a text that is too long to be inspected: ${textName(text)}`;
  return draft(prompt, 'PARTIAL_NOT_INSPECTED', message, text.source);
}

function draft(prompt: string, code: Effect['code'], message: string, source: PlanSource | null): Effect {
  return { code, severity: 'warning', message, kind: 'prompts', key: prompt, ...(source !== null && { source }) };
}

/** The place in the file of the text. A text in a YAML file may be folded, so only its start is known. */
function placeOf({ text, source }: InspectedText, at: number): PlanSource | null {
  if (source === null || source.line !== 1 || source.column !== 1) return source;
  const before = withLineFeeds(text).slice(0, at);
  const start = before.lastIndexOf('\n') + 1;
  return { file: source.file, line: before.split('\n').length, column: before.length - start + 1 };
}

interface Ranked {
  readonly effect: Effect;
  readonly rank: number;
}

function limited(prompt: string, found: readonly Ranked[]): Effect[] {
  const sorted = found.toSorted((one, other) => one.rank - other.rank).map(({ effect }) => effect);
  const [shown, others] = [sorted.slice(0, mostOfPrompt), sorted.slice(mostOfPrompt)];
  if (others.length === 0) return shown;
  const rest = [...groupBy(others, ({ code }) => code)].map(([code, { length }]) => `${length} ${code}`);
  const message = `has ${others.length} more effects that are not listed: ${rest.join(', ')}`;
  const more = draft(prompt, 'PARTIAL_MORE', message, null);
  return others[0]?.severity === 'critical' ? [{ ...more, severity: 'critical' }, ...shown] : [...shown, more];
}
