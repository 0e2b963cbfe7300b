// What a description says of other kinds and of other fields: that they exist.

/** `names`: of all kinds, also of those without a description. `byName`: the described ones. */
export function checkReferences({ given, report }, kind, { byName, names }) {
  const checkKind = (to, at) => {
    if (!names.includes(to)) report(at, `"${to}" is no kind`, `write one of ${names.join(', ')}`);
  };
  for (const { ref, at } of refsIn(given)) {
    checkKind(ref.to, [...at, 'to']);
    const target = byName.get(ref.to);
    if (ref.by !== undefined && target && !(ref.by in target.fields))
      report([...at, 'by'], `${ref.to} have no field "${ref.by}"`, 'write a field of that kind');
    if (ref.as === undefined) continue;
    const [fields, name] = at;
    if (fields !== 'fields' || at.length !== 3 || given.key?.at(-1) !== name || given.unique === false)
      report([...at, 'as'], `"${name}" is not the last field of the key`, 'remove as');
    if (ref.as.field in kind.fields)
      report([...at, 'as', 'field'], `"${ref.as.field}" is also under fields`, 'write another name');
    if (ref.as.prefix.startsWith(`${ref.as.field}:`))
      report([...at, 'as', 'prefix'], `it begins with "${ref.as.field}:"`, 'write another name of the field');
  }
  for (const [role, name] of Object.entries(given.own ?? {}))
    if (!(name in kind.fields) && name !== kind.id?.field)
      report(['own', role], `"${name}" is no field`, 'write the name of a field, or of the id');
  const { byName: filter, filters = [] } = given.operations?.list ?? {};
  if (filter !== undefined && !filters.includes(filter))
    report(['operations', 'list', 'byName'], `"${filter}" is no filter`, 'write one of the filters');
  if (given.id?.key && given.key.length !== 1)
    report(['id', 'key'], 'the key has several fields', 'remove key: an id is in place of one name');
  const checkResource = (
    { access, refs = [], scalar, short, absent, key = [], writable, resources = {} },
    own,
    at,
    parent,
  ) => {
    const checkField = (name, place) => {
      const isField = name.startsWith('^')
        ? name === '^' || name.slice(1) in (parent?.fields ?? {})
        : name in own.fields;
      const write =
        parent === undefined
          ? 'write the name of a field'
          : 'write a field of the element, ^ and one of the parent, or ^';
      if (!isField) report([...at, ...place], `"${name}" is no field`, write);
    };
    for (const name of [...(access?.holder ?? []), ...(access?.thing ?? [])]) checkField(name, ['access']);
    if (access?.all !== undefined) checkField(`^${access.all}`, ['access', 'all']);
    for (const [index, path] of refs.entries()) {
      checkKind(path.split('/')[0], [...at, 'refs', index]);
      for (const [, name] of path.matchAll(/\{(.*?)\}/g)) checkField(name, ['refs', index]);
    }
    if (scalar !== undefined) checkField(scalar, ['scalar']);
    if (short !== undefined && (key.length !== 2 || !key.includes(short)))
      report([...at, 'short'], `"${short}" is none of the two fields of the key`, 'write one of them');
    if (absent !== undefined && short === undefined)
      report([...at, 'absent'], 'elements that must not be there are written by one field', 'add short');
    for (const name of writable?.only ?? []) checkField(name, ['writable', 'only']);
    for (const [name, child] of Object.entries(resources))
      checkResource(child, own.resources[name], [...at, 'resources', name], own);
  };
  checkResource(given, kind, []);
}

/** Every `ref`, with its place. In a map of fields, `ref` is the name of a field. */
function refsIn(value, at = [], isMap = false) {
  if (typeof value !== 'object' || value === null) return [];
  const own = !isMap && value.ref !== undefined ? [{ ref: value.ref, at: [...at, 'ref'] }] : [];
  const below = Object.entries(value).flatMap(([name, child]) =>
    refsIn(child, [...at, name], !isMap && ['fields', 'resources', 'forms'].includes(name)),
  );
  return [...own, ...below];
}
