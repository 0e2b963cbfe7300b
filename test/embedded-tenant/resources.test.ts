import { describe, expect, test } from 'vitest';
import { tenantResources } from '../../src/embedded-tenant/kinds/registry.generated.ts';
import { apiOf } from '../../src/embedded-tenant/kinds/resource-servers.ts';
import { rolesTenant } from '../../src/embedded-tenant/kinds/roles.ts';
import { InternalError } from '../../src/model/internal-error.ts';
import type { Operation, Shape } from '../../src/model/operation.ts';
import type { TenantResource, TenantStore } from '../../src/model/tenant-resource.ts';
import { kinds } from '../support/all-kinds.ts';
import { buildPermission } from '../support/build-permission.ts';
import { openRoutes } from '../support/open-routes.ts';
import { openTenant, startTenant, testClient } from '../support/start-tenant.ts';

interface Note {
  readonly id: string;
  readonly text: string;
}

interface NoteStore extends TenantStore {
  readonly notes: Note[];
}

function isNote(value: unknown): value is Note {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'text') === 'string';
}

function shapeOf<T>(schema: string, accepts: (value: unknown) => boolean): Shape<T> {
  return { schema, validate: (value): value is T => accepts(value) };
}

const listNotes: Operation = {
  id: 'list_notes',
  api: 'full',
  method: 'GET',
  path: '/notes',
  summary: 'List notes',
  scope: 'read:notes',
  lifecycle: 'not shown',
  response: shapeOf('notes', Array.isArray),
  success: 200,
  basis: { source: 'assumed', section: 'none', assumed: [] },
};

const addNote: Operation<unknown, unknown, Note> = {
  ...listNotes,
  id: 'add_note',
  method: 'POST',
  scope: 'create:notes',
  response: shapeOf('note', isNote),
  body: { ...shapeOf<Note>('note', isNote), encodings: ['application/json'] },
  success: 201,
};

/** A resource from outside src/: an operation may use the stores of other resources. */
const notes: TenantResource<readonly Note[], NoteStore> = {
  section: 'notes',
  seed: {
    ...shapeOf('notes', (section) => Array.isArray(section) && section.every(isNote)),
    identity: 'id',
    check: (section) =>
      section.flatMap(({ text }, index) => (text === '' ? [{ pointer: `/${index}/text`, rule: 'Text is empty' }] : [])),
  },
  openStore(section = []) {
    const stored = [...section];
    return { notes: stored, snapshot: () => stored };
  },
  routes: [
    { operation: listNotes, respond: (_request, { store }) => ({ status: 200, body: store.notes }) },
    {
      operation: addNote,
      respond({ body }, { store, stores, newId }) {
        const { text } = body as Note;
        if (apiOf(stores, text) === undefined) return { status: 404, message: `No API ${text}.` };
        const note = { id: newId('note', 4), text };
        store.notes.push(note);
        return { status: 201, body: note };
      },
    },
  ],
};

const api = { identifier: 'https://orders.example/', scopes: [] };
const client = { ...testClient, scopes: ['read:notes', 'create:notes'] };
const seed = { clients: [client], resource_servers: [api], notes: [{ id: 'note_1', text: 'hello' }] };
const withNotes = [...tenantResources, notes];

test('the embedded tenant serves every operation that a kind uses, and those of kinds that have no files yet', () => {
  // One request can add to a set, and remove from it.
  const routeOf = ({ method, path }: Operation) => `${method} ${path}`;
  const served = tenantResources.flatMap(({ routes }) => routes.map(({ operation }) => routeOf(operation)));
  const used = kinds.flatMap(({ operations }) => operations.map(routeOf));
  expect(served).toEqual(expect.arrayContaining([...new Set(used)]));
});

describe('a resource from outside', () => {
  test('is served with the others, and may use their stores', async () => {
    const tenant = await startTenant({}, { resources: withNotes, seed });
    const headers = { Authorization: `Bearer ${await tenant.token()}`, 'Content-Type': 'application/json' };
    const post = (text: string) =>
      fetch(`${tenant.baseUrl}/notes`, { method: 'POST', headers, body: JSON.stringify({ text }) });
    expect((await post('https://none.example/')).status).toBe(404);
    expect((await post(api.identifier)).status).toBe(201);
    const listed: unknown = await (await fetch(`${tenant.baseUrl}/notes`, { headers })).json();
    expect(listed).toMatchObject([{ id: 'note_1', text: 'hello' }, { text: api.identifier }]);
    expect(tenant.tenant.snapshot()['notes']).toEqual(listed);
    await tenant.close();
  });

  test.each<[unknown, string]>([
    ['none', 'seed: /notes: Value violates notes.'],
    [[{ id: 'note_1', text: '' }], 'seed: /notes/0/text: Text is empty.'],
    [
      [
        { id: 'note_1', text: 'a' },
        { id: 'note_1', text: 'b' },
      ],
      'seed: /notes/1/id: Another item has the same id.',
    ],
  ])('validates its section of the seed: %j', async (section, message) => {
    await expect(openTenant({}, { resources: withNotes, seed: { notes: section } })).rejects.toThrow(message);
  });

  test('its scopes are unknown without it', async () => {
    await expect(openTenant({}, { seed: { clients: [client] } })).rejects.toThrow(
      'seed: /clients/0/scopes/0: read:notes is not a scope of the service.',
    );
  });
});

describe('the resources are served together', () => {
  const operations = tenantResources.flatMap(({ routes }) => routes.map(({ operation }) => operation));
  const each = (names: readonly string[]) => expect(names.toSorted()).toEqual([...new Set(names)].toSorted());

  test('each has a section of its own', () => {
    each(tenantResources.map(({ section }) => section));
  });

  test('each operation has an id of its own', () => {
    each(operations.map(({ id }) => id));
  });

  test('each operation has a path of its own; parameters are compared by position, not by name', () => {
    each(operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`));
  });
});

test('a store that was not opened is a bug of ours', () => {
  const routes = openRoutes([rolesTenant], {
    roles: [{ id: 'rol_1', name: 'One', permissions: [buildPermission('read:orders')] }],
  });
  expect(() => routes.respond('list_role_permissions', { params: { id: 'rol_1' } })).toThrow(
    new InternalError('the embedded tenant has no resource resource_servers'),
  );
});
