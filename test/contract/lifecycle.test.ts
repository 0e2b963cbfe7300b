import { expect, test } from 'vitest';
import { tenantResources } from '../../src/embedded-tenant/kinds/registry.generated.ts';
import { lifecycles } from '../../src/model/operation.ts';

test('the release lifecycle has the five values of the service specification (9)', () => {
  expect(lifecycles).toEqual(['early access', 'generally available', 'deprecated', 'planned', 'beta']);
});

test('every operation has one of them, or none that is shown', () => {
  const found = tenantResources.flatMap(({ routes }) => routes.map(({ operation }) => operation.lifecycle));
  expect(found.filter((value) => value !== 'not shown' && !lifecycles.includes(value))).toEqual([]);
});
