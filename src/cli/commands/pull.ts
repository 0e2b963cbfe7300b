import { join, resolve } from 'node:path';
import { failureOf } from '../../config/files/folder-source.ts';
import { didYouMean, nearestWord } from '../../diagnostics/near-names.ts';
import { problem } from '../../diagnostics/problem.ts';
import { schemaComment } from '../../files/schema-comment.ts';
import { unfinishedIn } from '../../files/write-files.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { layersOf } from '../../model/file-source.ts';
import { hasDrift } from '../../plan/summary.ts';
import { pull } from '../../pull/pull.ts';
import { writePulled } from '../../pull/write-pulled.ts';
import { terminalText } from '../../report/escape.ts';
import { quantity } from '../../report/wording.ts';
import type { CommandContext } from '../context.ts';
import { CommandError, exitCode, exitCodeOf, invalidOption } from '../exit-codes.ts';
import { reportBeside } from '../output.ts';
import type { Arguments } from '../parse-arguments.ts';
import { printDocuments, reportEnd } from '../print-document.ts';
import { readOptions } from '../run-options.ts';
import { startOfPaths } from '../shown-folder.ts';
import { few, type Target, targetOf } from '../targets.ts';
import { watch } from '../watch.ts';

/** Prints how the files have to change to be equal to the tenant, asks, and writes them. */
export async function command(context: CommandContext): Promise<number> {
  const { arguments: options, io, output } = context;
  const { add, fixApprovals } = options;
  const project = resolve(io.cwd, options.folder);
  const target = editedTarget(await targetOf(io, options), options);
  const { at = '' } = target.files;
  const folder = join(project, at.slice(startOfPaths(io, options.folder).length));
  const inputs = await readOptions(io, options, [], null, target);
  const resume = await unfinishedIn(folder);
  if (resume.length > 0)
    output.talk(
      `An earlier pull was interrupted. This one also adds what was left: ${resume.map(terminalText).join(', ')}`,
    );
  const comment = (file: string) => schemaComment(join(folder, file.slice(at.length)));
  const result = await watch(context, (onEvent) =>
    pull({ ...inputs, add, fixApprovals, resume, comment, onEvent, onSecret: output.hide }),
  );
  if (result.status !== 'pulled') return reportEnd(context, result);
  await printDocuments(context, [{ type: 'pull', pull: { ...result, tenant: result.plan.tenant } }]);
  reportBeside(output, result.warnings);
  const code = exitCodeOf(result);
  // What stays as it is in the files differs as well.
  const differs = result.files.length > 0 || hasDrift(result.plan);
  if (options.check) {
    if (result.files.length > 0) output.talk('No file was written: --check only shows the differences.');
    return code === exitCode.done && differs ? exitCode.difference : code;
  }
  if (result.files.length === 0) {
    if (resume.length > 0) await writePulled(folder, result, at);
    return code;
  }
  if (!options.yes && !(await confirmed(context, result.files.length))) {
    reportBeside(output, [declined]);
    return exitCode.refused;
  }
  const written = await writePulled(folder, result, at).catch((error: unknown) => {
    throw new CommandError(exitCode.failed, [unwritable(folder, error)]);
  });
  if (written.status === 'refused') {
    reportBeside(output, written.diagnostics);
    return exitCode.refused;
  }
  output.talk(`Wrote ${quantity(result.files.length, 'file')}.`);
  return code;
}

/** Of the file system: the disk is full, or the folder is read-only. */
function unwritable(folder: string, error: unknown): Diagnostic {
  const message = `The files in ${folder} cannot be written: ${failureOf(error).detail}. Others may be written already.`;
  return problem('PULL_UNWRITABLE', message, 'free some space or correct the permissions, and pull again');
}

async function confirmed({ io }: CommandContext, files: number): Promise<boolean> {
  if (io.interactive) return io.confirm(`Write ${quantity(files, 'file')}?`);
  const message = 'The changes cannot be confirmed without a terminal.';
  const hint = 'use --yes to write without confirmation, or --check to only show the differences';
  throw invalidOption(message, hint);
}

const declined = problem(
  'CONFIRMATION_DECLINED',
  'The changes were not confirmed, so nothing was written.',
  'rerun pull to confirm them',
);

/**
 * The target with the place of its new files in the layer of --layer, or in its last one if no other tenant has that.
 * Throws a CommandError.
 */
function editedTarget(target: Target, { layer, fixApprovals, folder }: Arguments): Target {
  const { files, tenant, project } = target;
  if (tenant === null) {
    if (layer === undefined) return target;
    throw invalidOption(`${folder} is the folder of one tenant, so it has no layer "${layer}".`, 'omit --layer');
  }
  if (fixApprovals) {
    const hint = 'delete the codes where they are written, in tenant-sync.yaml or in a layer';
    throw invalidOption('--fix-approvals is for the folder of one tenant.', hint);
  }
  const name = layer ?? tenant.layers.at(-1) ?? '';
  const edited = layersOf(files)[tenant.layers.indexOf(name)];
  if (edited === undefined) {
    const hint = didYouMean(nearestWord(name, tenant.layers)) ?? `its layers are ${few(tenant.layers)}`;
    throw invalidOption(`--layer ${name} is not a layer of ${tenant.name}.`, hint);
  }
  const others = (project?.tenants ?? []).filter((one) => one !== tenant && one.layers.includes(name));
  if (layer === undefined && others.length > 0) {
    const message = `The last layer of ${tenant.name}, "${name}", is also a layer of ${few(others.map((one) => one.name))}.`;
    const hint = `add --layer ${name} to change it for all of them, or another layer of ${tenant.name}`;
    throw invalidOption(message, hint);
  }
  return { ...target, files: { ...files, at: edited.at ?? '' } };
}
