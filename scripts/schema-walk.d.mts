export function mapSchemas(schema: object, change: (schema: Record<string, unknown>) => unknown): object;
