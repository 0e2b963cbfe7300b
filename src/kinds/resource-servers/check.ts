import type { Diagnostic } from '../../model/diagnostic.ts';
import type { DesiredItem } from '../../model/kind.ts';
import type { DesiredApi } from './desired-api.ts';

/** A rule that a schema cannot express: no scope is listed twice. */
export function check(item: DesiredItem<DesiredApi>, report: (diagnostic: Diagnostic) => void): void {
  if (item.state !== 'present') return;
  const seen = new Map<string, number>();
  for (const [index, { value }] of item.value.scopes.entries()) {
    const first = seen.get(value);
    if (first === undefined) {
      seen.set(value, index);
      continue;
    }
    const { file, line, column } = item.at(`/scopes/${first}/value`);
    report({
      code: 'CONFIG_DUPLICATE_SCOPE',
      severity: 'error',
      message: `"${value}" is listed twice in scopes, first at ${file}:${line}:${column}.`,
      hint: 'remove one of the two entries',
      source: item.at(`/scopes/${index}/value`),
    });
  }
}
