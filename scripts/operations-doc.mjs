// docs/operations.md from the operation rows of the built kinds. `--check` fails when it is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kinds } from '../dist/kinds/index.js';

const styles = {
  cursor: ({ maxTake, defaultTake }) =>
    `\`next\` of a page is \`from\` of the following one; \`take\` up to ${maxTake}, default ${defaultTake}`,
  page: ({ maxTake, defaultTake }) =>
    `by number; \`per_page\` up to ${maxTake}, default ${defaultTake}; ends by the total`,
};
const origins = { documented: 'service specification', public: 'public facts', assumed: 'assumed after public facts' };

const path = join(import.meta.dirname, '..', 'docs', 'operations.md');
const text = render();
const stale = read() !== text;
if (process.argv.includes('--check')) {
  if (stale) {
    console.error('docs/operations.md is stale: run npm run docs');
    process.exitCode = 1;
  }
} else if (stale) writeFileSync(path, text);

function read() {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function render() {
  const rows = kinds.flatMap((kind) => kind.operations.map((operation) => ({ kind, operation })));
  const table = rows.map(
    ({ kind, operation: { id, method, path: where, scope, lifecycle, api, basis } }) =>
      `| [${id}](#${id}) | \`${method} ${where}\` | ${kind.name} | ${api} | \`${scope}\` | ${basis.source} ${basis.section} | ${lifecycle} |`,
  );
  return [
    '<!-- Generated from the operation rows in src/resources/*/operations.ts by npm run docs. -->',
    '# Operations',
    '',
    'Every operation that tenant-sync may use, as the client, the embedded tenant and this page read it from one row each.',
    'With `api: documented` only the operations of that level are used; `full` is the default.',
    '',
    'The basis of a row is a section of the service specification (documented) or of the [public facts](public-facts.md) (public).',
    'Cells that this section does not show are assumptions; they are listed with each operation.',
    '',
    '| operation | request | kind | api | scope | basis | release lifecycle |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...table,
    '',
    ...rows.flatMap(({ operation }) => section(operation)),
  ].join('\n');
}

function section(operation) {
  const shapes = [
    ['path parameters', operation.params],
    ['query', operation.query],
    ['body', operation.body],
    ['answer', operation.answer],
  ].filter(([, shape]) => shape !== undefined);
  const encodings =
    operation.body === undefined
      ? []
      : [`- body encodings: ${operation.body.encodings.map((encoding) => `\`${encoding}\``).join(', ')}`];
  const paging =
    operation.paging === undefined
      ? []
      : [
          `- paging: ${styles[operation.paging.style](operation.paging)}; items under \`${operation.paging.items}\`, told apart by ${operation.paging.identity.map((field) => `\`${field}\``).join(' and ')}`,
        ];
  const gone =
    operation.goneStatus === undefined ? [] : [`- already gone: ${operation.goneStatus}, which counts as done`];
  return [
    `## ${operation.id}`,
    '',
    `${operation.summary}: \`${operation.method} ${operation.path}\`, ${origins[operation.basis.source]} ${operation.basis.section}, api: ${operation.api}.`,
    '',
    `- scope: \`${operation.scope}\``,
    ...shapes.map(([name, { schema }]) => `- ${name}: [\`${schema}\`](../schemas/${schema.split('#')[0]})`),
    ...encodings,
    ...paging,
    `- success: ${operation.success}${operation.method === 'GET' ? '' : '; any 2xx is taken'}`,
    ...gone,
    `- assumed: ${operation.basis.assumed.length === 0 ? 'nothing' : operation.basis.assumed.join(', ')}`,
    '',
  ];
}
