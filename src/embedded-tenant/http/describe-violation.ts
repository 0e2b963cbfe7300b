import type { SchemaError, Shape } from '../../model/operation.ts';
import { pointerPath, valueAt } from '../../values/json-pointer.ts';

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

type Params = Readonly<Record<string, unknown>>;

/** By keyword. */
const rules: Readonly<Record<string, (params: Params, value: unknown) => string>> = {
  required: ({ missingProperty }) => `Missing required property: ${missingProperty}`,
  additionalProperties: ({ additionalProperty: name }) => `Additional properties not allowed: ${shorten(String(name))}`,
  propertyNames: ({ propertyName: name }) => `Property name not allowed: ${shorten(String(name))}`,
  type: ({ type }, value) => `Expected type ${type} but found type ${typeName(value)}`,
  enum: ({ allowedValues }) => `Expected one of: ${(allowedValues as readonly unknown[]).join(', ')}`,
  minimum: ({ comparison, limit }) => `Value must be ${comparison} ${limit}`,
  maximum: ({ comparison, limit }) => `Value must be ${comparison} ${limit}`,
  minLength: ({ limit }) => `String is too short, minimum ${limit}`,
  maxLength: ({ limit }) => `String is too long, maximum ${limit}`,
  minItems: ({ limit }) => `Array is too short, minimum ${limit}`,
  maxItems: ({ limit }) => `Array is too long, maximum ${limit}`,
  format: ({ format }) => `Value didn't pass validation for format ${format}`,
  discriminator: ({ tag }) => `Property ${tag} selects none of the allowed forms`,
  anyOf: () => 'Value has none of the allowed forms',
};

function ruleOf({ keyword, params, instancePath }: SchemaError, value: unknown): string {
  const rule = rules[keyword];
  return rule === undefined ? `Value violates the rule ${keyword}` : rule(params, valueAt(value, instancePath));
}

/** `/permissions/0/name` as `permissions[0].name`. */
function propertyOf(pointer: string): string {
  return pointerPath(pointer).reduce(
    (path, segment) => (/^\d+$/.test(segment) ? `${path}[${segment}]` : path === '' ? segment : `${path}.${segment}`),
    '',
  );
}

export function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function shorten(text: string): string {
  return text.length <= 100 ? text : `${text.slice(0, 100)}…`;
}
