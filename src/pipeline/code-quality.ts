import { createHash } from 'node:crypto';
import { annotationOf } from '../report/view/plan-view.ts';
import { headerSection } from '../report/view/sections.ts';
import { field, textField } from './fields.ts';

/** An entry of a code quality report, which GitLab shows on the lines of a merge request. */
export interface QualityEntry {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: 'info' | 'minor' | 'major';
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

const severities: Readonly<Record<string, QualityEntry['severity']>> = {
  error: 'major',
  warning: 'minor',
  note: 'info',
};

/**
 * Changed rules of a plan, and its findings or diagnostics with a place in the files. `folder` is their folder in the
 * repository.
 */
export function codeQuality(document: unknown, folder: string): readonly QualityEntry[] {
  const listed = field(document, 'findings') ?? field(document, 'diagnostics');
  if (!Array.isArray(listed)) return [];
  return [...changedRules(document), ...listed].flatMap((entry: unknown) => {
    const source = field(entry, 'source');
    const line = field(source, 'line');
    if (typeof line !== 'number') return [];
    const path =
      [folder === '.' ? '' : folder, textField(source, 'file')].filter((part) => part !== '').join('/') || '.';
    const [code, message] = [textField(entry, 'code'), textField(entry, 'message')];
    const identity = [code, path, textField(entry, 'kind'), textField(entry, 'key'), message].join('\n');
    return [
      {
        description: message,
        check_name: code,
        fingerprint: createHash('sha256').update(identity).digest('hex'),
        severity: severities[textField(entry, 'severity')] ?? 'info',
        location: { path, lines: { begin: line } },
      },
    ];
  });
}

/** What the files change about what a plan may do, as findings. */
function changedRules(document: unknown): readonly unknown[] {
  const base = (field(document, 'base') ?? null) as Parameters<typeof headerSection>[0]['base'];
  const { rows } = headerSection({ base, findings: [] }, []);
  return rows.map((row) => {
    const { kind, name, noun, source } = row;
    const annotation = annotationOf(row);
    return {
      code: `plan/${noun}`,
      kind,
      key: name,
      message: annotation?.sentence ?? name,
      severity: annotation?.level ?? 'warning',
      // A section that is new or gone is about the folder.
      source: source ?? { file: '', line: 1 },
    };
  });
}
