// Generated files: sections with right and wrong fields, written as block YAML, flow YAML or JSON, and then damaged.

type Value = string | number | boolean | null | readonly Value[] | Mapping;
/** Pairs, so that a key can be there twice. */
interface Mapping {
  readonly pairs: readonly (readonly [key: string, value: Value])[];
}

const words = [
  'a',
  'default',
  'client',
  'oauth_authentication_api',
  'client_id:app',
  'block',
  'allow',
  'redirect',
  'full',
  'documented',
  'https://a.example/',
  'user.created',
  'webhook',
  '<b>text</b>\nmore\n',
  '${env:TENANT_VAR_A}',
  '${var:A}',
  '$${',
  '${',
  'yes',
  '010',
  '1e3',
  '~',
  '',
  ' ',
  'ä\u2028\u{1f600}',
  '- a',
  '*a',
  '&a b',
  '#',
  "it's",
  '"',
  'a: b',
];
const keys = [
  'tenant',
  'name',
  'api',
  'base_url',
  'protect',
  'guards',
  'undeclared',
  'rate_limit_policies',
  'resource',
  'consumer',
  'consumer_selector',
  'configuration',
  'action',
  'limit',
  'redirect_uri',
  'roles',
  'id',
  'permissions',
  'absent_permissions',
  'resource_server_identifier',
  'permission_name',
  'prompts',
  'login',
  'partials',
  'form-content',
  'file',
  'event_streams',
  'subscriptions',
  'event_type',
  'destination',
  'type',
  'password',
  'limt',
  '<<',
  '1',
  'on',
  '__proto__',
  'constructor',
  'toString',
];
/** `marks` are written before some values: anchors, tags, or nothing. */
type Write = (value: Value, marks: () => string) => string;

const isMapping = (value: Value): value is Mapping => typeof value === 'object' && value !== null && 'pairs' in value;

const writeJson: Write = (value, marks) => {
  if (isMapping(value))
    return `{${value.pairs.map(([name, member]) => `${JSON.stringify(name)}:${writeJson(member, marks)}`).join(',')}}`;
  return Array.isArray(value) ? `[${value.map((item) => writeJson(item, marks)).join(',')}]` : JSON.stringify(value);
};

const bare = (text: string) => (/^[\w<$~*&# -][\w.:/${}<>*&# -]*$/.test(text) ? text : JSON.stringify(text));
const writeScalar = (value: Value) => (typeof value === 'string' ? bare(value) : JSON.stringify(value));

const writeFlow: Write = (value, marks) => {
  if (isMapping(value))
    return `${marks()}{ ${value.pairs.map(([name, member]) => `${bare(name)}: ${writeFlow(member, marks)}`).join(', ')} }`;
  if (Array.isArray(value)) return `${marks()}[${value.map((item) => writeFlow(item, marks)).join(', ')}]`;
  return marks() + writeScalar(value);
};

const writeBlock: Write = (value, marks) => {
  const write = (inner: Value, indent: string): string => {
    if (isMapping(inner) && inner.pairs.length > 0)
      return inner.pairs.map(([name, member]) => `${indent}${bare(name)}:${below(member, indent)}`).join('');
    if (Array.isArray(inner) && inner.length > 0)
      return inner.map((item: Value) => `${indent}-${below(item, indent)}`).join('');
    return `${indent}${writeFlow(inner, marks)}\n`;
  };
  const below = (inner: Value, indent: string): string => {
    const isFlat = (isMapping(inner) ? inner.pairs : Array.isArray(inner) ? inner : []).length === 0;
    if (typeof inner === 'string' && inner.includes('\n') && !/[^\x20-\x7e\n]/.test(inner))
      return ` |\n${inner.replace(/^/gm, `${indent}  `)}\n`;
    return isFlat ? ` ${writeFlow(inner, marks)}\n` : ` ${marks()}\n${write(inner, `${indent}  `)}`;
  };
  return write(value, '');
};

/** Texts that mean something to a parser of YAML, or to this tool. */
export const yamlPieces = [
  '',
  '\n',
  ' ',
  '  ',
  '\t',
  '- ',
  ': ',
  ':',
  '? ',
  '[',
  ']',
  '{',
  '}',
  ',',
  '"',
  "'",
  '|\n',
  '>-\n',
  '&a ',
  '*a',
  '!t ',
  '#',
  '---\n',
  '\\',
  '\r',
  '\u0000',
  '\ufeff',
  '${',
  '\ud800',
];

/** Choices of one file, the same for the same number. */
export function openChoices(number: number, seed: number) {
  let state = (seed * 2_654_435_761 + number * 40_503) >>> 0;
  const next = () => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    chance: (share: number) => next() < share,
    of: <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item,
    some: <Item>(most: number, make: () => Item): Item[] => Array.from({ length: below(most + 1) }, make),
  };
}

type Choices = ReturnType<typeof openChoices>;

function anyValue(choices: Choices, depth = 0): Value {
  const { below, chance, of, some } = choices;
  if (depth < 3 && chance(0.25)) return { pairs: some(3, () => [of(keys), anyValue(choices, depth + 1)] as const) };
  if (depth < 3 && chance(0.2)) return some(3, () => anyValue(choices, depth + 1));
  if (chance(0.6)) return of(words);
  if (chance(0.5)) return below(20_000) - 2;
  if (chance(0.3)) return some(8, () => String.fromCodePoint(chance(0.1) ? 0x1f600 : below(0x2100))).join('');
  return chance(0.7) ? chance(0.5) : null;
}

const pairsOf = (...pairs: Mapping['pairs'][number][]): Mapping => ({ pairs });
const plainWords = ['a', 'default', 'client_id:app', 'read:orders', 'https://a.example/', '<b>text</b>\nmore\n'];

/** A file of sections that are valid, or nearly; with `wild` fields, anything may be anywhere. */
function anyFile(choices: Choices): Mapping {
  const { below, chance, of, some } = choices;
  const wild = chance(0.5) ? 0 : 0.2;
  const text = () => (chance(wild) ? anyValue(choices) : of(chance(wild) ? words : plainWords));
  const others = () => (chance(wild) ? [[of(keys), anyValue(choices)] as const] : []);
  const pair = () => pairsOf(['resource_server_identifier', text()], ['permission_name', text()], ...others());
  const action = () =>
    pairsOf(['action', 'block'], ['limit', chance(wild) ? anyValue(choices) : below(100)], ...others());
  const sections: (() => Mapping['pairs'][number])[] = [
    () => ['tenant', pairsOf(['name', text()], ...others())],
    () => [
      'rate_limit_policies',
      some(3, () =>
        pairsOf(
          ['resource', 'oauth_authentication_api'],
          ['consumer', 'client'],
          ['consumer_selector', text()],
          ['configuration', action()],
          ...others(),
        ),
      ),
    ],
    () => ['roles', some(3, () => pairsOf(['id', text()], ['permissions', some(3, pair)], ...others()))],
    () => ['prompts', pairsOf(['login', pairsOf(['partials', pairsOf(['login', pairsOf(['form-content', text()])])])])],
    () => [of(keys), anyValue(choices)],
  ];
  const count = chance(wild) ? sections.length : sections.length - 1;
  return { pairs: [sections[below(count)], sections[below(count)]].map((section) => section?.() ?? ['a', 'b']) };
}

export interface Generated {
  readonly written: string;
  readonly isJson: boolean;
}

export function anyText(choices: Choices): Generated {
  const { below, chance, of } = choices;
  const write = of([writeJson, writeFlow, writeBlock]);
  const marks = chance(0.3) ? ['', '', '', '&a ', '&b ', '!t '] : [''];
  let written = write(anyFile(choices), () => of(marks)).replaceAll('\n', chance(0.2) ? '\r\n' : '\n');
  const edits = chance(0.5) ? 0 : 1 + below(4);
  for (let edit = 0; edit < edits; edit += 1) {
    const start = below(written.length + 1);
    written = written.slice(0, start) + of(yamlPieces) + written.slice(start + below(7));
  }
  return { written, isJson: write === writeJson && edits === 0 };
}
