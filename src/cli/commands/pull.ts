import { join, resolve } from 'node:path';
import { failureOf } from '../../config/files/folder-source.ts';
import { didYouMean, nearestWord } from '../../diagnostics/near-names.ts';
import { problem } from '../../diagnostics/problem.ts';
import type { Pulled } from '../../engine/results.ts';
import { schemaComment } from '../../files/schema-comment.ts';
import { unfinishedIn } from '../../files/write-files.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { layersOf } from '../../model/file-source.ts';
import { pull } from '../../pull/pull.ts';
import { writePulled } from '../../pull/write-pulled.ts';
import { terminalText } from '../../report/escape.ts';
import { few, quantity } from '../../report/wording.ts';
import type { CommandContext } from '../context.ts';
import { report, runTenants, type Use } from '../each-tenant.ts';
import { startOfPaths } from '../environment.ts';
import { CommandError, exitCode, invalidOption } from '../exit-codes.ts';
import { reportBeside } from '../output.ts';
import type { Arguments } from '../parse-arguments.ts';
import { asksForSeveral, inShard, type Target, targetsOf } from '../targets.ts';

/** Prints how the files have to change to be equal to the tenant, or each of several, asks, and writes them. */
export async function command(context: CommandContext): Promise<number> {
  const { arguments: options, io, output } = context;
  const selected = inShard(await targetsOf(io, options), options.shard);
  const targets = selected.map((target) => editedTarget(target, options));
  const ended = await runTenants(context, targets, pullUse(context));
  const code = await report(context, ended);
  const pulled = ended.flatMap(({ target, result }) => (result?.status === 'pulled' ? [{ target, result }] : []));
  const files = pulled.reduce((sum, { result }) => sum + result.files.length, 0);
  if (io.signal.aborted) return code;
  if (options.check) {
    if (files > 0) output.talk('No file was written: --check only shows the differences.');
    return code;
  }
  if (files > 0 && !options.yes && !(await confirmed(context, files))) {
    reportBeside(output, [declined]);
    return exitCode.refused;
  }
  const writing = pulled.map(({ target, result }) => write(folderOf(context, target), result, target.files.at));
  const refused = (await Promise.all(writing)).flat();
  reportBeside(output, refused);
  if (files > 0 && refused.length === 0) output.talk(`Wrote ${quantity(files, 'file')}.`);
  return refused.length > 0 && code !== exitCode.failed ? exitCode.refused : code;
}

function pullUse(context: CommandContext): Use {
  const { add, fixApprovals } = context.arguments;
  return async (inputs, target) => {
    const { at = '' } = target.files;
    const folder = folderOf(context, target);
    const resume = await unfinishedIn(folder);
    const left = resume.map(terminalText).join(', ');
    if (left !== '') context.output.talk(`An earlier pull was interrupted. This one also adds what was left: ${left}`);
    const comment = (file: string) => schemaComment(join(folder, file.slice(at.length)));
    return pull({ ...inputs, add, fixApprovals, resume, comment });
  };
}

/** The folder of the files that change. */
function folderOf({ arguments: { folder }, io }: CommandContext, { files: { at = '' } }: Target): string {
  return join(resolve(io.cwd, folder), at.slice(startOfPaths(io, folder).length));
}

/** What could not be written because files changed meanwhile. */
async function write(folder: string, pulled: Pulled, at?: string): Promise<readonly Diagnostic[]> {
  const written = await writePulled(folder, pulled, at).catch((error: unknown) => {
    throw new CommandError(exitCode.failed, [unwritable(folder, error)]);
  });
  return written.status === 'refused' ? written.diagnostics : [];
}

/** Of the file system: the disk is full, or the folder is read-only. */
function unwritable(folder: string, error: unknown): Diagnostic {
  const message = `The files in ${folder} cannot be written: ${failureOf(error).detail}. Others may be written already.`;
  return problem('PULL_UNWRITABLE', message, 'free some space or correct the permissions, and pull again');
}

async function confirmed({ io }: CommandContext, files: number): Promise<boolean> {
  if (io.interactive) return io.confirm(`Write ${quantity(files, 'file')}?`);
  const message = 'The changes cannot be confirmed without a terminal, or with the output in a pipe.';
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
function editedTarget(target: Target, options: Arguments): Target {
  const { layer, fixApprovals, folder } = options;
  const { files, tenant, project } = target;
  if (tenant === null) {
    if (layer === undefined) return target;
    throw invalidOption(`${folder} is the folder of one tenant, so it has no layer "${layer}".`, 'omit --layer');
  }
  if (fixApprovals) {
    const hint = 'delete the codes where they are written, in tenant-sync.yaml or in a layer';
    throw invalidOption('--fix-approvals is for the folder of one tenant.', hint);
  }
  if (layer !== undefined && asksForSeveral(options))
    throw invalidOption(
      '--layer is about one tenant.',
      'omit it, so that each changes its last layer, or name one with --tenant',
    );
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
