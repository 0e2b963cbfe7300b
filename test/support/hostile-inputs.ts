// Texts that cost a careless reader of YAML more than their size, by name. Each grows with `units`.

export interface HostileInput {
  readonly name: string;
  /** The text of a file with this many repetitions. */
  make(units: number): string;
  /** Repetitions that take a measurable time, and twice as many are not yet cut off by a limit of the file. */
  readonly units: number;
  /** True if a file of this form is valid. */
  readonly valid?: boolean;
}

const repeated = (unit: string, before = '', after = '') => ({
  make: (units: number) => before + unit.repeat(units) + after,
});
const listed = (unit: (index: number) => string, before = '', after = '') => ({
  make: (units: number) => before + Array.from({ length: units }, (_, index) => unit(index)).join('') + after,
});

export function policy(index: number, more = ''): string {
  return `  - resource: oauth_authentication_api
    consumer: client
    consumer_selector: client_id:application-${index}
    configuration:
      action: block
      limit: ${(index % 100) + 1}
${more}`;
}

const pair = (name: string) => `      - { resource_server_identifier: a, permission_name: ${name} }\n`;
const role = 'roles:\n  - id: a\n    permissions:\n';
const stream =
  'event_streams:\n  - name: a\n    destination: { type: webhook, configuration: { webhook_endpoint: "https://a.example/" } }\n    subscriptions:\n';
const screens = 'prompts:\n  login:\n    partials:\n';

/** Forms that are counted by a limit before the parser sees them, and forms that reach the end of the loader. */
export const hostileInputs: readonly HostileInput[] = [
  { name: 'policies', units: 1_000, valid: true, ...listed(policy, 'rate_limit_policies:\n') },
  { name: 'equal subscriptions', units: 5_000, valid: true, ...repeated('      - { event_type: a }\n', stream) },
  { name: 'different pairs', units: 4_000, valid: true, ...listed((index) => pair(`b${index}`), role) },
  { name: 'equal pairs', units: 4_000, ...repeated(pair('b'), role) },
  {
    name: 'pairs in both lists',
    units: 1_500,
    make: (units) => {
      const pairs = Array.from({ length: units }, (_, index) => pair(`b${index}`)).join('');
      return `${role}${pairs}    absent_permissions:\n${pairs}`;
    },
  },
  { name: 'equal policies', units: 1_000, ...repeated(policy(1), 'rate_limit_policies:\n') },
  {
    name: 'policies with an unknown field',
    units: 1_000,
    ...listed((index) => policy(index, `    colour${index}: red\n`), 'rate_limit_policies:\n'),
  },
  {
    name: 'policies with a misspelt field alone',
    units: 2_500,
    ...listed((index) => `  - consumr: ${index}\n`, 'rate_limit_policies:\n'),
  },
  { name: 'empty items', units: 10_000, ...repeated('{},', 'roles: [', ']\n') },
  { name: 'empty pairs', units: 10_000, ...repeated('{},', 'roles: [{ id: a, permissions: [', ']}]\n') },
  { name: 'unknown sections', units: 5_000, ...listed((index) => `section${index}: v\n`) },
  { name: 'unknown fields', units: 5_000, ...listed((index) => `  naem${index}: v\n`, 'tenant:\n') },
  { name: 'equal keys', units: 5_000, ...repeated('  name: v\n', 'tenant:\n') },
  {
    name: 'unknown screens',
    units: 2_500,
    valid: true,
    ...listed((index) => `      logi${index}: { form-content: x }\n`, screens),
  },
  {
    name: 'unknown insertion points',
    units: 5_000,
    valid: true,
    ...listed((index) => `        form-conten${index}: x\n`, `${screens}      login:\n`),
  },
  {
    name: 'references to missing files',
    units: 1_500,
    ...listed((index) => `        point${index}: { file: a${index}.liquid }\n`, `${screens}      login:\n`),
  },
  {
    name: 'values with missing variables',
    units: 2_500,
    ...listed((index) => `        point${index}: "\${var:NAME${index}}"\n`, `${screens}      login:\n`),
  },
  {
    name: 'values with missing environment variables',
    units: 2_500,
    ...listed((index) => `        point${index}: "\${env:TENANT_VAR_${index}}"\n`, `${screens}      login:\n`),
  },
  { name: 'secrets in files', units: 4_000, ...listed((index) => `  - password: x${index}\n`, 'event_streams:\n') },
  { name: 'open brackets after secrets', units: 10_000, ...repeated('password: [\n', 'a: [\n') },
  { name: 'references without end', units: 12_500, ...repeated('${', 'tenant:\n  name: "', '"\n') },
  { name: 'references to one variable', units: 10_000, ...repeated('${env:A}', 'tenant:\n  name: "', '"\n') },
  {
    name: 'references to missing variables',
    units: 2_500,
    ...listed((index) => `\${var:NAME${index}}`, 'tenant:\n  name: "', '"\n'),
  },
  { name: 'aliases of a list', units: 10_000, ...repeated('*a,', 'a: &a [x, x, x]\nb: [', ']\n') },
  { name: 'anchors of values', units: 5_000, ...listed((index) => `k${index}: &a${index} v\n`) },
  { name: 'tags of values', units: 5_000, ...listed((index) => `k${index}: !t v\n`) },
  { name: 'opening brackets', units: 250_000, ...repeated('[') },
  { name: 'opening braces', units: 250_000, ...repeated('{') },
  { name: 'brackets in braces', units: 125_000, ...repeated('[{a: ') },
  { name: 'closing brackets', units: 20_000, ...repeated(']') },
  { name: 'commas', units: 20_000, ...repeated(',', '[') },
  { name: 'numbers in brackets', units: 20_000, ...repeated('1,', '[', ']') },
  { name: 'anchors', units: 20_000, ...repeated('&a ') },
  { name: 'aliases', units: 20_000, ...repeated('*a ') },
  { name: 'tags', units: 20_000, ...repeated('!a ') },
  { name: 'double quotes', units: 40_000, ...repeated('"') },
  { name: 'single quotes', units: 1_000_000, ...repeated("'") },
  { name: 'quoted keys', units: 20_000, ...repeated('"a" ') },
  { name: 'dashes', units: 250_000, ...repeated('- ') },
  { name: 'question marks', units: 250_000, ...repeated('? ') },
  { name: 'colons', units: 250_000, ...repeated(': ') },
  { name: 'list items', units: 20_000, ...repeated('- a\n') },
  { name: 'carriage returns', units: 1_000_000, ...repeated('\r') },
  { name: 'line breaks', units: 45_000, ...repeated('\n') },
  { name: 'comments', units: 45_000, ...repeated('# c\n') },
  {
    name: 'indented comments after line breaks',
    units: 20_000,
    make: (units) => `a:\n  - b\n${'\n'.repeat(units)}${'   # c\n'.repeat(units)}`,
  },
  { name: 'directives', units: 45_000, ...repeated('%a\n') },
  { name: 'documents', units: 45_000, ...repeated('---\n') },
  { name: 'spaces', units: 500_000, ...repeated(' ') },
  { name: 'tabs', units: 500_000, ...repeated('\t') },
  { name: 'letters', units: 1_000_000, ...repeated('x') },
  { name: 'lines of a literal', units: 95_000, ...repeated('    x\n', 'tenant:\n  name: |\n') },
  { name: 'lines of a folded text', units: 95_000, ...repeated('    x\n', 'tenant:\n  name: >\n') },
  { name: 'lines of a plain text', units: 95_000, ...repeated('    x\n', 'tenant:\n  name: x\n') },
  { name: 'escapes', units: 100_000, ...repeated('\\u0041', 'a: "', '"\n') },
  { name: 'control characters', units: 100_000, ...repeated('\u0000') },
  {
    name: 'a deeper line each time',
    units: 60,
    make: (units) => Array.from({ length: units }, (_, index) => `${' '.repeat(index)}a:\n`).join(''),
  },
];

/** Many files, or texts that files refer to. Each grows with `units`. */
export interface HostileFolder {
  readonly name: string;
  make(units: number): Readonly<Record<string, string>>;
  readonly units: number;
  /** Files of the largest folder that the built command is run on. */
  readonly most: number;
}

const filesOf = (units: number, name: (index: number) => string, text: (index: number) => string) =>
  Object.fromEntries(Array.from({ length: units }, (_, index) => [name(index), text(index)]));
const yamlFiles = (text: (index: number) => string) => (units: number) =>
  filesOf(units, (index) => `f${index}.yaml`, text);
const textsIn = (units: number, text: (index: number) => string) => ({
  'a.yaml': `${screens}${Array.from({ length: units }, (_, index) => `      s${index}: { form-content: { file: ${text(index)} } }\n`).join('')}`,
});
const policiesOf = (file: number, count: number, more = '') =>
  `rate_limit_policies:\n${Array.from({ length: count }, (_, index) => policy(file * count + index, more)).join('')}`;

export const hostileFolders: readonly HostileFolder[] = [
  { name: 'small files', units: 500, most: 5_000, make: yamlFiles((file) => policiesOf(file, 1)) },
  { name: 'files with one error', units: 500, most: 10_000, make: yamlFiles(() => 'rolls: []\n') },
  {
    name: 'files with errors',
    units: 20,
    most: 400,
    make: yamlFiles((file) => policiesOf(file, 150, '    colour: red\n')),
  },
  { name: 'files that are not YAML', units: 500, most: 5_000, make: yamlFiles(() => 'a: [\n') },
  {
    name: 'files of values',
    units: 50,
    most: 160,
    make: yamlFiles(() => `tenant: { protect: { roles: [${'a,'.repeat(9_500)}] } }\n`),
  },
  { name: 'large files', units: 6, most: 40, make: yamlFiles(() => `a: ${'x'.repeat(2_000_000)}\n`) },
  {
    name: 'references to one text',
    units: 2_000,
    most: 40_000,
    make: (units) => ({ ...textsIn(units, () => 'a.liquid'), 'a.liquid': 'x'.repeat(3_990_000) }),
  },
  {
    name: 'references to texts',
    units: 20,
    most: 200,
    make: (units) => ({
      ...textsIn(units, (index) => `${index}.liquid`),
      ...filesOf(
        units,
        (index) => `${index}.liquid`,
        () => 'x'.repeat(1_000_000),
      ),
    }),
  },
  {
    name: 'references to missing texts',
    units: 2_000,
    most: 40_000,
    make: (units) => textsIn(units, (index) => `d${index}/a.liquid`),
  },
  {
    name: 'references to variables',
    units: 2_000,
    most: 40_000,
    make: (units) => ({
      'a.yaml': `${screens}      login:\n${Array.from({ length: units }, (_, index) => `        p${index}: "\${var:V${index}}"\n`).join('')}`,
      'vars.yaml': Array.from({ length: units }, (_, index) => `V${index}: x${index}\n`).join(''),
    }),
  },
  {
    name: 'variables that no file uses',
    units: 5_000,
    most: 90_000,
    make: (units) => ({
      'a.yaml': 'roles: []\n',
      'vars.yaml': Array.from({ length: units }, (_, index) => `V${index}: x\n`).join(''),
    }),
  },
  {
    name: 'variables that are lists',
    units: 5_000,
    most: 60_000,
    make: (units) => ({
      'a.yaml': 'roles: []\n',
      'vars.yaml': Array.from({ length: units }, (_, index) => `V${index}: [x]\n`).join(''),
    }),
  },
  {
    name: 'references to one long variable',
    units: 20,
    most: 200,
    make: (units) => ({
      ...yamlFiles((file) => `tenant:\n  name: "${file}\${var:V}"\n`)(units),
      'vars.yaml': `V: ${'x'.repeat(1_000_000)}\n`,
    }),
  },
];

/** The text with as many repetitions as fit into a file. */
export function largest({ make }: HostileInput, bytes: number): string {
  const unit = (make(2_000).length - make(1_000).length) / 1_000;
  const text = make(Math.floor((bytes - make(0).length) / (unit * 1.01)));
  return text.slice(0, bytes);
}
