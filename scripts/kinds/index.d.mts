export interface Source {
  readonly file: string;
  readonly text: string;
  readonly facts: object;
}
export interface Kind {
  readonly name: string;
  readonly fields: object;
}
export function describe(
  sources: readonly Source[],
  names: readonly string[],
): { readonly kinds: readonly Kind[]; readonly mistakes: readonly string[] };
export function publishedSchema(kind: Kind): { readonly $defs: Readonly<Record<string, object>> };
export function descriptionModule(kind: Kind, schema: { readonly $defs: Readonly<Record<string, object>> }): string;
