import { samePlace } from '../../items/references.ts';
import type { Names } from '../../model/names.ts';
import { fields } from '../../service/rate-limit-policies/description.generated.ts';
import { partsOf } from './precedence.ts';

/** Most keys are the same on the service, and a tenant has 100,000. */
export function withKey<Item extends { readonly key: string }>(item: Item, key: string): Item {
  return key === item.key ? item : { ...item, key };
}

/**
 * Keys with the selectors of the service, where files name a client. A client that is not on the tenant has a text that is no
 * id.
 *
 *   oauth_authentication_api/client/client:Web shop   ->   oauth_authentication_api/client/client_id:5Fj1
 */
export function openServiceKeys(names: Names | undefined): (key: string) => string {
  const field = fields['consumer_selector'] ?? {};
  return (key) => {
    const { prefix, selector } = partsOf(key);
    const onService = samePlace(field, selector, names);
    return onService === selector ? key : `${prefix}${onService}`;
  };
}
