import { createHash } from 'node:crypto';
import { field, textField } from './forges/fields.ts';

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

/** The findings of a plan, or diagnostics, that have a place in the files. `folder` is their folder in the repository. */
export function codeQuality(document: unknown, folder: string): readonly QualityEntry[] {
  const listed = field(document, 'findings') ?? field(document, 'diagnostics');
  if (!Array.isArray(listed)) return [];
  return listed.flatMap((entry: unknown) => {
    const source = field(entry, 'source');
    const line = field(source, 'line');
    if (typeof line !== 'number') return [];
    const path = [...(folder === '.' ? [] : [folder]), textField(source, 'file')].join('/');
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
