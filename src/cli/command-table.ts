import type { DocumentType } from '../report/document.ts';
import { canShow, type FormatName, formatNames } from '../report/formats.ts';

/** What a command takes besides its options. */
export interface Operand {
  readonly shown: string;
  readonly isRequired: boolean;
  /** For messages: the command takes …; null if it takes more than one. */
  readonly limit: string | null;
}

export interface CommandRow {
  readonly summary: string;
  /** Null for a command that takes options alone. */
  readonly operand: Operand | null;
  /** Values of --format and --report; none for a command without these options. */
  readonly formats: readonly FormatName[];
}

const folder: Operand = { shown: '[folder]', isRequired: false, limit: 'only one folder' };

/** The commands, in the order of the help. */
const table = {
  init: { summary: 'Prepare a repository: header, editor settings, workflows', operand: folder, formats: [] },
  pull: {
    summary: 'Write the tenant into the files, or what changed on it',
    operand: folder,
    formats: formatsFor('pull'),
  },
  validate: { summary: 'Check the files offline', operand: folder, formats: formatsFor('diagnostics') },
  plan: {
    summary: 'Print what apply would do, without changing anything',
    operand: folder,
    formats: formatsFor('plan'),
  },
  apply: {
    summary: 'Print the plan, ask for confirmation, and perform it',
    operand: folder,
    formats: formatsFor('outcomes'),
  },
  drift: { summary: 'Print how the tenant differs from the files', operand: folder, formats: formatsFor('drift') },
  show: {
    summary: 'Render saved plans and outcomes, offline',
    operand: { shown: '<file...>', isRequired: true, limit: null },
    formats: formatsFor('plan', 'outcomes'),
  },
  explain: {
    summary: 'Print what a code means and what to do',
    operand: { shown: '<code>', isRequired: true, limit: 'only one code' },
    formats: ['text', 'json'],
  },
  completion: {
    summary: 'Print the completion script of a shell: bash, zsh or fish',
    // A script passes the words of a command line behind it.
    operand: { shown: '<shell>', isRequired: true, limit: null },
    formats: [],
  },
  serve: { summary: 'Run the embedded tenant on loopback', operand: null, formats: [] },
  demo: { summary: 'Take a tour on the embedded tenant', operand: null, formats: [] },
} satisfies Readonly<Record<string, CommandRow>>;

export type CommandName = keyof typeof table;

export const commandTable: Readonly<Record<CommandName, CommandRow>> = table;

export const commandNames = Object.keys(table) as readonly CommandName[];

function formatsFor(...results: readonly DocumentType[]): readonly FormatName[] {
  return formatNames.filter((name) => results.some((type) => canShow(name, type)));
}
