import { readFile } from 'node:fs/promises';
import { printYaml } from '../../edit/print-yaml.ts';
import { packageFile } from '../../files/package-file.ts';
import { kinds } from '../../kinds/index.ts';

/** A file to write where there is none. The path is relative to the repository and has forward slashes. */
export interface StartingFile {
  readonly path: string;
  readonly text: string;
}

const deletedUnlessListed = kinds.filter(({ undeclared }) => undeclared === 'delete').map(({ name }) => name);

/** The header of the files. `folder` is relative to the repository; '' is the repository itself. */
export function headerFile(
  folder: string,
  schemaComment: string,
  { name, baseUrl }: { readonly name: string; readonly baseUrl: string },
): StartingFile {
  const lines = [
    schemaComment,
    '# The tenant that the files of this folder belong to. Every command that connects to a tenant refuses to run if',
    '# base_url differs from TENANT_SYNC_BASE_URL.',
    printYaml({ tenant: { name, base_url: baseUrl } }).trimEnd(),
    '  # Live items that a section does not list: delete, report or ignore.',
    `  # undeclared: { ${deletedUnlessListed.map((kind) => `${kind}: report`).join(', ')} }`,
    '',
  ];
  return { path: folder === '' ? 'tenant.yaml' : `${folder}/tenant.yaml`, text: lines.join('\n') };
}

/** Settings for editors, and what git ignores. None of it comes from input. */
export const settingsFiles: readonly StartingFile[] = [
  {
    path: '.editorconfig',
    text: [
      '[*.{yaml,yml}]',
      'charset = utf-8',
      'end_of_line = lf',
      'indent_style = space',
      'indent_size = 2',
      'insert_final_newline = true',
      '',
    ].join('\n'),
  },
  {
    path: '.vscode/settings.json',
    text: json({ '[yaml]': { 'editor.insertSpaces': true, 'editor.tabSize': 2 }, 'redhat.telemetry.enabled': false }),
  },
  // The extension that reads the schema comments.
  { path: '.vscode/extensions.json', text: json({ recommendations: ['redhat.vscode-yaml'] }) },
  { path: '.gitignore', text: 'node_modules/\n' },
];

const workflows = ['plan', 'apply', 'drift'];

export interface Workflows {
  /** The tenant folder, relative to the repository; '' is the repository itself. */
  readonly folder: string;
  /** Of letters, digits, dots, hyphens and underscores: in an expression of the forge, others would be a command. */
  readonly name: string;
  /** The branch of merges. */
  readonly branch: string;
  /** The waves of a project, in order; none for the folder of one tenant. */
  readonly waves: readonly number[];
}

/**
 * The example workflows, for this folder. Their commands stay as they are: the folder is the value of a variable, and a
 * pattern of paths. Workflows, jobs and queues are named after the tenant, so that those of another one do not collide.
 */
export async function workflowFiles({ folder, name, branch, waves }: Workflows): Promise<readonly StartingFile[]> {
  const text = async (file: string) => readFile(packageFile(`examples/github-actions/${file}.yml`), 'utf8');
  return Promise.all(
    workflows.map(async (file) => ({
      path: `.github/workflows/tenant-${file}.yml`,
      text: forProject(await text(file), waves)
        .replace(/^ {2}TENANT_FOLDER: tenant$/m, () => folderLine(folder))
        .replace('"tenant/**"', () => (folder === '' ? '"**"' : `"${folder}/**"`))
        .replace('branches: [main]', `branches: [${branch}]`)
        .replace(/^name: .*$/m, `$& (${name})`)
        .replace(/^ {2}group: tenant-\w+/m, `$&-${name}`)
        .replace('the check "tenant"', `the check "${requiredCheck(name)}"`)
        .replace(/\njobs:\n.*/s, (jobs) => jobs.replace(/^ {2}([\w-]+):$/gm, `$&\n    name: $1 (${name})`)),
    })),
  );
}

/** One secret has the credentials of all tenants, and each of several waves has a job and an environment. */
function forProject(text: string, waves: readonly number[]): string {
  if (waves.length === 0) return text;
  const forAll = text
    .replace(
      /^ {8}env:\n(?: {10}TENANT_SYNC_.*\n)+ {8}with:\n/gm,
      '        with:\n          credentials: ${{ secrets.TENANT_CREDENTIALS }}\n',
    )
    .replace(
      /^ {4}inputs:\n/m,
      '$&      tenant:\n        description: "These tenants alone, such as acme-dev or acme-*"\n',
    )
    .replace(/^ {10}only: .*\n/m, '$&          tenant: ${{ inputs.tenant }}\n')
    .replace(/^# - The state before .*\n/m, '# - The saved plans, the artifact tenant-plan, have the values before.\n')
    .split(/(?=^ {6}- )/m)
    .filter((step) => !/step: backup|name: tenant-before/.test(step))
    .join('');
  return waves.length === 1 ? forAll : inWaves(forAll, waves);
}

/** The job that applies, once for each wave. */
function inWaves(text: string, waves: readonly number[]): string {
  const jobs = waves.map((wave) => `apply-${wave}`);
  const needs = (names: readonly string[]) => `needs: [${['plan', ...names].join(', ')}]`;
  return text
    .replace(/^( +)digest: \$\{\{ steps.*\n/m, '$&$1waves: ${{ steps.plan.outputs.waves }}\n')
    .replace('needs: [plan, apply]', needs(jobs))
    .replace('tenant-{plan,apply}', `tenant-{${['plan', ...jobs].join(',')}}`)
    .replace(/^ {2}apply:\n.*(?=^ {2}publish:)/ms, (job) =>
      waves
        .map((wave, index) =>
          job
            .replace('apply:', `apply-${wave}:`)
            .replace('needs: plan', needs(jobs.slice(0, index)))
            .replace(/if: needs.*/, `if: contains(needs.plan.outputs.waves, ' ${wave} ') && !failure() && !cancelled()`)
            .replace('environment: tenant-write', `$&-${wave}`)
            .replace('name: tenant-apply', `$&-${wave}`)
            .replace(/tenant-sync\/apply(?=\.)/g, `$&-${wave}`)
            .replace(/^( +)step: apply\n/m, `$&$1wave: ${wave}\n`),
        )
        .join(''),
    );
}

/** What the workflows need of the forge. */
export function environmentsOf(waves: readonly number[]): readonly string[] {
  return ['tenant-read', ...(waves.length > 1 ? waves.map((wave) => `tenant-write-${wave}`) : ['tenant-write'])];
}

export function requiredCheck(name: string): string {
  return `tenant (${name})`;
}

function folderLine(folder: string): string {
  return `  ${printYaml({ TENANT_FOLDER: folder === '' ? '.' : folder }).trimEnd()}`;
}

/** True for a folder that a pattern of paths can name as it is. */
export function isPlainFolder(folder: string): boolean {
  return folder === '' || folder.split('/').every(isPlainName);
}

export function isPlainName(name: string): boolean {
  return /^\w[\w.-]*$/.test(name);
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
