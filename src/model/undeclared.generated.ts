// Generated from schemas/undeclared.schema.json by npm run generate.

/**
 * What happens to live items that a section does not list, by kind. Parts of declared items, such as permissions, are always an exact set.
 */
export interface UndeclaredItems {
  /**
   * What happens to attack protection on the tenant that the files do not list. Default: ignore.
   */
  attack_protection?: 'ignore';
  /**
   * What happens to client grants on the tenant that the files do not list. Default: report.
   */
  client_grants?: 'report' | 'ignore';
  /**
   * What happens to clients on the tenant that the files do not list. Default: report.
   */
  clients?: 'report' | 'ignore';
  /**
   * What happens to connections on the tenant that the files do not list. Default: report.
   */
  connections?: 'report' | 'ignore';
  /**
   * What happens to event streams on the tenant that the files do not list. Default: delete.
   */
  event_streams?: 'delete' | 'report' | 'ignore';
  /**
   * What happens to prompts on the tenant that the files do not list. Default: ignore.
   */
  prompts?: 'ignore' | 'report';
  /**
   * What happens to rate limit policies on the tenant that the files do not list. Default: delete.
   */
  rate_limit_policies?: 'delete' | 'report' | 'ignore';
  /**
   * What happens to resource servers on the tenant that the files do not list. Default: report.
   */
  resource_servers?: 'report' | 'ignore';
  /**
   * What happens to roles on the tenant that the files do not list. Default: report.
   */
  roles?: 'report' | 'ignore';
}
