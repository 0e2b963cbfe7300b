export function declaredFields(document: unknown): Readonly<Record<string, object>> | null;
export function secretNames(fields: Readonly<Record<string, object>>): readonly string[];
