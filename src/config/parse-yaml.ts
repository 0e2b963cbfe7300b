import { type Document, isMap, isScalar, type ParsedNode, parseDocument, type YAMLError } from 'yaml';
import type { FaultText } from '../diagnostics/fault-at.ts';
import type { SourceText } from '../diagnostics/source-text.ts';
import type { Report } from './fault.ts';
import { findDeepPlace } from './find-deep-place.ts';
import { plainValues } from './plain-values.ts';
import type { Substitution } from './substitution.ts';
import { reportSyntaxFaults } from './syntax-faults.ts';
import { isTold } from './told-faults.ts';
import { deepestNesting, tooDeep } from './yaml-faults.ts';
import type { YamlFile } from './yaml-file.ts';

// The schema with no types at all: read-plain-scalar.ts says what a text without quotes means.
const options = {
  version: '1.2',
  schema: 'failsafe',
  strict: true,
  uniqueKeys: false,
  merge: false,
  resolveKnownTags: false,
  prettyErrors: false,
  keepSourceTokens: false,
  logLevel: 'error',
} as const;
const controlCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
const mostTold = 20;

/** What a file is read as. */
export interface Reading {
  readonly holds: 'sections' | 'variables';
  /** Null where references stay as they are. */
  readonly substitution: Substitution | null;
}

const sectionsOnly: Reading = { holds: 'sections', substitution: null };
export const variablesOnly: Reading = { holds: 'variables', substitution: null };

/** A file as plain values and a tree; null when its faults leave nothing to go on with. */
export function parseYaml(
  source: SourceText,
  report: Report,
  { holds, substitution }: Reading = sectionsOnly,
): YamlFile | null {
  if (reportControlCharacters(source, report)) return null;
  const document = parse(source, report);
  if (document === null || reportErrors(document, source, report)) return null;
  const root: ParsedNode | null = document.contents;
  if (isEmpty(root)) return refuse(source, 0, emptyFile(holds), report);
  const { value, aliases, written } = plainValues(root, source, report, substitution);
  if (isTold(value)) return null;
  if (!isMap(root)) return refuse(source, root.range[0], notAMapping(holds), report, root.range[1]);
  // Only a mapping is read to an object.
  return { source, root, value: value as Readonly<Record<string, unknown>>, aliases, written };
}

function reportControlCharacters(source: SourceText, report: Report): boolean {
  let told = 0;
  for (const match of source.text.matchAll(controlCharacters)) {
    if (++told > mostTold) break;
    const name = `U+${match[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
    report({
      code: 'CONFIG_CONTROL_CHARACTER',
      message: `The control character ${name} stands in the file; besides line breaks and tabs none may.`,
      hint: 'remove it; in text between double quotes an escape such as \\x1b can be written instead',
      at: { source, start: match.index, end: match.index + 1 },
    });
  }
  return told > 0;
}

function parse(source: SourceText, report: Report): Document.Parsed | null {
  try {
    return parseDocument(source.text, options);
  } catch (error) {
    // The parser recurses, and throws this alone.
    if (!(error instanceof RangeError)) throw error;
    return refuse(source, findDeepPlace(source.text, deepestNesting), tooDeep(), report);
  }
}

/** True when the tree cannot be trusted. */
function reportErrors(document: Document.Parsed, source: SourceText, report: Report): boolean {
  // A stack that ran out left a tree that ends early and errors that follow from it. The walk finds the place.
  if (document.errors.some((error) => error.code === 'RESOURCE_EXHAUSTION')) return false;
  const warnings: YAMLError[] = document.warnings.filter(
    (warning) => warning.code !== 'TAG_RESOLVE_FAILED' && warning.code !== 'BAD_COLLECTION_TYPE',
  );
  reportSyntaxFaults([...document.errors, ...warnings], source, report);
  if (document.directives.yaml.explicit === true && document.directives.yaml.version !== '1.2') {
    refuse(source, Math.max(0, source.text.indexOf('%YAML')), otherVersion(document.directives.yaml.version), report);
  }
  return [...document.errors, ...warnings].some((error) => error.code !== 'MULTIPLE_DOCS');
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
  fault: Parameters<Report>[0],
  report: Report,
  end: number = start + 1,
): null {
  report({ ...fault, at: { source, start, end } });
  return null;
}

function emptyFile(holds: Reading['holds']): FaultText {
  return holds === 'sections'
    ? {
        code: 'CONFIG_EMPTY_FILE',
        message:
          'This file says nothing: it is empty or holds comments only. An empty file could mean "unmanaged" or "none".',
        hint: 'remove the file, or write a section, such as rate_limit_policies: [] for none',
      }
    : {
        code: 'CONFIG_EMPTY_FILE',
        message: 'This file of variables is empty or holds comments only.',
        hint: 'remove the file, or write a variable, such as SUPPORT_ROLE: rol_a1b2c3',
      };
}

function notAMapping(holds: Reading['holds']): FaultText {
  return holds === 'sections'
    ? {
        code: 'CONFIG_WRONG_TYPE',
        message: 'A file must be a mapping of sections, such as tenant or rate_limit_policies.',
        hint: 'put the key of a section before the value',
      }
    : {
        code: 'CONFIG_WRONG_TYPE',
        message: 'A file of variables must be a mapping of names to values.',
        hint: 'put a name and a colon before each value',
      };
}

function otherVersion(version: string) {
  return {
    code: 'CONFIG_YAML_SYNTAX',
    message: `The file asks for YAML ${version}; files are read as YAML 1.2.`,
    hint: 'remove the %YAML line',
  } as const;
}
