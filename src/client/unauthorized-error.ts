import { ServiceError } from './service-error.ts';

/** The service refuses the token, and there is no other. */
export function unauthorizedError(host: string, explained: string): ServiceError {
  return new ServiceError('SERVICE_UNAUTHORIZED', `${host} refused the token: ${explained}`, {
    hint: 'check that the token is for this tenant and has not expired',
  });
}
