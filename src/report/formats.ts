import type { Renderer } from './document.ts';

/** One way to write results. */
export interface FormatRow {
  /** How a file of this format that this program has written starts, so that no other file is replaced. */
  readonly start: RegExp;
  /** The first line of a file, for formats that show no other sign of who wrote it. */
  readonly mark?: string;
  /** The options of every command need this table, so the renderers are imported when they are used. */
  readonly load: () => Promise<Renderer>;
}

const basic = () => import('./render-report.ts');

/** How every saved plan starts. Other programs write `format_version` first as well. */
export const planStart = /^\s*\{\s*"format_version":\s*"[^"]*",\s*"tool":\s*\{\s*"name":\s*"tenant-sync"/;
/** What follows the version in plans, outcomes, pulls and diagnostics. */
const documentStart =
  /^\s*(?:\[\s*)?\{\s*"format_version":\s*"[^"]*",\s*"(?:tool":\s*\{\s*"name":\s*"tenant-sync"|plan":\s*\{\s*"format_version"|tenant":\s*\{\s*"name"|(?:diagnostics|tenants)":\s*\[)/;

/** Every value of --format and --report. */
const formats = {
  text: {
    start: /^tenant-sync text report\n/,
    mark: 'tenant-sync text report\n',
    load: async () => (await basic()).textOf,
  },
  json: {
    start: documentStart,
    load: async () => (await basic()).jsonOf,
  },
  markdown: { start: /^<!-- tenant-sync /, load: async () => (await basic()).markdownOf },
  html: {
    start: /^<!doctype html>\n<!-- tenant-sync -->/,
    load: async () => (await import('./html/render-html.ts')).htmlOf,
  },
  github: {
    start: /^tenant-sync annotations\n/,
    mark: 'tenant-sync annotations\n',
    load: async () => (await basic()).annotationsOf,
  },
} as const satisfies Readonly<Record<string, FormatRow>>;

export type FormatName = keyof typeof formats;

export const formatNames = Object.keys(formats) as readonly FormatName[];

export function formatRow(name: FormatName): FormatRow {
  return formats[name];
}
