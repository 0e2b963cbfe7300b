import type { Plan } from '../model/plan.generated.ts';
import { planChecksum, planDigest } from '../plan/digest.ts';
import type { ReportDocument } from '../report/document.ts';
import type { Output } from './output.ts';

type Mask = Output['mask'];

/**
 * A document without secrets of the environment, which a tenant may repeat anywhere. A plan that has one is sealed
 * again, so that the document is consistent; it can be read, but no longer applied where the secret was a part of a
 * request.
 */
export function maskDocument(document: ReportDocument, mask: Mask): ReportDocument {
  const masked = maskTexts(document, mask);
  switch (masked.type) {
    case 'plan':
    case 'drift':
      return { ...masked, plan: sealed(masked.plan) };
    case 'outcomes':
      return { ...masked, outcomes: { ...masked.outcomes, plan: sealed(masked.outcomes.plan) } };
    default:
      return masked;
  }
}

function sealed(plan: Plan): Plan {
  const signed = { ...plan, digest: planDigest(plan) };
  return { ...signed, checksum: planChecksum(signed) };
}

function maskTexts<Value>(value: Value, mask: Mask): Value {
  if (typeof value === 'string') return mask(value) as Value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => maskTexts(item, mask)) as Value;
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => [mask(name), maskTexts(child, mask)] as const),
  ) as Value;
}
