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
 * An item without a flag: only this declares its fields.
 */
export interface Present {
  absent?: false;
  unmanaged?: false;
  [k: string]: unknown;
}
