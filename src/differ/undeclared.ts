import { undeclaredRemedies } from '../model/findings.ts';
import type { KeepRules } from '../model/kind.ts';
import type { Finding } from '../model/plan.generated.ts';
import { draftFinding } from './draft.ts';

/** That an undeclared item stays. */
export function undeclaredFinding(kind: string, key: string, keep: KeepRules): Finding {
  if (!keep.isProtected(key)) return reportedFinding(kind, key);
  const message = 'on the tenant but not declared; kept because it is protected';
  return draftFinding({ code: 'LIVE_PROTECTED', kind, key, message, source: null });
}

export function reportedFinding(kind: string, key: string): Finding {
  const message = `on the tenant but not declared; ${undeclaredRemedies(kind)}`;
  return draftFinding({ code: 'LIVE_UNDECLARED', kind, key, message, source: null });
}
