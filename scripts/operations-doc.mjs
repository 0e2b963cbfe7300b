// docs/operations.md from the operation rows of the built kinds. `--check` fails when it is stale.
import { allKinds } from '../dist/kinds/index.cjs';
import { keepCurrent } from './generated-doc.mjs';

const styles = {
  cursor: ({ maxTake, defaultTake }) =>
    `\`next\` of a page is \`from\` of the following one; \`take\` up to ${maxTake}, default ${defaultTake}`,
  page: ({ maxTake, defaultTake }) =>
    `numbered pages; \`per_page\` up to ${maxTake}, default ${defaultTake}; the total gives the last page`,
  none: () => 'none: the response is the list',
};
const origins = { documented: 'service specification', public: 'public facts', assumed: 'assumed after public facts' };

const kinds = await allKinds();
keepCurrent('operations.md', render());

function render() {
  const operations = [...new Set(kinds.flatMap((kind) => kind.operations))];
  const usersOf = (operation) => kinds.filter((kind) => kind.operations.includes(operation)).map((kind) => kind.name);
  const table = operations.map((operation) => {
    const { id, method, path: where, scope, lifecycle, api, basis } = operation;
    return `| [${id}](#${id}) | \`${method} ${where}\` | ${usersOf(operation).join(', ')} | ${api} | \`${scope}\` | ${basis.source} ${basis.section} | ${lifecycle} |`;
  });
  return [
    '<!-- Generated from the operation rows in src/service by npm run docs. -->',
    '# Operations',
    '',
    'Every operation that tenant-sync may use. The client, the embedded tenant and this page are built from the same rows.',
    'With `api: documented` only the operations of that level are used; `full` is the default.',
    '',
    'The basis of an operation is a section of the service specification (documented) or of the [public',
    'facts](internals/public-facts.md) (public). What that section does not show is assumed, and listed with each operation.',
    '',
    '| operation | request | kinds | api | scope | basis | release lifecycle |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...table,
    '',
    ...operations.flatMap(section),
  ].join('\n');
}

function section(operation) {
  const shapes = [
    ['path parameters', operation.params],
    ['query', operation.query],
    ['body', operation.body],
    ['response', operation.response],
  ].filter(([, shape]) => shape !== undefined);
  const encodings =
    operation.body === undefined
      ? []
      : [`- body encodings: ${operation.body.encodings.map((encoding) => `\`${encoding}\``).join(', ')}`];
  const paging =
    operation.paging === undefined
      ? []
      : [
          `- paging: ${styles[operation.paging.style](operation.paging)}; ${operation.paging.items ? `items under \`${operation.paging.items}\`` : 'items'}, identified by ${operation.paging.identity.map((field) => `\`${field}\``).join(' and ')}`,
        ];
  const gone =
    operation.goneStatus === undefined ? [] : [`- already deleted: ${operation.goneStatus}, which counts as done`];
  return [
    `## ${operation.id}`,
    '',
    `${operation.summary}: \`${operation.method} ${operation.path}\`, ${origins[operation.basis.source]} ${operation.basis.section}, api: ${operation.api}.`,
    '',
    `- scope: \`${operation.scope}\``,
    ...shapes.map(([name, { schema }]) => `- ${name}: [\`${schema}\`](../schemas/${schema.split('#')[0]})`),
    ...encodings,
    ...paging,
    `- success: ${operation.success}${operation.method !== 'GET' && operation.api === 'documented' ? '; 200, 201 and 204 are accepted' : ''}`,
    ...gone,
    `- assumed: ${operation.basis.assumed.length === 0 ? 'nothing' : operation.basis.assumed.join(', ')}`,
    '',
  ];
}
