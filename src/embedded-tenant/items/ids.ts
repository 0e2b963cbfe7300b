import type { RouteContext } from '../../model/tenant-resource.ts';

/** Up to 40 letters and digits that no other id has. */
export function lettersAndDigits({ newId }: Pick<RouteContext, 'newId'>, length: number): string {
  return [newId('', 4), newId('', 4)].join('').replaceAll('_', '').slice(0, length);
}
