// The lists of kinds, from the folders that there are: nothing else names a kind.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { camel } from './words.mjs';

/**
 * The folders of kinds in the order of plans and reports. Those that `order.yaml` does not name come last, by their names.
 * Throws for a name without a kind.
 */
export function inOrder(root, folders) {
  const order = parse(readFileSync(join(root, 'src/kinds/order.yaml'), 'utf8'));
  const unknown = order.filter((name) => !folders.includes(name));
  if (unknown.length > 0) throw new Error(`src/kinds/order.yaml has no kind for ${unknown.join(', ')}`);
  return [...order, ...folders.filter((name) => !order.includes(name)).sort()];
}

/** Whether a kind has code of its own. */
export function hasIndex(root, folder) {
  return existsSync(join(root, `src/kinds/${folder}/index.ts`));
}

/** Each kind with its head, and what loads the rest. `isDescribed`: whether its head follows from its description. */
export function kindsModule(root, folders, isDescribed) {
  const heads = folders.map((folder) => {
    const file = isDescribed(folder) ? `../service/${folder}/head.generated.ts` : `./${folder}/head.ts`;
    return `import { head as ${camel(folder)} } from '${file}';`;
  });
  const rows = folders.map((folder) => {
    const name = camel(folder);
    const load = hasIndex(root, folder)
      ? `(await import('./${folder}/index.ts')).${name}`
      : `(await import('./kind-from.ts')).kindFrom(${descriptionOf(folder)}${hooksOf(root, folder)})`;
    return `  { ...${name}, load: async () => ${load} },`;
  });
  return [
    banner,
    "import type { LazyKind } from '../model/kind.ts';",
    ...heads,
    '',
    'export const registry: readonly LazyKind[] = [',
    ...rows,
    '];',
    '',
  ].join('\n');
}

function descriptionOf(folder) {
  return `(await import('../service/${folder}/description.generated.ts')).description`;
}

function hooksOf(root, folder) {
  return existsSync(join(root, `src/kinds/${folder}/hooks.ts`)) ? `, await import('./${folder}/hooks.ts')` : '';
}

/** What the embedded tenant serves, by the files that there are. */
export function tenantModule(root, folders) {
  const served = folders
    .filter((folder) => existsSync(join(root, `src/embedded-tenant/kinds/${folder}.ts`)))
    .sort()
    .map((folder) => ({ folder, name: `${camel(folder)}Tenant` }));
  return [
    banner,
    "import type { TenantResource } from '../../model/tenant-resource.ts';",
    ...served.map(({ folder, name }) => `import { ${name} } from './${folder}.ts';`),
    '',
    '/** What the embedded tenant serves. Separate from the list of kinds, so that it shares no code with what it checks. */',
    'export const tenantResources: readonly TenantResource[] = [',
    ...served.map(({ name }) => `  ${name},`),
    '];',
    '',
  ].join('\n');
}

const banner = '// Generated from the folders of src/kinds by npm run generate.';
