import { expect } from 'vitest';
import { knownScopes } from '../../src/contract/known-words.ts';
import { isRecord } from '../../src/values/is-record.ts';
import { type Fixture, type KindFixtures, splitMark } from './kind-fixtures.ts';
import { authorizedRequest, openTenant, testClient } from './start-tenant.ts';

type Values = Readonly<Record<string, unknown>>;

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const ownId = '5f0000000000000000000001';
/** More than the responses until a slow delete is done. */
const patience = 6;

/** Replays a fixture on the embedded tenant, through HTTP. */
export async function replay(fixture: Fixture, kind: KindFixtures): Promise<void> {
  const { refused, status, after } = fixture;
  const send = await open(fixture, kind);
  const { method, path, body, read } = stepOf(fixture, kind);
  const written = method === undefined ? null : await send(method, path, body);
  if (refused !== undefined || status !== undefined) expect(written).toMatchObject({ status: refused ?? status });
  else if (written !== null) expect(written.status, JSON.stringify(written.body)).toBeLessThan(300);
  if (after === undefined) return;
  const place = read ?? `${path}/${String(isRecord(written?.body) ? written.body[idOf(kind)] : '')}`;
  if (after === null) return expectGone(async () => send('GET', place));
  expectFields((await send('GET', place)).body, after, textsIn([fixture.before, body]));
}

interface Step {
  /** Absent where nothing is sent. */
  readonly method?: string;
  readonly path: string;
  readonly body?: object;
  /** What is read afterwards; default: the new item below the path. */
  readonly read?: string;
}

function stepOf(
  { mark, before, request, create, delete: deleted }: Fixture,
  { name, kind, given }: KindFixtures,
): Step {
  const own = `${kind.path}/${ownId}`;
  const body = typeof request === 'object' && request !== null ? { body: request } : {};
  const resource = resourceOf(mark, kind);
  if (kind.at === 'group') {
    const path = resource?.path ?? '';
    return { path, read: path, ...(request !== undefined && { method: 'PATCH', ...body }) };
  }
  if (kind.at === 'single') {
    const method = deleted !== undefined ? 'DELETE' : before === undefined || create !== undefined ? 'POST' : 'PATCH';
    const query = new URLSearchParams(kind.operations?.get?.query);
    return {
      method,
      path: kind.path,
      ...(create === undefined ? body : { body: create }),
      read: `${kind.path}?${query}`,
    };
  }
  if (deleted !== undefined)
    return { method: 'DELETE', path: deleted === name ? own : referredPath(deleted, given, before), read: own };
  if (before === undefined || create !== undefined)
    return { method: 'POST', path: kind.path, ...(create === undefined ? body : { body: create }) };
  const verb = splitMark(mark).pointer.split('/')[4] ?? '';
  const method = resource?.operations?.[verb]?.method ?? usualMethods[verb];
  if (resource === undefined || method === undefined) return { method: 'PATCH', path: own, ...body, read: own };
  return { method, path: resource.path.replace('{id}', ownId), ...body, read: own };
}

const usualMethods: Readonly<Record<string, string>> = { add: 'POST', remove: 'DELETE' };

/** The resource that a mark is in: of a kind, or of a set with operations of its own. */
function resourceOf(mark: string, kind: KindFixtures['kind']) {
  const [, resources, name = ''] = splitMark(mark).pointer.split('/');
  return resources === 'resources' ? kind.resources?.[name] : undefined;
}

/** The item of another kind that is named by the item before. */
function referredPath(section: string, given: KindFixtures['given'], before: Values = {}): string {
  const named = textsIn([before]);
  const ids = (given[section] ?? []).map((item) => String(item['client_id'] ?? item['id']));
  return `/${section.replaceAll('_', '-')}/${ids.find((id) => named.includes(id)) ?? ''}`;
}

async function open({ mark, before }: Fixture, { name, kind, given }: KindFixtures) {
  const [, , single = ''] = splitMark(mark).pointer.split('/');
  const item = { [idOf({ kind })]: ownId, ...withElements(before, kind) };
  const seed: Record<string, unknown> = { ...given };
  if (kind.at === 'single') seed[name] = before;
  else if (kind.at !== 'group') seed[name] = [...(given[name] ?? []), ...(before === undefined ? [] : [item])];
  else if (before !== undefined) seed[name] = { [single]: before };
  const client = { ...testClient, scopes: [...knownScopes] };
  seed['clients'] = [client, ...[seed['clients'] ?? []].flat()];
  const tenant = await openTenant(seed);
  return async (method: string, path: string, body?: object): Promise<Answer> => {
    const response = await tenant.fetch(await authorizedRequest(tenant, method, path, body));
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
}

/** Elements of sets with operations of their own, which responses have as texts. */
function withElements(before: Values = {}, kind: KindFixtures['kind']): Values {
  const members = Object.entries(before).map(([name, value]) => {
    const { scalar, operations } = kind.resources?.[name] ?? {};
    if (scalar === undefined || operations === undefined || !Array.isArray(value)) return [name, value];
    return [name, value.map((text: unknown) => ({ [scalar]: text }))];
  });
  return Object.fromEntries(members);
}

function idOf({ kind: { id = 'id' } }: Pick<KindFixtures, 'kind'>): string {
  return typeof id === 'string' ? id : (id.field ?? 'id');
}

async function expectGone(get: () => Promise<Answer>): Promise<void> {
  let status = 0;
  for (let reading = 0; reading < patience && status !== 404; reading += 1) status = (await get()).status;
  expect(status).toBe(404);
}

/** The fields that a fixture names; null is none, and `*` a text that nobody sent. The order of texts does not count. */
function expectFields(found: unknown, wanted: unknown, sent: readonly string[], at = ''): void {
  if (wanted === null) expect(found ?? undefined, at).toBeUndefined();
  else if (wanted === '*') expect(typeof found === 'string' && !sent.includes(found), at).toBe(true);
  else if (Array.isArray(wanted) && wanted.some(isRecord)) {
    expect(found, at).toHaveLength(wanted.length);
    for (const [index, element] of wanted.entries())
      expectFields(Array.isArray(found) ? found[index] : undefined, element, sent, `${at}/${index}`);
  } else if (Array.isArray(wanted)) expect([found].flat().toSorted(), at).toEqual(wanted.toSorted());
  else if (isRecord(wanted))
    for (const [name, value] of Object.entries(wanted))
      expectFields(isRecord(found) ? found[name] : undefined, value, sent, `${at}/${name}`);
  else expect(found, at).toBe(wanted);
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
