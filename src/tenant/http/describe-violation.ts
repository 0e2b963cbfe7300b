import type { SchemaFault } from '../../model/operation.ts';

/** `'rule' on property a.b[0]`, in the manner of the service's own messages. Values are not repeated: they may be secret or long. */
export function describeFault(fault: SchemaFault, value: unknown): string {
  const property = propertyOf(fault.instancePath);
  return `'${describeRule(fault, value)}'${property === '' ? '' : ` on property ${property}`}`;
}

/** The faults that tell something: branches of an anyOf that did not match say less than the anyOf itself. */
export function tellingFaults(faults: readonly SchemaFault[]): readonly SchemaFault[] {
  const unmatched = new Set(faults.filter((fault) => fault.keyword === 'anyOf').map((fault) => fault.instancePath));
  return faults.filter((fault) => !(unmatched.has(fault.instancePath) && fault.schemaPath.includes('/anyOf/')));
}

/** The broken rule alone. */
export function describeRule(fault: SchemaFault, value: unknown): string {
  const { params } = fault;
  switch (fault.keyword) {
    case 'required':
      return `Missing required property: ${params['missingProperty']}`;
    case 'additionalProperties':
      return `Additional properties not allowed: ${shorten(String(params['additionalProperty']))}`;
    case 'propertyNames':
      return `Property name not allowed: ${shorten(String(params['propertyName']))}`;
    case 'type':
      return `Expected type ${params['type']} but found type ${typeName(valueAt(value, fault.instancePath))}`;
    case 'enum':
      return `Expected one of: ${(params['allowedValues'] as readonly unknown[]).join(', ')}`;
    case 'minimum':
    case 'maximum':
      return `Value must be ${params['comparison']} ${params['limit']}`;
    case 'minLength':
      return `String is too short, minimum ${params['limit']}`;
    case 'maxLength':
      return `String is too long, maximum ${params['limit']}`;
    case 'minItems':
      return `Array is too short, minimum ${params['limit']}`;
    case 'format':
      return `Value didn't pass validation for format ${params['format']}`;
    case 'discriminator':
      return `Property ${params['tag']} selects none of the allowed forms`;
    case 'anyOf':
      return 'Value has none of the allowed forms';
    default:
      return `Value breaks the rule ${fault.keyword}`;
  }
}

/** `/permissions/0/name` as `permissions[0].name`. */
function propertyOf(pointer: string): string {
  return segmentsOf(pointer).reduce(
    (path, segment) => (/^\d+$/.test(segment) ? `${path}[${segment}]` : path === '' ? segment : `${path}.${segment}`),
    '',
  );
}

function valueAt(value: unknown, pointer: string): unknown {
  return segmentsOf(pointer).reduce<unknown>((parent, segment) => (parent as Record<string, unknown>)[segment], value);
}

function segmentsOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function shorten(text: string): string {
  return text.length <= 100 ? text : `${text.slice(0, 100)}…`;
}
