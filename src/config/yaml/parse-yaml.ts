import { isMap, isScalar, type ParsedNode } from 'yaml';
import type { SourceText } from '../../diagnostics/source-text.ts';
import { isReported, type ProblemText, type Report } from '../errors/problem.ts';
import { type Composed, composeDocument } from './compose-document.ts';
import { plainValues, type Substitution } from './plain-values.ts';
import { reportSyntaxErrors } from './syntax-errors.ts';
import type { YamlFile } from './yaml-file.ts';

const controlCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** How a file is read. */
export interface Reading {
  readonly contains: 'sections' | 'variables';
  /** Null if references stay as they are. */
  readonly substitution: Substitution | null;
}

const sectionsOnly: Reading = { contains: 'sections', substitution: null };
export const variablesOnly: Reading = { contains: 'variables', substitution: null };

/** A file as plain values and a tree; null when its errors leave nothing to continue with. */
export function parseYaml(
  source: SourceText,
  report: Report,
  { contains, substitution }: Reading = sectionsOnly,
): YamlFile | null {
  if (reportControlCharacters(source, report)) return null;
  const composed = composeDocument(source.text);
  if ('problem' in composed) return refuse(source, composed.start, composed.problem, report);
  if (reportErrors(composed, source, report)) return null;
  const { root } = composed;
  if (isEmpty(root)) return refuse(source, 0, emptyFile(contains), report);
  const { value, aliases, written } = plainValues(root, source, report, substitution);
  if (isReported(value)) return null;
  if (!isMap(root)) return refuse(source, root.range[0], notAMapping(contains), report, root.range[1]);
  // Only a mapping is read to an object.
  return { source, root, value: value as Readonly<Record<string, unknown>>, aliases, written };
}

function reportControlCharacters(source: SourceText, report: Report): boolean {
  let found = false;
  for (const match of source.text.matchAll(controlCharacters)) {
    found = true;
    const at = { source, start: match.index, end: match.index + 1 };
    if (report.countOnly?.(at)) continue;
    const name = `U+${match[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
    report({
      code: 'CONFIG_CONTROL_CHARACTER',
      message: `The control character ${name} is not allowed. Only tabs and line breaks are.`,
      hint: 'delete it, or write an escape in double quotes, such as "\\x1b"',
      at,
    });
  }
  return found;
}

/** True if the tree may be wrong. */
function reportErrors({ mistakes, version }: Composed, source: SourceText, report: Report): boolean {
  reportSyntaxErrors(mistakes, source, report);
  if (version !== null && version !== '1.2')
    refuse(source, Math.max(0, source.text.indexOf('%YAML')), otherVersion(version), report);
  return mistakes.some(({ code }) => code !== 'MULTIPLE_DOCS');
}

function isEmpty(root: ParsedNode | null): root is null {
  if (root === null) return true;
  if (isMap(root)) return root.items.length === 0;
  return (
    isScalar(root) &&
    root.type === 'PLAIN' &&
    /^(?:|~|null|Null|NULL)$/.test(String(root.value)) &&
    root.tag === undefined
  );
}

function refuse(
  source: SourceText,
  start: number,
  problem: ProblemText,
  report: Report,
  end: number = start + 1,
): null {
  report({ ...problem, at: { source, start, end } });
  return null;
}

function emptyFile(contains: Reading['contains']): ProblemText {
  return contains === 'sections'
    ? {
        code: 'CONFIG_EMPTY_FILE',
        message: 'The file is empty or has only comments. It could mean "unmanaged" or "none", so it is an error.',
        hint: 'delete the file, or add a section; an empty section is written []',
      }
    : {
        code: 'CONFIG_EMPTY_FILE',
        message: 'The variable file is empty or has only comments.',
        hint: 'delete the file, or add a variable: NAME: value',
      };
}

function notAMapping(contains: Reading['contains']): ProblemText {
  return contains === 'sections'
    ? {
        code: 'CONFIG_WRONG_TYPE',
        message: 'A file must be a mapping whose keys are sections.',
        hint: 'start the file with the key of a section, such as tenant:',
      }
    : {
        code: 'CONFIG_WRONG_TYPE',
        message: 'A variable file must be a mapping of names to values.',
        hint: 'write NAME: value, one on each line',
      };
}

function otherVersion(version: string) {
  return {
    code: 'CONFIG_YAML_SYNTAX',
    message: `The file declares YAML ${version}, but only YAML 1.2 is supported.`,
    hint: 'delete the %YAML line',
  } as const;
}
