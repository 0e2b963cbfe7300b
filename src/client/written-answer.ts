import type { Operation } from '../model/operation.ts';
import { describeFaults } from './describe-faults.ts';
import type { Answer } from './exchange.ts';
import { parseJson } from './parse-json.ts';

/**
 * Why a 2xx may not be the service's own answer to a write; null when nothing speaks against it. A proxy or a login page answers 200
 * as well. The service specification shows no body of a write, so of its own operations anything but a page will do; of the others
 * the body is known (public facts 1.1, 2.1, 3.1, 4.1), where one came whole.
 */
export function doubtAbout({ api, answer }: Operation, { status, body }: Answer): string | null {
  if (status < 200) return 'it is no final answer';
  if (body.fault !== null || body.bytes.length === 0) return null;
  const parsed = parseJson(body.bytes);
  if (api === 'documented')
    return !parsed.ok && /^\s*</.test(body.bytes.toString('latin1', 0, 100)) ? 'the body is a page' : null;
  if (!parsed.ok) return parsed.why;
  return answer === undefined || answer.validate(parsed.value) ? null : describeFaults(answer);
}
