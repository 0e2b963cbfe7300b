export function declaredFields(document: unknown): Readonly<Record<string, object>> | null;
export function secretMaps(fields: Readonly<Record<string, object>>, path: string): readonly string[];
export function secretNames(fields: Readonly<Record<string, object>>): readonly string[];
