import type { TenantHeader } from '../model/tenant.generated.ts';
import { sectionPointer } from './desired-item.ts';
import type { Report } from './fault.ts';
import { keyPlace, repeated, told } from './join-sections.ts';
import type { JudgedFile } from './judge-file.ts';
import type { YamlFile } from './yaml-file.ts';

const header = 'tenant';

/** The one header of a folder and the file that has it. The value counts only when no fault was reported. */
export interface JoinedHeader {
  readonly tenant: TenantHeader;
  readonly file: YamlFile | null;
}

export function joinHeaders(files: readonly JudgedFile[], report: Report): JoinedHeader {
  const [first, ...others] = files.map(({ file }) => file).filter((file) => Object.hasOwn(file.value, header));
  if (first === undefined) return { tenant: {}, file: null };
  const place = keyPlace(first, sectionPointer(header));
  for (const other of others) {
    const second = keyPlace(other, sectionPointer(header));
    report({
      ...repeated('the folder', place, second, header),
      message: `The header "${header}" stands twice: at ${told(place)} and at ${told(second)}. A folder is one tenant and has one header.`,
    });
  }
  // Judged by the schema that the type is generated from.
  return { tenant: first.value[header] as TenantHeader, file: first };
}
