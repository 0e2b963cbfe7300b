import { formats } from './formats.ts';
import { knownScopes } from './scopes.ts';

const codes =
  'access_denied invalid_client invalid_grant invalid_request invalid_scope invalid_target server_error temporarily_unavailable unauthorized_client unsupported_grant_type Bearer custom_domain_conflict inexistent_client inexistent_resource_server insufficient_entitlement insufficient_scope invalid_body invalid_paging invalid_uri too_many_requests';

/** Error codes: of OAuth 2.0 (RFC 6749, 4.1.2.1 and 5.2; RFC 8707, 2), then of the API (public facts 6.1). */
export const errorCodes: readonly unknown[] = codes.split(' ');

/** What a message may name whatever was sent. */
export const knownWords = [codes, ...knownScopes, ...Object.keys(formats)].join(' ');
