// Generated from schemas/explanation.schema.json by npm run generate.

/**
 * What a code means, as explain --format json prints it. Texts are Markdown.
 */
export interface Explanation {
  code: string;
  /**
   * What kind of code it is: the heading in docs/diagnostics.md.
   */
  group: string;
  /**
   * The usual one, where it varies. Null for the outcome of an action.
   */
  severity: 'critical' | 'error' | 'warning' | 'note' | null;
  cause: string;
  fix: string;
  /**
   * How it affects the exit code.
   */
  exit_code: string;
}
