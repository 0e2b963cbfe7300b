import { shape } from '../../contract/shape.ts';
import { description } from '../../service/harbour-office/description.generated.ts';
import { validateSeed } from '../../service/harbour-office/seed-validators.generated.ts';
import type { Item } from '../items/item-store.ts';
import { objectAt, omit } from '../items/item-values.ts';
import { servedSole } from '../items/serve-single.ts';
import { badBody, refused } from '../refused.ts';

export const harbourOfficeTenant = servedSole(
  description,
  {
    missing: refused(404, 'no_office', 'The harbour has no office'),
    exists: refused(409, 'office', 'The harbour has an office'),
    brief: ['name'],
    refuse: (_body, after) =>
      after['name'] === 'wire' && 'street' in objectAt(after, 'mail') ? badBody('a wire has no street') : null,
    show: (item) => ({ ...item, mail: omit(objectAt(item, 'mail'), ['value']) }),
  },
  shape<Item>('harbour-office.schema.json#/$defs/seed', validateSeed),
);
