/** docs/internals/conformance.md, from the table. */
import type { Check, ConformanceRequest, Expected, Statement } from './statement.ts';
import { statements } from './statements.ts';

export function renderConformance(): string {
  const sections = [...new Set(statements.map(({ section }) => section))];
  return [
    '<!-- Generated from test/conformance by npm run docs. -->',
    '# Conformance',
    '',
    `The ${statements.length} statements of the service specification, in our own words, and how each is checked. Every run of the`,
    'tests sends these requests to the embedded tenant with `--api documented`, and validates these values with the',
    "client's own schemas. A policy is checked in both: in the files, and as the body of a POST. Of a policy and of a live",
    'stream, only what differs from a valid one is shown. The tenant has 121 policies, 122 streams and two roles, and a',
    'client for every token that is named.',
    '',
    'A statement that begins with "Not shown" is about something that the specification leaves open; the choice is an',
    'assumption ([ADR 5](adr/0005-embedded-tenant.md)).',
    ...sections.flatMap(renderSection),
    '',
  ].join('\n');
}

const titles: Readonly<Record<string, string>> = {
  '1': 'Operations',
  '2.1': 'Rate limit policies',
  '2.2': 'Pages of policies',
  '2.3': 'Event streams',
  '2.4': 'Permission pairs',
  '2.5': 'Partials',
  '3': 'States',
  '4': 'All operations',
  '4.1': 'List rate limit policies',
  '4.2': 'Delete a rate limit policy',
  '4.3': 'Remove permissions from a role',
  '4.4': 'Set partials for a prompt',
  '4.5': 'List event streams',
  '5': 'Authentication',
  '6': 'Events',
  '7': 'Errors',
  '8': 'Limits',
  '9': 'Versions',
};

function renderSection(section: string): readonly string[] {
  const rows = statements.flatMap((statement, index) =>
    statement.section === section ? renderRows(index + 1, statement) : [],
  );
  const title = section === '0' ? 'Introduction' : `${section} ${titles[section]}`;
  return ['', `## ${title}`, '', '| no. | statement | check | expected |', '| --- | --- | --- | --- |', ...rows];
}

/** A row for each check; number and statement are in the first. */
function renderRows(number: number, { text, checks }: Statement): readonly string[] {
  return checks.map((check, index) => {
    const cells = [...(index === 0 ? [String(number), escapeCell(text)] : ['', '']), ...describeCheck(check)];
    return `| ${cells.join(' | ')} |`.replaceAll(/ {2,}/g, ' ');
  });
}

/** What is checked, and the expected result. */
function describeCheck(check: Check): readonly [string, string] {
  if ('request' in check) return [describeRequest(check.request), describeExpected(check.expected)];
  if ('pages' in check) {
    const { pages, items } = check.expected;
    return [`${code(`GET ${check.pages}`)}, then every \`next\` as \`from\``, `${pages} pages, ${items} items`];
  }
  if ('shape' in check) return [`${check.shape} ${shownValue(check.value)}`, check.valid ? 'valid' : 'refused'];
  if ('policy' in check) return [`policy with ${changeOf(check.policy)}`, check.valid ? 'valid' : 'refused'];
  if ('scopes' in check) return [scopesOf(check.scopes), check.valid ? 'accepted' : 'each refused'];
  return [`operation \`${check.operation}\``, changeOf(check.cells)];
}

function describeRequest({ method, path, from, headers = {}, body, token, times }: ConformanceRequest): string {
  const where = from === 'origin' ? ' from the host on' : '';
  const sent = body === undefined ? '' : typeof body === 'string' ? `, form ${code(body)}` : `, JSON ${json(body)}`;
  const named = Object.entries(headers).map(([name, value]) => `, ${code(`${name}: ${value}`)}`);
  const by = { undefined: '', none: Object.hasOwn(headers, 'Authorization') ? '' : ', no token' }[String(token)];
  const known: Readonly<Record<string, string>> = {
    forged: ', a token signed with another key',
    expired: ', an expired token',
    local: ', a client that is not global',
    'no-scopes': ', a client without scopes',
  };
  const caller = by ?? known[String(token)] ?? `, a client ${code(String(token))}`;
  const often = times === undefined ? '' : `, sent ${times} times under a limit of 1`;
  return `${code(`${method} ${path}`)}${where}${sent}${named.join('')}${caller}${often}`;
}

function describeExpected(expected: Expected): string {
  const { status, body, message, has = [], lacks = [], length, keys, headers = [], contentType, state } = expected;
  return [
    String(status),
    body === undefined ? '' : `with ${json(body)}`,
    message === undefined ? '' : `message contains ${code(message)}`,
    has.length === 0 ? '' : `has ${has.map(code).join(', ')}`,
    lacks.length === 0 ? '' : `lacks ${lacks.map(code).join(', ')}`,
    length === undefined ? '' : `${length[1]} in ${code(length[0])}`,
    keys === undefined ? '' : `${code(keys[0] === '' ? '/' : keys[0])} has only ${keys[1].map(code).join(', ')}`,
    headers.length === 0 ? '' : `headers ${headers.map(code).join(', ')}`,
    contentType === undefined ? '' : code(contentType),
    state === undefined ? '' : `state ${code(state[0])} is ${json(state[1])}`,
  ]
    .filter((part) => part !== '')
    .join(', ');
}

function shownValue(value: unknown): string {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? changeOf(value) : json(value);
}

/** Fields, and those that are left out. */
function changeOf(change: object): string {
  const absent = Object.entries(change).filter(([, value]) => value === undefined);
  const present = Object.entries(change).filter(([, value]) => value !== undefined);
  const without = absent.map(([name]) => `no ${code(name)}`);
  return [...(present.length > 0 || absent.length === 0 ? [json(Object.fromEntries(present))] : []), ...without].join(
    ', ',
  );
}

function scopesOf(scopes: readonly string[]): string {
  const shown = scopes.slice(0, 4).map((scope) => code(scope));
  const more = scopes.length - shown.length;
  return `scopes ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function json(value: unknown): string {
  return code(JSON.stringify(value));
}

/** Long runs of one character are shortened, because a number says more. */
function code(text: string): string {
  const short = text.replaceAll(/(.)\1{19,}/gu, (run, character: string) => `${character}…(${[...run].length} times)`);
  return short === '' ? 'an empty text' : `\`${escapeCell(short)}\``;
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|');
}
