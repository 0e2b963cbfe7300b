import { readValue } from '../../contract/read-value.ts';
import type { Operation } from '../../model/operation.ts';
import type { Stored } from '../../model/outcome.ts';
import type { PlannedRequest } from '../../model/plan.generated.ts';
import { canonicalJson } from '../../values/canonical-json.ts';
import { jsonPointer, memberOf } from '../../values/json-pointer.ts';
import { comparableText } from '../../values/line-ends.ts';
import { isSecretField } from '../../values/secret-spellings.ts';

/**
 * Whether the body of a success shows what was sent as stored. Only fields of the item that were sent are compared,
 * because the service has others; a PUT replaces everything, so there a field that was not sent is a difference. A field
 * that is an object is stored completely, so a member that was not sent is a difference in it, too. Secrets are
 * never returned, so the places that had a reference to one are left out.
 *
 *   PATCH { status: disabled }    200 { id, name, status: disabled }    as_sent
 *   PATCH { status: disabled }    200 { id, name, status: enabled }     differs
 *   POST  { permissions: […] }    201 {}                                not_shown
 *   DELETE                        204                                   not_shown
 */
export function compareStored({ path: pattern, response }: Operation, request: PlannedRequest, value: unknown): Stored {
  const { body = {}, secrets = [], method, path } = request;
  if (value === undefined || response === undefined || !readValue(response, value).ok) return 'not_shown';
  const hidden = new Set(secrets.map(({ pointer }) => pointer));
  const sent = Object.keys(body).filter((name) => hasContent(body[name]) && !hidden.has(jsonPointer(name)));
  if (!sent.some((name) => memberOf(value, name) !== undefined)) return 'not_shown';
  if (isOther(pattern, path, memberOf(value, 'id'))) return 'differs';
  const exact = method === 'PUT';
  return includes(body, value, { hidden, exact, pointer: '' }) ? 'as_sent' : 'differs';
}

/** Whether a stored item has the fields of a declared one, without secrets: a PATCH sends only some of them. */
export function showsDeclared(declared: object, stored: object): boolean {
  return includes(withoutSecrets(declared), stored, { hidden: new Set(), exact: false, pointer: '' });
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  const shown = Object.entries(value).filter(([name]) => !isSecretField(name));
  return Object.fromEntries(shown.map(([name, child]) => [name, withoutSecrets(child)]));
}

/** An item other than the one that the path names. */
function isOther(pattern: string, path: string, id: unknown): boolean {
  return pattern.endsWith('/{id}') && typeof id === 'string' && !path.endsWith(`/${encodeURIComponent(id)}`);
}

interface Place {
  readonly hidden: ReadonlySet<string>;
  readonly exact: boolean;
  readonly pointer: string;
}

function includes(sent: unknown, stored: unknown, place: Place): boolean {
  if (place.hidden.has(place.pointer)) return true;
  if (typeof sent !== 'object' || sent === null) return sent === stored || sameLines(sent, stored);
  if (Array.isArray(sent)) return Array.isArray(stored) && sameElements(sent, stored, place);
  if (typeof stored !== 'object' || Array.isArray(stored)) return !hasContent(sent) && stored === undefined;
  const names = new Set([...Object.keys(sent), ...(place.exact ? Object.keys(stored ?? {}) : [])]);
  return [...names].every((name) => {
    const [wanted, found] = [memberOf(sent, name), memberOf(stored, name)];
    const isAbsent = !hasContent(wanted) && !hasContent(found);
    return isAbsent || includes(wanted, found, { ...place, exact: true, pointer: place.pointer + jsonPointer(name) });
  });
}

/** Services store line ends, and the last one of a text, in their own way. */
function sameLines(sent: unknown, stored: unknown): boolean {
  if (typeof sent !== 'string' || typeof stored !== 'string') return false;
  return comparableText(sent) === comparableText(stored);
}

/** The order of a list has no meaning in any body. */
function sameElements(sent: readonly unknown[], stored: readonly unknown[], place: Place): boolean {
  if (sent.length !== stored.length) return false;
  const isSame = sent.every((item, index) =>
    includes(item, stored[index], { ...place, exact: true, pointer: place.pointer + jsonPointer(index) }),
  );
  return isSame || canonicalJson(sent.map(canonicalJson).sort()) === canonicalJson(stored.map(canonicalJson).sort());
}

/** An empty object is as much as none: a screen without texts is not stored (public facts 3.3). */
function hasContent(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value !== undefined;
  return Array.isArray(value) || Object.values(value).some(hasContent);
}
