// Types that no operation names: the fields of a connection follow from its strategy. They are found by the beginnings of their
// names, and the end of a name joins the sides: Create…Auth0, Update…Auth0 and …ContentAuth0 are one form.
import { mergeSides } from './sides.mjs';

const tables = {
  '/connections': {
    by: 'strategy',
    beginnings: {
      create: 'CreateConnectionRequestContent',
      update: 'UpdateConnectionRequestContent',
      response: 'ConnectionResponseContent',
    },
  },
};

/** `{ by, forms }` of an entity that has such types: of each form, its options and the fields that are not those of all. */
export function formsOf(path, fields, declarations, shapeOf) {
  if (!(path in tables)) return {};
  const { by, beginnings } = tables[path];
  const byEnding = {};
  for (const [side, beginning] of Object.entries(beginnings)) {
    const endings = declarations.endingsOf(beginning);
    if (endings.length === 0) throw new Error(`no type is called ${beginning} and the ${by}`);
    for (const ending of endings) byEnding[ending] = { ...byEnding[ending], [side]: shapeOf.named(beginning + ending) };
  }
  const forms = {};
  for (const [ending, bySide] of Object.entries(byEnding)) {
    const [value, ...others] = new Set(Object.values(bySide).flatMap((shape) => shape.fields[by]?.enum ?? []));
    if (value === undefined || others.length > 0 || value in forms)
      throw new Error(`the types called …${ending} are not of one ${by} of their own`);
    const isOwn = ([name]) => name !== by && (name === 'options' || !(name in fields));
    forms[value] = Object.fromEntries(Object.entries(mergeSides(bySide).fields).filter(isOwn));
  }
  return { by, forms: Object.fromEntries(Object.entries(forms).sort(([a], [b]) => (a < b ? -1 : 1))) };
}
