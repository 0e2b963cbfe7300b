import type { CanonicalItem, Present } from '../../model/kind.ts';
import type { DeclaredPolicy, Policy } from '../../service/rate-limit-policies/types.generated.ts';

/** The only values that the service knows (service specification 2.1). They can be left out. */
const defaults: Pick<Policy, 'resource' | 'consumer'> = { resource: 'oauth_authentication_api', consumer: 'client' };

/** The identity of a declared policy. */
export function policyIdentity({
  resource = defaults.resource,
  consumer = defaults.consumer,
  consumer_selector,
}: DeclaredPolicy): Pick<Policy, 'resource' | 'consumer' | 'consumer_selector'> {
  return { resource, consumer, consumer_selector };
}

export function canonical(item: unknown): CanonicalItem<Policy> {
  const policy = item as Present<DeclaredPolicy, 'configuration'>;
  return { value: { ...policyIdentity(policy), ...policy }, writtenAt: (pointer) => pointer };
}

/** The fields of a live policy that identify it, without those that can be left out. */
export function shortIdentity({
  resource,
  consumer,
  consumer_selector,
}: Pick<Policy, 'resource' | 'consumer' | 'consumer_selector'>): DeclaredPolicy {
  return {
    ...(resource !== defaults.resource && { resource }),
    ...(consumer !== defaults.consumer && { consumer }),
    consumer_selector,
  };
}

/** A key without the values that can be left out: `client_id:app`. */
export function shortKey(key: string): string {
  const prefix = `${defaults.resource}/${defaults.consumer}/`;
  return key.startsWith(prefix) && key.length > prefix.length ? key.slice(prefix.length) : key;
}
