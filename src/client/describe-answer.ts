import { errorBody } from '../contract/error-body.ts';
import type { Answer } from './exchange.ts';
import { parseJson } from './parse-json.ts';
import type { SecretMask } from './secret-mask.ts';

/** An answer that is no success, in words: its status, and what the service says. */
export function describeAnswer(answer: Answer, mask: SecretMask): string {
  const { status } = answer;
  if (status >= 300 && status < 400) return `status ${status}; redirects are not followed`;
  const said = messageOf(answer, mask);
  return said === null ? `status ${status}` : `status ${status}: ${said}`;
}

/** What the service says of an error; null when its body has not the assumed shape. */
export function messageOf({ body }: Answer, mask: SecretMask): string | null {
  const parsed = parseJson(body.bytes);
  if (!parsed.ok || !errorBody.validate(parsed.value)) return null;
  const said = mask.clean(parsed.value.message ?? parsed.value.error);
  return said === '' ? null : said;
}
