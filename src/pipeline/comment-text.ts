import { markdownCode } from '../report/escape.ts';

/** What a comment or an issue is about. The first line identifies it for later updates. */
export interface CommentText {
  readonly kind: 'plan' | 'apply' | 'drift';
  readonly folder: string;
  /** Markdown that the tool wrote. */
  readonly text: string;
  readonly commit: string;
  /** The page of the run. */
  readonly url: string;
  /** Further lines at the end. */
  readonly notes?: readonly string[];
}

export function markerOf(kind: CommentText['kind'], folder: string): string {
  // Two hyphens would end a comment of HTML.
  return `<!-- tenant-sync pipeline ${kind} ${encodeURIComponent(folder).replaceAll('-', '%2D')} -->`;
}

/** The complete text. Reports of the tool fit; a longer text is replaced, never cut. */
export function commentText({ kind, folder, text, commit, url, notes = [] }: CommentText, longest: number): string {
  const compose = (body: string) => {
    const foot = `Folder ${markdownCode(folder)}, commit ${commit.slice(0, 12)} · [run](${url})`;
    return [markerOf(kind, folder), body.trimEnd(), '', ...notes.flatMap((note) => [note, '']), foot, ''].join('\n');
  };
  const complete = compose(text);
  if (complete.length <= longest) return complete;
  const size = text.length.toLocaleString('en-US');
  return compose(`The report has ${size} characters, more than a comment takes. The run has it as an artifact.`);
}
