import { kinds } from '../kinds/index.ts';
import type { ReportContext } from '../report/render-report.ts';
import type { CommandContext } from './io.ts';
import { folderInRepository } from './report-end.ts';

/** What reports need besides their data. */
export function reportContext({ io, output, arguments: { folder } }: CommandContext): ReportContext {
  return { style: output.resultStyle, kinds, folder: folderInRepository(io, folder) };
}
