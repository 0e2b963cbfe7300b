import { errorBody } from '../contract/error-body.ts';
import type { Answer } from './exchange.ts';
import { parseJson } from './parse-json.ts';
import type { SecretMask } from './secret-mask.ts';

/** An answer that is no success, in words: its status, and what the service says when its body has the assumed shape. */
export function describeAnswer({ status, body }: Answer, mask: SecretMask): string {
  if (status >= 300 && status < 400) return `status ${status}; redirects are not followed`;
  const parsed = parseJson(body.bytes);
  if (!parsed.ok || !errorBody.validate(parsed.value)) return `status ${status}`;
  const said = mask.clean(parsed.value.message ?? parsed.value.error);
  return said === '' ? `status ${status}` : `status ${status}: ${said}`;
}
