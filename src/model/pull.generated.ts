// Generated from schemas/pull.schema.json by npm run generate.

/**
 * The result of pull --format json: what the files have to become so that a plan has nothing to do.
 */
export interface PullDocument {
  format_version: '1.0';
  tenant: PulledTenant;
  /**
   * False if a kind could not be read completely. Its files are not changed.
   */
  complete: boolean;
  /**
   * Files that change or are new, in the order in which they are written.
   */
  files: ChangedFile[];
  /**
   * Items that change in the files.
   */
  edits: ItemEdit[];
  /**
   * Environment variables to set, to which new secrets refer.
   */
  variables: string[];
  /**
   * Undeclared live items that protect covers; --add writes them.
   */
  not_added: string[];
  /**
   * Items that stay different, and kinds that are left out.
   */
  warnings: PullWarning[];
}
export interface PulledTenant {
  name: string;
  base_url: string;
  api: 'documented' | 'full';
}
export interface ChangedFile {
  /**
   * Path relative to the tenant folder.
   */
  file: string;
  new: boolean;
  /**
   * A unified diff, which git apply accepts in the tenant folder.
   */
  diff: string;
}
export interface ItemEdit {
  change: 'add' | 'edit' | 'remove';
  kind: string;
  key: string;
  /**
   * Where the item is: in the new text if it is added, and in the old one otherwise.
   */
  source: PulledSource | null;
}
export interface PulledSource {
  file: string;
  line: number;
  column: number;
}
export interface PullWarning {
  code: string;
  message: string;
  hint: string | null;
  source: PulledSource | null;
}
