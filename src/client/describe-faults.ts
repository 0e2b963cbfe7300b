import type { SchemaFault, Shape } from '../model/operation.ts';

/** The first fault that a schema found in a value that it has just refused: the JSON pointer, and the rule. */
export function describeFaults({ validate, schema }: Shape<unknown>): string {
  const faults = validate.errors ?? [];
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  return `${faults[0] === undefined ? 'the value' : describeFault(faults[0])} of ${schema}${more}`;
}

function describeFault({ instancePath, keyword, params }: SchemaFault): string {
  return `${instancePath === '' ? 'the document' : instancePath} breaks the rule ${keyword} ${JSON.stringify(params)}`;
}
