import equal from 'fast-deep-equal';
import type { FieldChange } from '../model/plan.generated.ts';

/**
 * The declared fields that differ from the live ones, in declared order. A live field that is not declared is unmanaged and
 * never a difference. Lists are compared whole.
 *
 *   declared { configuration: { action: block, limit: 50 } }
 *   live     { configuration: { action: block, limit: 100 }, updated_at: … }
 *   ->       [{ field: 'configuration.limit', before: 100, after: 50 }]
 */
export function diffFields(live: unknown, declared: unknown, field = ''): FieldChange[] {
  if (isRecord(live) && isRecord(declared)) {
    return Object.entries(declared).flatMap(([key, value]) =>
      diffFields(Object.hasOwn(live, key) ? live[key] : undefined, value, field === '' ? key : `${field}.${key}`),
    );
  }
  if (equal(live, declared)) return [];
  return [live === undefined ? { field, after: declared } : { field, before: live, after: declared }];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
