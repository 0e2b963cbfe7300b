import { nearestWord } from '../diagnostics/near-names.ts';
import type { Explanation } from '../model/explanation.generated.ts';

/** `nearest` is the code that was probably meant; null if none is near. */
export type ExplainResult =
  | { readonly status: 'explained'; readonly explanation: Explanation }
  | { readonly status: 'unknown'; readonly nearest: string | null };

/** Every code that can be explained. The texts are loaded here alone: no other command needs them. */
export async function explanations(): Promise<readonly Explanation[]> {
  return (await import('../diagnostics/explanations.generated.ts')).explanations;
}

/** What a code of a diagnostic, a finding, a refusal or an outcome means, also as a report prints it: `not attempted`. */
export async function explain(code: string): Promise<ExplainResult> {
  const known = await explanations();
  const wanted = normal(code);
  const explanation = known.find((entry) => normal(entry.code) === wanted);
  if (explanation !== undefined) return { status: 'explained', explanation };
  const nearest = nearestWord(
    wanted,
    known.map((entry) => entry.code),
  );
  return { status: 'unknown', nearest: nearest ?? null };
}

function normal(code: string): string {
  return code.toUpperCase().replace(/:$/, '').replaceAll(/[- ]/g, '_');
}
