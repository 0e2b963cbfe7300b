import { knownScopes } from '../../contract/scopes.ts';
import { validateSeed } from '../../contract/seed.generated.ts';
import { shape } from '../../contract/shape.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Seed } from '../../model/seed.generated.ts';
import { describeRule, tellingFaults } from '../http/describe-violation.ts';
import { TenantSetupError } from '../setup-error.ts';

const seedShape = shape<Seed>('seed.schema.json', validateSeed);

/** The value as a seed, or a TenantSetupError that names every fault by JSON pointer. `label` says where the value comes from. */
export function checkSeed(value: unknown, label: string): Seed {
  if (!seedShape.validate(value)) {
    const faults = tellingFaults(seedShape.validate.errors ?? []);
    throw new TenantSetupError(
      faults.map((fault) => seedInvalid(label, fault.instancePath, describeRule(fault, value))),
    );
  }
  const diagnostics = [...repeatedIds(value, label), ...unknownScopes(value, label)];
  if (diagnostics.length > 0) throw new TenantSetupError(diagnostics);
  return value;
}

function seedInvalid(label: string, pointer: string, rule: string): Diagnostic {
  return {
    code: 'SEED_INVALID',
    severity: 'error',
    message: `${label}: ${pointer === '' ? 'the whole value' : pointer}: ${rule}.`,
    hint: 'schemas/seed.schema.json describes the seed; docs/embedded-tenant.md has an example.',
  };
}

function repeatedIds(seed: Seed, label: string): readonly Diagnostic[] {
  return Object.entries(seed).flatMap(([section, items]) =>
    Array.isArray(items) ? repeatedIn(section, items, label) : [],
  );
}

/** What tells the items of a section apart; everywhere else it is an id. */
const identities: Readonly<Record<string, string>> = { clients: 'client_id', resource_servers: 'identifier' };

function repeatedIn(section: string, items: readonly object[], label: string): readonly Diagnostic[] {
  const key = identities[section] ?? 'id';
  const seen = new Set<unknown>();
  return items.flatMap((item, index) => {
    const id: unknown = Reflect.get(item, key);
    if (seen.has(id)) return [seedInvalid(label, `/${section}/${index}/${key}`, `another item has the same ${key}`)];
    seen.add(id);
    return [];
  });
}

/** A misspelt scope would only show as a 403 much later. */
function unknownScopes(seed: Seed, label: string): readonly Diagnostic[] {
  return (seed.clients ?? []).flatMap((client, index) =>
    client.scopes.flatMap((scope, at) =>
      knownScopes.has(scope)
        ? []
        : [
            seedInvalid(
              label,
              `/clients/${index}/scopes/${at}`,
              `${scope} is not in the scope catalogue (service specification 5)`,
            ),
          ],
    ),
  );
}
