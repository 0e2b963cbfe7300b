import type { NetworkFailure } from './exchange.ts';
import { ServiceError } from './service-error.ts';

/** Nothing has ever answered: most likely the address or the network is wrong, and there is no state to speak of. */
export function unreachableError(host: string, failure: NetworkFailure, tries: number): ServiceError {
  const times = tries === 1 ? '' : ` after ${tries} tries`;
  const hint = failure.retryable
    ? 'check TENANT_SYNC_BASE_URL, TENANT_SYNC_AUTH_URL and the network'
    : 'check the certificate of the host; NODE_EXTRA_CA_CERTS names further authorities to trust';
  return new ServiceError('SERVICE_UNREACHABLE', `${host} cannot be reached: ${failure.code}${times}`, {
    hint,
    cause: failure.cause,
  });
}
