import { changedTo, type WhyLockedOut } from '../../items/effects/own-items.ts';
import { listOf } from '../../values/list-of.ts';

interface Grant {
  readonly audience?: string;
  readonly subject_type?: string | null;
  readonly allow_all_scopes?: boolean | null;
  readonly scope?: readonly string[] | null;
}

/** A grant for users gives this tool no token. */
export const whyLockedOut: WhyLockedOut<object> = (action, live, scopes) => {
  const { audience, subject_type, ...grant } = live as Grant;
  if ((subject_type ?? 'client') !== 'client') return null;
  if (action.action === 'delete') return `its grant for ${audience} is deleted`;
  if (changedTo(action, live, 'organization_usage') === 'require')
    return `its grant for ${audience} gets organization_usage require`;
  const left = { ...grant, ...(action.after as Grant) };
  const lost = scopes().filter((scope) => has(grant, scope) && !has(left, scope));
  return lost.length === 0 ? null : `its grant for ${audience} loses ${listOf(lost)}`;
};

function has({ allow_all_scopes, scope }: Grant, name: string): boolean {
  return allow_all_scopes === true || scope?.includes(name) === true;
}
