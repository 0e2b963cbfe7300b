export function declaredFields(document: unknown): Readonly<Record<string, object>> | null;
export function secretsOf(kinds: Readonly<Record<string, Readonly<Record<string, object>>>>): {
  readonly names: readonly string[];
  readonly places: readonly string[];
};
