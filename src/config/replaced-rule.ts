import type { AnyKind } from '../model/kind.ts';
import { jsonPointer, memberOf } from '../values/json-pointer.ts';
import type { Report } from './errors/problem.ts';
import type { JoinedHeader } from './join-files.ts';
import { keyPlace } from './yaml/yaml-file.ts';

const replaced = 'keep_undeclared';

/** Reports `keep_undeclared`, which kept items and parts of declared items: what to write depends on its kinds. */
export function checkReplacedRule({ tenant, file }: JoinedHeader, kinds: readonly AnyKind[], report: Report): void {
  if (file === null || !Object.hasOwn(tenant, replaced)) return;
  const named: unknown = memberOf(tenant, replaced);
  const names: readonly unknown[] = Array.isArray(named) ? named : [];
  const deleting = kinds.filter(({ name, undeclared }) => undeclared === 'delete' && names.includes(name));
  const line = `undeclared: { ${deleting.map(({ name }) => `${name}: report`).join(', ')} }`;
  report({
    code: 'CONFIG_UNKNOWN_FIELD',
    message: `"${replaced}" is no longer a field of "tenant". "undeclared" replaces it: one setting for each kind, for items only. Parts of a declared item, such as permissions, are an exact set.`,
    hint: `${deleting.length === 0 ? 'delete it' : `write ${line} instead`}; it kept parts of declared items as well, so declare those that are to stay`,
    at: keyPlace(file, jsonPointer('tenant', replaced)),
  });
}
