import { createHash } from 'node:crypto';
import type { Action, Plan } from '../model/plan.generated.ts';
import { canonicalJson } from '../values/canonical-json.ts';

/** What a plan is signed with: `digest` over all of it, `losses` over some of its actions. */
export interface Fingerprints {
  readonly digest: string;
  /** 64 hexadecimal digits over the base URL and the actions that were picked, without their places in the files. */
  readonly losses: string;
}

type Signed = Pick<Plan, 'tenant' | 'actions' | 'findings'>;

/** Both in one pass: a large plan is neither held as text nor written out twice. */
export function fingerprint(
  { tenant, actions, findings }: Signed,
  isPicked: (action: Action) => boolean,
): Fingerprints {
  const digest = collectHash();
  const losses = collectHash();
  losses.add(tenant.base_url);
  const addList = <Item>(items: readonly Item[], textOf: (item: Item) => string) => {
    for (const [index, item] of items.entries()) digest.add(index === 0 ? textOf(item) : `,${textOf(item)}`);
  };
  digest.add('{"actions":[');
  addList(actions, (action) => {
    const text = canonicalJson(action);
    if (isPicked(action)) losses.add(action.source === null ? text : canonicalJson({ ...action, source: null }));
    return text;
  });
  digest.add('],"findings":[');
  addList(findings, canonicalJson);
  digest.add(`],"tenant":${canonicalJson(tenant)}}`);
  return { digest: `sha256:${digest.end()}`, losses: losses.end() };
}

/** The identity of a plan, `sha256:` and 64 hexadecimal digits: what it is about, what it does and what it found; not when it was made. */
export function planDigest(plan: Signed): string {
  return fingerprint(plan, () => false).digest;
}

/** Few large updates of a hash are much faster than many small ones. */
function collectHash() {
  const hash = createHash('sha256');
  let pending = '';
  return {
    add(text: string): void {
      pending += text;
      if (pending.length < 65_536) return;
      hash.update(pending);
      pending = '';
    },
    end: () => hash.update(pending).digest('hex'),
  };
}
