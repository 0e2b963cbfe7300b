import { access } from './access.ts';
import { operations } from './operations.ts';
import { resources } from './resources.ts';
import type { Statement } from './statement.ts';

/** In the order of the service specification; the number of a statement is its place. */
export const statements: readonly Statement[] = [...resources, ...operations, ...access];
