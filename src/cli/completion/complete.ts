import { resolve } from 'node:path';
import { kindNamed } from '../../engine/kind-names.ts';
import type { AnyKind } from '../../model/kind.ts';
import type { CommandName } from '../command-options.ts';
import { commandNames, commandSummaries, formatsOfCommand, operandOf } from '../command-options.ts';
import { declaredNames } from './declared-names.ts';
import { shells } from './shells.ts';

/** What can follow on a command line. A shell knows its own way to complete folders and files. */
export interface Completions {
  readonly kind: 'words' | 'folders' | 'files';
  readonly words: readonly Word[];
}

export interface Word {
  readonly text: string;
  readonly meaning?: string | undefined;
}

/** An option of a command, as its parser knows it. */
export interface Option {
  readonly name: string;
  readonly meaning: string;
  readonly takesValue: boolean;
  readonly isRepeatable: boolean;
  readonly choices: readonly string[];
}

export interface CompletionContext {
  readonly cwd: string;
  readonly kinds: readonly AnyKind[];
  optionsOf(command: CommandName): Promise<readonly Option[]>;
  codes(): Promise<readonly Word[]>;
}

/** What the value of an option is, unless it has choices. */
export const valuesOf: Readonly<Record<string, 'selector' | 'secret' | 'report' | 'files' | 'folders' | 'text'>> = {
  only: 'selector',
  except: 'selector',
  add: 'selector',
  rotate: 'secret',
  report: 'report',
  out: 'files',
  plan: 'files',
  base: 'text',
  events: 'files',
  'var-file': 'files',
  seed: 'files',
  state: 'files',
  'state-dir': 'folders',
  folder: 'folders',
};

const nothing: Completions = { kind: 'words', words: [] };

/**
 * What can follow `words`, the words after the name of the program up to the cursor, as they are typed. Reads at most
 * the files of the tenant folder.
 */
export async function complete(words: readonly string[], context: CompletionContext): Promise<Completions> {
  const typed = words.map(unquoted);
  const current = typed.at(-1) ?? '';
  const all = await candidates(typed.slice(0, -1), current, context);
  return { ...all, words: all.words.filter(({ text }) => text.startsWith(current)) };
}

async function candidates(
  before: readonly string[],
  current: string,
  context: CompletionContext,
): Promise<Completions> {
  const [name, ...rest] = before;
  if (name === undefined)
    return wordsOf(commandNames.map((command) => ({ text: command, meaning: commandSummaries[command] })));
  const command = commandNames.find((candidate) => candidate === name);
  if (command === undefined) return nothing;
  const options = await context.optionsOf(command);
  const { operands, given, open } = parsed(rest, options);
  const folder = resolve(context.cwd, operands[0] ?? '.');
  if (open !== null) return valuesFor(open, current, { command, folder, context });
  const [, inline, value = ''] = /^--([a-z-]+)=(.*)$/s.exec(current) ?? [];
  if (inline !== undefined) {
    const option = options.find((candidate) => candidate.name === inline && candidate.takesValue);
    const values = option === undefined ? nothing : await valuesFor(option, value, { command, folder, context });
    return { ...values, words: values.words.map((word) => ({ ...word, text: `--${inline}=${word.text}` })) };
  }
  if (current.startsWith('-'))
    return wordsOf(
      options
        .filter(({ name, isRepeatable }) => isRepeatable || !given.has(name))
        .map(({ name, meaning }) => ({ text: `--${name}`, meaning })),
    );
  return operands.length > 0 && command !== 'show' ? nothing : operandWords(command, context);
}

async function operandWords(command: CommandName, context: CompletionContext): Promise<Completions> {
  if (command === 'explain') return wordsOf(await context.codes());
  if (command === 'completion') return wordsOf(shells.map((text) => ({ text })));
  if (command === 'show') return { kind: 'files', words: [] };
  return operandOf(command) === null ? nothing : { kind: 'folders', words: [] };
}

/** Words after a command: its operands, the options among them, and the option whose value comes next. */
function parsed(words: readonly string[], options: readonly Option[]) {
  const operands: string[] = [];
  const given = new Set<string>();
  let open: Option | null = null;
  for (const word of words) {
    const [, name, value] = /^--([a-z-]+)(=.*)?$/s.exec(word) ?? [];
    if (open !== null) open = null;
    else if (name === undefined) operands.push(word);
    else {
      given.add(name);
      const option = options.find((candidate) => candidate.name === name);
      if (option?.takesValue && value === undefined) open = option;
    }
  }
  return { operands, given, open };
}

interface ValueContext {
  readonly command: CommandName;
  readonly folder: string;
  readonly context: CompletionContext;
}

async function valuesFor(
  option: Option,
  current: string,
  { command, folder, context: { kinds } }: ValueContext,
): Promise<Completions> {
  if (option.choices.length > 0) return wordsOf(option.choices.map((text) => ({ text })));
  const values = valuesOf[option.name];
  if (values === 'files' || values === 'folders') return { kind: values, words: [] };
  if (values === 'report')
    return current.includes('=')
      ? { kind: 'files', words: [] }
      : wordsOf(formatsOfCommand(command).map((name) => ({ text: `${name}=` })));
  if (values === 'selector') return wordsOf(await selectors(current, folder, kinds));
  if (values === 'secret')
    return wordsOf(
      await selectors(
        current,
        folder,
        kinds.filter(({ rotation }) => rotation !== undefined),
      ),
    );
  return nothing;
}

/** Names of kinds, and below a kind the names of its items in the files. */
async function selectors(current: string, folder: string, kinds: readonly AnyKind[]): Promise<readonly Word[]> {
  const slash = current.indexOf('/');
  if (slash < 0)
    return kinds.flatMap(({ name, title }) => [
      { text: name, meaning: title },
      { text: `${name}/`, meaning: 'one item' },
    ]);
  const typed = current.slice(0, slash);
  const kind = kindNamed(typed, kinds);
  if (kind === undefined) return [];
  return (await declaredNames(folder, kind)).map((name) => ({ text: `${typed}/${name}` }));
}

function wordsOf(words: readonly Word[]): Completions {
  return { kind: 'words', words };
}

/** A word without the quotes and backslashes of a shell, so far as it is typed. */
function unquoted(word: string): string {
  const quote = /^['"]/.exec(word)?.[0];
  if (quote === undefined) return word.replaceAll(/\\(.)/gs, '$1');
  const inside = word.slice(1);
  return inside.endsWith(quote) ? inside.slice(0, -1) : inside;
}
