import type { SchemaError, Shape } from '../../model/operation.ts';
import { pointerPath } from '../../values/json-pointer.ts';

/** A broken rule. It never repeats the value, which may be secret or long. */
export interface Violation {
  /** JSON pointer into the value. */
  readonly pointer: string;
  readonly rule: string;
}

/** Rules that the value breaks, `most` of them; empty if the value is valid. A body of 1 MB can break half a million. */
export function violationsOf(
  shape: Shape<unknown>,
  value: unknown,
  most = Number.POSITIVE_INFINITY,
): readonly Violation[] {
  if (shape.validate(value)) return [];
  const violations = withoutBranches(shape.validate.errors ?? [])
    .slice(0, most)
    .map((fault) => ({ pointer: fault.instancePath, rule: ruleOf(fault, value) }));
  return violations.length > 0 ? violations : [{ pointer: '', rule: `Value violates ${shape.schema}` }];
}

/** `'rule' on property a.b[0]`, as in the service's own messages. */
export function describeViolation({ pointer, rule }: Violation): string {
  const property = propertyOf(pointer);
  return `'${rule}'${property === '' ? '' : ` on property ${property}`}`;
}

/** An anyOf explains itself; the branches that did not match add nothing. */
function withoutBranches(faults: readonly SchemaError[]): readonly SchemaError[] {
  const unmatched = new Set(faults.filter((fault) => fault.keyword === 'anyOf').map((fault) => fault.instancePath));
  return faults.filter((fault) => !(unmatched.has(fault.instancePath) && fault.schemaPath.includes('/anyOf/')));
}

function ruleOf(fault: SchemaError, value: unknown): string {
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
    case 'maxItems':
      return `Array is too long, maximum ${params['limit']}`;
    case 'format':
      return `Value didn't pass validation for format ${params['format']}`;
    case 'discriminator':
      return `Property ${params['tag']} selects none of the allowed forms`;
    case 'not':
      return 'Value is not allowed';
    case 'anyOf':
      return 'Value has none of the allowed forms';
    default:
      return `Value violates the rule ${fault.keyword}`;
  }
}

/** `/permissions/0/name` as `permissions[0].name`. */
function propertyOf(pointer: string): string {
  return pointerPath(pointer).reduce(
    (path, segment) => (/^\d+$/.test(segment) ? `${path}[${segment}]` : path === '' ? segment : `${path}.${segment}`),
    '',
  );
}

function valueAt(value: unknown, pointer: string): unknown {
  return pointerPath(pointer).reduce<unknown>((parent, segment) => (parent as Record<string, unknown>)[segment], value);
}

export function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function shorten(text: string): string {
  return text.length <= 100 ? text : `${text.slice(0, 100)}…`;
}
