import type { AnyKind, Description } from '../../src/model/kind.ts';
import type { Action, KindName } from '../../src/model/plan.generated.ts';
import { memberOf } from '../../src/values/json-pointer.ts';

/** Kinds that have a name and describe their actions; they neither read nor decide. */
export const standInKinds: readonly AnyKind[] = [
  standIn('rate_limit_policies', 'Rate limit policies', 'policy', ({ before }) => {
    const id = before?.['id'] === undefined ? '' : `id ${String(before['id'])}, `;
    return { summary: `${id}configuration: ${JSON.stringify(before?.['configuration'])}` };
  }),
  standIn('roles', 'Roles', 'role', ({ request }) =>
    inParts(
      (
        (memberOf(request.body, 'permissions') ?? []) as {
          permission_name: string;
          resource_server_identifier: string;
        }[]
      ).map((pair) => `${pair.permission_name} of ${pair.resource_server_identifier}`),
    ),
  ),
  standIn('prompts', 'Prompts', 'prompt', ({ after }) =>
    inParts(
      Object.entries(after as Record<string, Record<string, string>>).flatMap(([screen, points]) =>
        Object.entries(points).map(
          ([point, text]) => `${screen} / ${point}: ${text.length} characters, "${text.split('\n', 1)[0]}"`,
        ),
      ),
    ),
  ),
  standIn('event_streams', 'Event streams', 'stream', () => ({})),
];

function inParts(names: readonly string[]): Description {
  return names.length === 0 ? {} : { parts: [{ parts: names.map((name) => ({ name })) }] };
}

function standIn(name: KindName, title: string, label: string, describe: (action: Action) => Description): AnyKind {
  return {
    name,
    title,
    label,
    noun: { one: title.toLowerCase(), many: title.toLowerCase() },
    undeclared: 'delete',
    operations: [],
    identity: [],
    keyOf: (_item, member) => member,
    decide: () => {
      throw new Error('a stand-in does not decide');
    },
    describe: (action) => ((action.changes ?? []).length > 0 ? {} : describe(action)),
  };
}
