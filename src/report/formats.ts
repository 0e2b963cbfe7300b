import type { Explanation } from '../model/explanation.generated.ts';
import type { DocumentType, ReportDocument } from './document.ts';
import type { ReportContext } from './render-report.ts';

export interface FormatContext extends ReportContext {
  /** Documents are one list, even if there is only one. */
  readonly isList?: boolean;
  /** Version of this program. */
  readonly version: string;
  /** What the codes mean. */
  readonly explanations: () => Promise<readonly Explanation[]>;
}

/** Writes one document, or several as one text. */
export type Renderer = (documents: readonly ReportDocument[], context: FormatContext) => string | Promise<string>;

/** One way to write results. */
export interface FormatRow {
  /** Results that it can show, besides diagnostics, in which every run may end. */
  readonly documents: readonly DocumentType[];
  /** How a file of this format starts, so that no other file is replaced; null if only its name can show it. */
  readonly start: RegExp | null;
  /** True if the form divides texts, so that a secret has to be found in the document. */
  readonly dividesTexts?: boolean;
  /** The options of every command need this table, so the renderers are imported when they are used. */
  readonly load: () => Promise<Renderer>;
}

const basic = () => import('./render-documents.ts');
const everything: readonly DocumentType[] = ['plan', 'drift', 'outcomes', 'pull'];

/** A page: the comment is how it is recognized. */
const pageStart = /^<!doctype html>\n<!-- tenant-sync -->/;

/** Every value of --format and --report. */
const formats = {
  text: { documents: everything, start: null, load: async () => (await basic()).textOf },
  json: {
    documents: everything,
    start: /^\s*(?:\[\s*)?\{\s*"format_version"/,
    load: async () => (await basic()).jsonOf,
  },
  markdown: { documents: everything, start: /^<!-- tenant-sync /, load: async () => (await basic()).markdownOf },
  html: {
    documents: everything,
    start: pageStart,
    dividesTexts: true,
    load: async () => (await import('./html/render-html.ts')).htmlOf,
  },
  sarif: {
    documents: ['plan', 'drift'],
    start: /^\s*\{\s*"\$schema":\s*"[^"]*sarif/,
    load: async () => (await import('./sarif.ts')).sarifOf,
  },
  junit: {
    documents: ['plan', 'drift', 'outcomes'],
    start: /^<\?xml[^>]*>\s*<testsuites name="tenant-sync/,
    load: async () => (await import('./junit.ts')).junitOf,
  },
  github: { documents: everything, start: null, load: async () => (await basic()).annotationsOf },
} as const satisfies Readonly<Record<string, FormatRow>>;

export type FormatName = keyof typeof formats;

export const formatNames = Object.keys(formats) as readonly FormatName[];

export function formatRow(name: FormatName): FormatRow {
  return formats[name];
}

/** True if a format can show a result. */
export function canShow(name: FormatName, type: DocumentType): boolean {
  return type === 'diagnostics' || formatRow(name).documents.includes(type);
}
