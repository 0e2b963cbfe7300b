import { expect, test } from 'vitest';
import { declaredFields, secretNames } from '../../scripts/declared-fields.mjs';
import { isSecretField } from '../../src/secrets/secret-spellings.ts';

const secret = { type: 'string', 'x-format': 'secret-reference', 'x-secret': true };
const text = { type: 'string' };
const schemaWith = (properties: object, $defs = {}) => ({
  $id: 'invented.schema.json',
  $defs: { declared: { properties: { name: { ...text, 'x-identity': true }, ...properties } }, ...$defs },
});
const namesIn = (document: object) => secretNames(declaredFields(document) ?? {});

test('the names of secrets come from the marks, at any depth', () => {
  const forms = { oneOf: [{ properties: { type: { const: 'a' }, Ingest_Phrase: secret } }] };
  const sink = { type: 'object', discriminator: { propertyName: 'type' }, ...forms };
  const list = { type: 'array', 'x-list': 'ordered', items: { type: 'object', properties: { 'api-key': secret } } };
  const document = schemaWith({ sink, list, own: { $ref: '#/$defs/own' } }, { own: secret });
  expect([...namesIn(document)].sort()).toEqual(['apikey', 'ingestphrase', 'own']);
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
