import { undeclaredItems } from '../../differ/undeclared.ts';
import { identityOf } from '../../marks/identity.ts';
import { pullItems } from '../../marks/pull-items.ts';
import type { DesiredSection } from '../../model/kind.ts';
import type { PullRules } from '../../model/pull.ts';
import type { LiveState, Reader } from '../../model/reader.ts';
import { fields } from '../../service/resource-servers/fields.generated.ts';
import { type LiveApi, readApis } from './read.ts';

/** Files have APIs with scopes, and none of the service itself: nothing of those could be managed. */
export const pull: PullRules<object, LiveApi> = {
  ...pullItems<LiveApi>(fields, identityOf(fields).nameOf, {}),
  readUndeclared,
};

async function readUndeclared(reader: Reader, desired: DesiredSection): Promise<LiveState<LiveApi>> {
  const live = await readApis(reader);
  if (!live.readable) return live;
  const keys = new Set(undeclaredItems(desired.items, live.listed ?? []).map(({ key }) => key));
  return { ...live, items: live.items.filter(({ identifier }) => keys.has(identifier)) };
}
