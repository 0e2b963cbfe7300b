import type { Field, Fields } from '../../model/field.ts';
import { hostOf, isCovered } from '../../values/hosts.ts';
import { listOf } from '../../values/list-of.ts';
import { compareText } from '../../values/text-order.ts';
import { hasField } from '../members.ts';
import { secretsIn } from '../secret-places.ts';
import { type FieldChange, fieldChanges, type ItemEffect, nameOf, type Values } from './field-changes.ts';

/**
 * Hosts that get codes, secrets or data of an item, and did not get any. Each is named once, by the address with which it gets
 * the most. `live`: null for a new item.
 */
export function addressEffects(fields: Fields, live: Values | null, changes: readonly FieldChange[]): ItemEffect[] {
  const values = fieldChanges(fields, {}, live ?? {}).filter(({ field }) => field.address !== undefined);
  const hosts = values.flatMap(({ after }) => hostsIn(after));
  const withCodes = values.filter(({ field }) => field.address === 'codes').flatMap(({ after }) => hostsIn(after));
  const changed = changes
    .filter(({ field }) => field.address !== undefined)
    .map((change) => ({ change, gets: whatIsSent(change, live !== null) }))
    .sort((one, other) => Number(one.gets.isData) - Number(other.gets.isData));
  const shown = new Set<string>();
  const added = changed.flatMap(({ change, gets }): ItemEffect[] => {
    const known = gets.isCodes ? withCodes : hosts;
    const found = hostsIn(change.after).filter((host) => !isCovered(host, known) && !shown.has(host));
    for (const host of found) shown.add(host);
    const message = `${gets.text} ${listOf(found)} (${nameOf(change)})`;
    return found.length === 0 ? [] : [{ code: 'HOST_ADDED', severity: gets.isData ? 'warning' : 'critical', message }];
  });
  return [...added, ...changed.flatMap(({ change }) => removedEffects(change))];
}

interface Sent {
  readonly text: string;
  readonly isCodes?: true;
  readonly isData: boolean;
}

function whatIsSent(change: FieldChange, isLive: boolean): Sent {
  if (change.field.address === 'codes')
    return { text: 'sends codes or tokens of logins to', isCodes: true, isData: false };
  const secret = secretBeside(change, isLive);
  return secret === null
    ? { text: 'uses a new host:', isData: true }
    : { text: `sends ${secret} to a new host:`, isData: false };
}

function removedEffects(change: FieldChange): ItemEffect[] {
  const now = hostsIn(change.after);
  const removed = hostsIn(change.before).filter((host) => !now.includes(host));
  if (removed.length === 0) return [];
  const message = `no longer uses ${listOf(removed)} (${nameOf(change)})`;
  return [{ code: 'HOST_REMOVED', severity: 'note', message }];
}

/** A secret in the object that has the address goes there. One of the item itself is for the service. */
function secretBeside({ path, beside, declared }: FieldChange, isLive: boolean): string | null {
  if (path.length === 1) return null;
  const hasSecret = (isWanted: (secret: Field['secret']) => boolean) =>
    Object.values(beside).some((field) => hasField(field, ({ secret }) => isWanted(secret)));
  // One that the service returns goes back as it is.
  if (isLive && hasSecret((secret) => secret === 'clear')) return 'its stored secret';
  const sent = [...new Set(secretsIn(beside, declared).map(({ place }) => place.env))];
  if (sent.length > 0) return `the ${sent.length === 1 ? 'secret' : 'secrets'} ${listOf(sent)}`;
  return isLive && hasSecret((secret) => secret !== undefined) ? 'its stored secret' : null;
}

function hostsIn(value: unknown): string[] {
  const addresses = [value].flat().filter((one) => typeof one === 'string');
  return [...new Set(addresses.flatMap((one) => hostOf(one) ?? []))].sort(compareText);
}
