// The declared fields of a kind, with what the marks of its schema say about them: src/model/field.ts has their meaning.
//
//   x-identity   the field is a part of the identity; a `default` fills it, and pull leaves such a value out
//   x-secret     the field is sent and never returned
//   x-summary    the field is a part of the line of an action
//   x-list       what the order of a list means: set, ordered, or key:FIELD for elements that a field identifies
//   x-open       any text is accepted, and those of the first alternative are suggested for a text that is near one
//   x-patch      whether an update merges an object with the live one, or replaces it

/** Null if the schema marks no identity: then the kind compares its items itself. */
export function declaredFields(document) {
  const declared = document.$defs?.declared;
  const isMarked = Object.values(declared?.properties ?? {}).some((property) => property['x-identity']);
  return isMarked ? fieldsOf(declared, document) : null;
}

function fieldsOf({ properties, required = [], then = {} }, document) {
  const names = [...required, ...(then.required ?? [])];
  // The flags of an item belong to every kind, and are in another file.
  const own = Object.entries(properties).filter(([, property]) => !property.$ref?.startsWith('item.schema.json'));
  return Object.fromEntries(
    own.map(([name, property]) => [
      name,
      { ...(names.includes(name) && { required: true }), ...fieldOf(property, document, name) },
    ]),
  );
}

/**
 * What secrets are recognized by, in the fields of each kind: by a name that is no field of another sort anywhere, else by the
 * keys that lead to it.
 *
 *   { names: [signingsecret], places: [lamps/power/code, connections/options/configuration/*] }   `*`: any key of a map
 */
export function secretsOf(kinds) {
  const all = Object.entries(kinds).flatMap(([kind, fields]) => fieldsBelow(fields, kind));
  const plain = new Set(all.flatMap(({ names, isPlain }) => (isPlain ? names : [])));
  const secrets = all.filter(({ field }) => field.secret !== undefined);
  const isNamed = ({ place, names: [name] }) => !place.endsWith('/*') && !plain.has(name);
  const unique = (texts) => [...new Set(texts)].sort();
  return {
    names: unique(secrets.filter(isNamed).map(({ names: [name] }) => name)),
    places: unique(secrets.filter((one) => !isNamed(one)).map(({ place }) => place)),
  };
}

/** `names`: in files and on the service, in lower case and without separators. A mapping is shown whatever its name is. */
function fieldsBelow(fields, path) {
  return Object.entries(fields).flatMap(([name, field]) => {
    const { secret, map, wire = name, fields: members, items = {}, forms } = field;
    const place = `${path}/${name}`;
    const names = [name, wire].map((one) => one.replaceAll(/[-_]/g, '').toLowerCase());
    const isPlain = secret === undefined && !(members ?? map ?? forms);
    const below = [members, items.fields, ...Object.values(forms?.of ?? {})];
    const inside = [...below, map && { '*': map }].flatMap((one) => fieldsBelow(one ?? {}, place));
    return [{ field, place, names, isPlain }, ...inside];
  });
}

function fieldOf(schema, document, name) {
  const field = resolved(schema, document);
  if (field['x-secret'] && field['x-format'] !== 'secret-reference')
    throw new Error(`the secret ${name} of ${document.$id} needs the format secret-reference`);
  const marks = {
    identity: field['x-identity'],
    ...(field['x-secret'] && { secret: 'hidden', omitted: 'kept' }),
    summary: field['x-summary'],
  };
  const suggestions = field['x-open'] && field.anyOf[0].enum;
  const known = {
    ...marks,
    none: field.default,
    values: field.enum,
    suggestions,
    ...shapeOf(field, document, name),
  };
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
}

function shapeOf(field, document, name) {
  const { type, discriminator, oneOf = [] } = field;
  if (type === 'array') return listOf(field, document, name);
  if (type !== 'object') return {};
  const replace = field['x-patch'] === 'merge' ? undefined : true;
  if (discriminator === undefined) return { replace, fields: fieldsOf(field, document) };
  const by = discriminator.propertyName;
  return { replace, forms: { by, of: formsOf(oneOf, by, document) } };
}

function listOf({ items, 'x-list': mark }, document, name) {
  const [list, key] = mark?.split(':') ?? [];
  if (!['set', 'ordered', 'key'].includes(list))
    throw new Error(`the list ${name} of ${document.$id} needs an x-list: set, ordered or key:FIELD`);
  if (key !== undefined && !resolved(items, document).required?.includes(key))
    throw new Error(`the list ${name} of ${document.$id} has the key ${key}, which its items do not require`);
  return { list, key, items: fieldOf(items, document, name) };
}

/** The fields of each form, by the value of its discriminator. Other values of that are not known. */
function formsOf(oneOf, tag, document) {
  const forms = oneOf.flatMap((form) => {
    const found = resolved(form, document);
    const { const: value, enum: values = [value] } = found.properties[tag];
    const { [tag]: named, ...fields } = fieldsOf(found, document);
    const { values: _values, ...field } = named;
    return values.map((one) => [one, { [tag]: field, ...fields }]);
  });
  return Object.fromEntries(forms);
}

function resolved({ $ref, ...own }, document) {
  if ($ref === undefined) return own;
  if (!$ref.startsWith('#/$defs/'))
    throw new Error(`${$ref}: a declared field of ${document.$id} refers to its own file`);
  return { ...resolved(document.$defs[$ref.slice('#/$defs/'.length)], document), ...own };
}
