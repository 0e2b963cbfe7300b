export interface Operation {
  readonly method: string;
  readonly path: string;
}
export interface Package {
  readonly version: string;
  readonly operations: readonly Operation[];
  readonly declarations: object;
}
export interface Source {
  readonly name: string;
  readonly text: string;
}
export const beginnings: readonly string[];
export const kindNames: readonly string[];
export function readPackage(): Package;
export function packageOf(sources: readonly Source[], version: string): Package;
export function factsOf(kind: string, from: Package): string;
export function entitiesOf(operations: readonly Operation[], declarations: object): Readonly<Record<string, Entity>>;
export function ownerOf(
  path: string,
): { readonly beginning: string; readonly kind?: string; readonly why?: string } | undefined;
export interface Entity {
  readonly operations: readonly object[];
  readonly fields?: Readonly<Record<string, object>>;
  readonly body?: object;
  readonly open?: true;
  readonly by?: string;
  readonly forms?: Readonly<Record<string, object>>;
}
