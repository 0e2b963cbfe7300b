import { expect, test } from 'vitest';
import { declaredFields, secretsOf } from '../../scripts/declared-fields.mjs';
import { isSecretField } from '../../src/secrets/secret-spellings.ts';

const secret = { type: 'string', 'x-format': 'secret-reference', 'x-secret': true };
const text = { type: 'string' };
const schemaWith = (properties: object, $defs = {}) => ({
  $id: 'invented.schema.json',
  $defs: { declared: { properties: { name: { ...text, 'x-identity': true }, ...properties } }, ...$defs },
});
const namesIn = (document: object) => secretsOf({ invented: declaredFields(document) ?? {} }).names;

test('the names of secrets come from the marks, at any depth', () => {
  const forms = { oneOf: [{ properties: { type: { const: 'a' }, Ingest_Phrase: secret } }] };
  const sink = { type: 'object', discriminator: { propertyName: 'type' }, ...forms };
  const list = { type: 'array', 'x-list': 'ordered', items: { type: 'object', properties: { 'api-key': secret } } };
  const document = schemaWith({ sink, list, own: { $ref: '#/$defs/own' } }, { own: secret });
  expect(namesIn(document)).toEqual(['apikey', 'ingestphrase', 'own']);
});

test('a secret that shares its name with another field is known by its place', () => {
  const secret = { secret: 'hidden' };
  const code = { fields: { code: secret, lock: { fields: {} } } };
  const lamps = {
    power: { forms: { by: 'type', of: { grid: { ...code.fields, pin: secret } } } },
    flags: { items: { fields: { value: secret } } },
    words: { map: secret },
    lock: secret,
  };
  const rooms = { number: { wire: 'Co-de' }, scopes: { items: { fields: { value: {} } } } };
  expect(secretsOf({ lamps, rooms })).toEqual({
    // A mapping may be the settings of what the name is about.
    names: ['lock', 'pin'],
    places: ['lamps/flags/value', 'lamps/power/code', 'lamps/words/*'],
  });
});

test.each(['password', 'token', 'header_value', 'Client-Secret'])('%s is the name of a secret', (name) => {
  expect(isSecretField(name)).toBe(true);
});

test('a secret without its format, and a field of another file, stop the generation', () => {
  expect(() => namesIn(schemaWith({ key: { ...secret, 'x-format': undefined } }))).toThrow(
    'needs the format secret-reference',
  );
  expect(() => namesIn(schemaWith({ key: { $ref: 'item.schema.json#/$defs/x' } }))).not.toThrow();
  expect(() => namesIn(schemaWith({ key: { $ref: 'other.schema.json#/$defs/x' } }))).toThrow('refers to its own file');
});
