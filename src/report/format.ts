/** How a result is written; chosen with --format. */
export type Format = 'text' | 'json' | 'markdown' | 'github';
