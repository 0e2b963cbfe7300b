import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { folderSource } from '../../config/files/folder-source.ts';
import { outlineOf } from '../../config/outline.ts';
import { nearestWord } from '../../diagnostics/near-names.ts';
import { kindNamed } from '../../engine/kind-names.ts';
import { packageFile } from '../../files/package-file.ts';
import { kinds } from '../../kinds/index.ts';
import type { AnyKind } from '../../model/kind.ts';
import { terminalText } from '../../report/escape.ts';
import { explanations } from '../../sync/explain.ts';
import { compareText } from '../../values/text-order.ts';
import { type CommandName, commandNames, commandTable } from '../command-table.ts';
import type { CommandContext } from '../context.ts';
import { exitCode, invalidOption } from '../exit-codes.ts';
import { type CommandOption, optionsOf } from '../options.ts';
import { readWords } from '../parse-arguments.ts';

/** Shells with a script in `completions/`. */
export const shells = ['bash', 'zsh', 'fish'] as const;

/** What can follow on a command line. A shell knows its own way to complete folders and files. */
export interface Completions {
  readonly kind: 'words' | 'folders' | 'files';
  readonly words: readonly Word[];
}

interface Word {
  readonly text: string;
  readonly meaning?: string;
}

const nothing: Completions = { kind: 'words', words: [] };

/** Reading names from files that takes longer, in milliseconds, is worse than none. */
const longestMs = 2_000;

/**
 * Prints the completion script of a shell. With words behind it, which only such a script passes: what can follow them,
 * as the script expects it. Then nothing is an error, because a person is typing.
 */
export async function command({ arguments: options, io, output }: CommandContext): Promise<number> {
  const [name = '', ...words] = options.operands;
  const shell = shells.find((candidate) => candidate === name);
  if (shell === undefined) throw unknownShell(name);
  if (words.length === 0) {
    output.result(await readFile(packageFile(`completions/tenant-sync.${shell}`), 'utf8'));
    return exitCode.done;
  }
  const { kind, words: found } = await complete(words, io.cwd);
  const lines = found.map(({ text, meaning }) => (meaning === undefined ? text : `${text}\t${meaning}`));
  output.result([kind, ...lines].join('\n'));
  return exitCode.done;
}

function unknownShell(name: string) {
  const near = nearestWord(name, shells);
  const message = `"${name}" has no completion script; the shells are ${shells.join(', ')}.`;
  return invalidOption(message, near === undefined ? 'use one of them' : `did you mean "${near}"?`);
}

/**
 * What can follow `words`, the words after the name of the program up to the cursor, as they are typed. Reads at most
 * the files of the tenant folder.
 */
async function complete(words: readonly string[], cwd: string): Promise<Completions> {
  const typed = words.map(unquoted);
  const current = typed.at(-1) ?? '';
  const all = await candidates(typed.slice(0, -1), current, cwd);
  return { ...all, words: all.words.filter(({ text }) => text.startsWith(current)) };
}

async function candidates(before: readonly string[], current: string, cwd: string): Promise<Completions> {
  const [name, ...rest] = before;
  if (name === undefined) return wordsOf(commandNames.map((text) => ({ text, meaning: commandTable[text].summary })));
  const command = commandNames.find((candidate) => candidate === name);
  if (command === undefined) return nothing;
  const known = optionsOf(command);
  const { operands, given } = readWords(rest, known);
  const folder = resolve(cwd, operands[0] ?? '.');
  const last = given.at(-1);
  const open = known.find((option) => option.name === last?.name && last.value === null && option.takesNext);
  if (open !== undefined) return valuesFor(open, current, command, folder);
  const [, inline, value = ''] = /^--([a-z-]+)=(.*)$/s.exec(current) ?? [];
  if (inline !== undefined) {
    const option = known.find((candidate) => candidate.name === inline);
    const values = option === undefined ? nothing : await valuesFor(option, value, command, folder);
    return { ...values, words: values.words.map((word) => ({ ...word, text: `--${inline}=${word.text}` })) };
  }
  if (current.startsWith('-')) {
    const left = known.filter(({ name, type }) => type === 'array' || given.every((one) => one.name !== name));
    return wordsOf(left.map(({ name, describe }) => ({ text: `--${name}`, meaning: describe })));
  }
  return operands.length > 0 && command !== 'show' ? nothing : operandWords(command);
}

async function operandWords(command: CommandName): Promise<Completions> {
  if (command === 'explain')
    return wordsOf((await explanations()).map(({ code, group }) => ({ text: code, meaning: group })));
  if (command === 'completion') return wordsOf(shells.map((text) => ({ text })));
  if (command === 'show') return { kind: 'files', words: [] };
  return commandTable[command].operand === null ? nothing : { kind: 'folders', words: [] };
}

async function valuesFor(
  { values, completes }: CommandOption,
  current: string,
  command: CommandName,
  folder: string,
): Promise<Completions> {
  if (values.length > 0) return wordsOf(values.map((text) => ({ text })));
  switch (completes) {
    case 'files':
    case 'folders':
      return { kind: completes, words: [] };
    case 'report':
      return current.includes('=')
        ? { kind: 'files', words: [] }
        : wordsOf(commandTable[command].formats.map((name) => ({ text: `${name}=` })));
    case 'selector':
      return wordsOf(await selectors(current, folder, kinds));
    case 'secret':
      return wordsOf(
        await selectors(
          current,
          folder,
          kinds.filter(({ rotation }) => rotation !== undefined),
        ),
      );
    default:
      return nothing;
  }
}

/** Names of kinds, and below a kind the names of its items in the files. */
async function selectors(current: string, folder: string, among: readonly AnyKind[]): Promise<readonly Word[]> {
  const slash = current.indexOf('/');
  if (slash < 0)
    return among.flatMap(({ name, title }) => [
      { text: name, meaning: title },
      { text: `${name}/`, meaning: 'one item' },
    ]);
  const typed = current.slice(0, slash);
  const kind = kindNamed(typed, among);
  if (kind === undefined) return [];
  return (await declaredNames(folder, kind)).map((name) => ({ text: `${typed}/${name}` }));
}

/**
 * Keys of the items of a kind in the files of a folder, sorted. Files with errors count as far as they can be read: a
 * person completes a command while a file is half written. Keys with references or invisible characters are left out.
 */
async function declaredNames(folder: string, kind: AnyKind): Promise<readonly string[]> {
  const files = await outlineOf(folderSource(folder), AbortSignal.timeout(longestMs)).catch(() => []);
  const names = files.flatMap(({ value }) => namesIn(value[kind.name], kind));
  return [...new Set(names)].filter((name) => terminalText(name) === name && !name.includes('${')).sort(compareText);
}

/** Sections are not validated here, so a kind may meet anything. */
function namesIn(section: unknown, kind: AnyKind): readonly string[] {
  const items = Array.isArray(section) ? section.map((item) => [item]) : [section];
  return items.flatMap((part) => {
    try {
      return kind.entries(part).map(({ key }) => key);
    } catch {
      return [];
    }
  });
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
