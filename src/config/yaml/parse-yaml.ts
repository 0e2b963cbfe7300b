import { isMap, isScalar, type ParsedNode } from 'yaml';
import type { SourceText } from '../../diagnostics/source-text.ts';
import { isReported, type ProblemText, type Report } from '../errors/problem.ts';
import { type Composed, composeDocument } from './compose-document.ts';
import { layoutProblem } from './layout-problem.ts';
import { plainValues, type Substitution } from './plain-values.ts';
import type { YamlFile } from './yaml-file.ts';
import * as problems from './yaml-problems.ts';

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
  if (reportMistakes(composed, source, report)) return null;
  const { root } = composed;
  if (isEmpty(root))
    return refuse(source, 0, contains === 'sections' ? problems.emptyFile : problems.emptyVariableFile, report);
  const { value, ...rest } = plainValues(root, source, report, substitution);
  if (isReported(value)) return null;
  if (!isMap(root)) return refuse(source, root.range[0], problems.notAMapping, report, root.range[1]);
  // Only a mapping is read to an object.
  return { source, root, value: value as Readonly<Record<string, unknown>>, ...rest };
}

function reportControlCharacters(source: SourceText, report: Report): boolean {
  let found = false;
  for (const match of source.text.matchAll(controlCharacters)) {
    found = true;
    const at = { source, start: match.index, end: match.index + 1 };
    report({ at, make: () => problems.controlCharacter(match[0]) });
  }
  return found;
}

/** Reports the first mistake: most others follow from it. True if the tree may be wrong. */
function reportMistakes({ mistakes, version }: Composed, source: SourceText, report: Report): boolean {
  const [first] = mistakes;
  if (first !== undefined) {
    const start = Math.min(first.start, source.text.length);
    // Inside brackets a brace ends a text without quotes, so `{ limit: ${env:LIMIT} }` breaks at the reference.
    const isReference = start > 0 && source.text.startsWith('${', start - 1);
    const layout = isReference ? null : layoutProblem(mistakes, source);
    const problem = isReference ? problems.bareReference : problems.syntaxProblem(first.code);
    report(layout ?? { ...problem, at: { source, start, end: Math.max(start + 1, first.end) } });
  }
  if (version !== null && version !== '1.2')
    refuse(source, Math.max(0, source.text.indexOf('%YAML')), problems.otherVersion(version), report);
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
