import { codePointLength } from '../../contract/code-point-length.ts';
import { didYouMean, nearestWord } from '../../diagnostics/near-names.ts';
import { problem } from '../../diagnostics/problem.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { DesiredItem } from '../../model/kind.ts';
import type { ApiLevel } from '../../model/operation.ts';
import { shapes } from '../../service/prompts/shapes.generated.ts';
import type { Partials } from '../../service/prompts/types.generated.ts';
import { jsonPointer } from '../../values/json-pointer.ts';
import { type DesiredPrompt, partialsWithLineFeeds, textName, textPointer, textsOf } from './partials.ts';

type Report = (diagnostic: Diagnostic) => void;

/** Rules that a schema cannot express: the screens of a prompt, and the length of texts in files. */
export function check(item: DesiredItem<DesiredPrompt>, report: Report, api: ApiLevel): void {
  const { partials = {} } = item.value;
  if (api === 'documented' && item.key === 'confirmation') {
    const message = `"${item.key}" is not a prompt that api: documented supports.`;
    const unknown = problem('CONFIG_UNKNOWN_VALUE', message, 'remove it or set api: full in the header');
    report({ ...unknown, source: item.at('') });
  }
  checkInsertionPoints(item, partials, report);
  checkLengths(item, partials, report);
}

/** Screens that are in no list. A plan names only those that the tenant does not have either. */
export function checkTogether(items: readonly DesiredItem<DesiredPrompt>[]): Diagnostic[] {
  return items.flatMap((item) =>
    unknownScreens(item).map(({ problem, source }) => ({ ...problem, code: 'CONFIG_UNKNOWN_SCREEN' as const, source })),
  );
}

export function unknownScreens(item: DesiredItem<DesiredPrompt>) {
  const known = knownScreens.get(item.key);
  if (known === undefined) return [];
  const written = new Set(textsOf(item.value.partials ?? {}).map(({ screen }) => screen));
  const unknown = [...written].filter((name) => !known.includes(name));
  return unknown.map((screen) => ({
    screen,
    problem: unknownName('screen', screen, `prompt "${item.key}"`, known),
    source: item.at(jsonPointer('partials', screen)),
  }));
}

function checkInsertionPoints(item: DesiredItem<DesiredPrompt>, partials: Partials, report: Report): void {
  for (const { screen, point } of textsOf(partials).filter((text) => !knownInsertionPoints.includes(text.point))) {
    const problem = unknownName('insertion point', point, `screen "${screen}"`, knownInsertionPoints);
    // `/file` exists only for a reference; otherwise the location is that of the name in the YAML file.
    const source = item.at(`/partials${textPointer({ screen, point })}/file`);
    report({ ...problem, code: 'CONFIG_UNKNOWN_INSERTION_POINT', source });
  }
}

/** Only a warning: the service may have more names than are known, and its response to an unknown one is undocumented. */
function unknownName(what: string, name: string, place: string, known: readonly string[]) {
  return {
    severity: 'warning',
    message: `Unknown ${what} "${name}" in the ${place}; known ${what}s: ${known.join(', ')}. The tenant may reject or ignore it.`,
    hint: didYouMean(nearestWord(name, known)) ?? 'use one of the known names',
  } as const;
}

/** The limit comes from the schema of the request. The location is the text itself, in its file. */
function checkLengths(item: DesiredItem<DesiredPrompt>, partials: Partials, report: Report): void {
  const { validate } = shapes.setBody;
  const sent = partialsWithLineFeeds(partials);
  const faults = validate(sent) ? [] : (validate.errors ?? []);
  const texts = new Map(textsOf(sent).map((text) => [textPointer(text), text]));
  for (const { instancePath, params } of faults) {
    const text = texts.get(instancePath);
    if (text === undefined) continue;
    const most = String(params['limit']);
    const message = `The text of ${textName(text)} has ${codePointLength(text.text)} characters; the limit is ${most}.`;
    const tooLong = problem('CONFIG_TOO_LONG', message, `shorten it to at most ${most} characters`);
    report({ ...tooLong, source: item.at(`/partials${instancePath}`) });
  }
}

/** Screens of each prompt. The screens of `confirmation` are unknown (public facts 3.2). */
const knownScreens: ReadonlyMap<string, readonly string[]> = new Map([
  ['login', ['login']],
  ['login-id', ['login-id']],
  ['login-password', ['login-password']],
  ['login-passwordless', ['login-passwordless-email-code', 'login-passwordless-sms-otp']],
  ['signup', ['signup']],
  ['signup-id', ['signup-id']],
  ['signup-password', ['signup-password']],
  ['customized-consent', ['customized-consent']],
  ['passkeys', ['passkey-enrollment', 'passkey-enrollment-local']],
]);

/** Every prompt (service specification 4.4, public facts 3.2). */
export const promptNames: readonly string[] = [...knownScreens.keys(), 'confirmation'];

/**
 * Insertion points of screens. A screen may have fewer; which ones is not shown for every screen (public facts 3.2).
 */
const knownInsertionPoints: readonly string[] = [
  'form-content',
  'form-content-start',
  'form-content-end',
  'form-footer-start',
  'form-footer-end',
  'secondary-actions-start',
  'secondary-actions-end',
];
