import type { Present } from '../../model/kind.ts';
import type { PullRules } from '../../model/pull.ts';
import type { DeclaredPolicy, LivePolicy } from '../../service/rate-limit-policies/types.generated.ts';
import { shortIdentity } from './canonical.ts';
import { isSameUri } from './decide.ts';
import { policyKey } from './policy-key.ts';

type WrittenPolicy = Present<DeclaredPolicy, 'configuration'>;
type Configuration = LivePolicy['configuration'];

export const pull: PullRules<WrittenPolicy, LivePolicy> = {
  form: 'list',
  keyOf: policyKey,
  declare: ({ configuration, ...live }) => ({
    written: { ...shortIdentity(live), configuration: knownFields(configuration) },
  }),
  adopt: (written, { configuration }) => ({
    written: { ...written, configuration: withWrittenUri(knownFields(configuration), written.configuration) },
  }),
  protectAs: ({ consumer_selector }) => consumer_selector,
};

/** Without fields that this version does not know; a plan does not compare them. */
function knownFields(configuration: Configuration): Configuration {
  const { action, limit, redirect_uri } = configuration as Record<'action' | 'limit' | 'redirect_uri', unknown>;
  return {
    action,
    ...(limit !== undefined && { limit }),
    ...(redirect_uri !== undefined && { redirect_uri }),
  } as Configuration;
}

function withWrittenUri(live: Configuration, written: Configuration): Configuration {
  if (live.action !== 'redirect' || written.action !== 'redirect') return live;
  return isSameUri(live.redirect_uri, written.redirect_uri) ? { ...live, redirect_uri: written.redirect_uri } : live;
}
