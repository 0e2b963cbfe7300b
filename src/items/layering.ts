import type { Fields } from '../model/field.ts';
import type { Layering } from '../model/layering.ts';
import { memberOf } from '../values/json-pointer.ts';
import { membersOf } from './members.ts';

/** Objects with fixed fields are merged; lists, sets, maps and JSON are complete, and so is an object of another form. */
export function layeringOf(fields: Fields): Layering {
  return (path, item) => {
    let [members, value]: [Fields | null, unknown] = [fields, item];
    for (const name of path) {
      const field = members !== null && Object.hasOwn(members, name) ? members[name] : undefined;
      if (field === undefined || typeof value !== 'object' || value === null) return null;
      const below = memberOf(value, name);
      members = membersOf(field, Object(below), value);
      value = below;
    }
    return members;
  };
}
