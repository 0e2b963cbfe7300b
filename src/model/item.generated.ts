// Generated from schemas/item.schema.json by npm run generate.

/**
 * true: the item must not exist on the tenant. Only its identity is needed; other fields are ignored. false is the same as no absent.
 */
export type Absent = boolean;
/**
 * true: the item is left alone, whether it exists on the tenant or not. It declares nothing but its identity. false is the same as no unmanaged.
 */
export type Unmanaged = boolean;
/**
 * The name that the item has on the tenant until now. If nothing there has the new name, the item is renamed in place: it keeps its id and everything it has. Once the tenant has the new name, the line can be deleted.
 */
export type RenamedFrom = string;

/**
 * An item without a flag: only this declares its fields.
 */
export interface Present {
  absent?: false;
  unmanaged?: false;
  [k: string]: unknown;
}
