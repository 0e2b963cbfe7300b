export function exactSchema(definition: object, document: object): object;
export function tolerantSchema(definition: object, document: object): object;
