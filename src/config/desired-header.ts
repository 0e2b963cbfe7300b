import { sourceOf } from '../diagnostics/source-text.ts';
import type { Desired } from '../model/desired.ts';
import type { FileSource } from '../model/file-source.ts';
import type { DesiredSection, KindName } from '../model/kind.ts';
import type { TenantHeader } from '../model/tenant.generated.ts';
import { jsonPointer, memberOf, valueAt } from '../values/json-pointer.ts';
import type { JoinedHeader } from './declared.ts';
import { asWritten, locate } from './yaml/yaml-file.ts';

/** Only a name and a base URL can have references. */
export function writtenHeader({ tenant, placeOf }: JoinedHeader): TenantHeader {
  const written = ['name', 'base_url'].flatMap((name) => {
    const value = memberOf(tenant, name);
    const place = value === undefined ? null : placeOf(jsonPointer(name));
    return place === null ? [] : [[name, asWritten(place.file, place.pointer, value)]];
  });
  return { ...tenant, ...Object.fromEntries(written) };
}

export function desiredState(
  { tenant, placeOf }: JoinedHeader,
  sections: ReadonlyMap<KindName, DesiredSection>,
  entry: FileSource['entry'],
): Desired {
  const codes = tenant.approvals ?? [];
  const inProject = new Map(
    entry?.approvals.map(({ source }, index) => [jsonPointer('approvals', codes.length + index), source]),
  );
  if (entry?.stateAt !== undefined) inProject.set('/state', entry.stateAt);
  const tenantAt = (pointer: string) => {
    const own = inProject.get(pointer);
    if (own !== undefined) return own;
    if (entry !== undefined && valueAt(entry.values, pointer) !== undefined) return entry.source;
    const place = placeOf(pointer);
    if (place === null) return entry?.source;
    const { key, value } = locate(place.file, place.pointer);
    return sourceOf(pointer === '' ? (key ?? value) : value);
  };
  const approvals = [...codes, ...(entry?.approvals ?? []).map(({ code }) => code)];
  const header = { ...tenant, ...entry?.values, ...(approvals.length > 0 && { approvals }) };
  return { tenant: header, tenantAt, sections, ofProject: entry !== undefined };
}
