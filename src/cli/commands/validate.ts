import { setImmediate } from 'node:timers/promises';
import { kinds } from '../../kinds/index.ts';
import type { Desired } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { ofTenants } from '../../report/of-tenants.ts';
import { quantity } from '../../report/wording.ts';
import { validate } from '../../sync/validate.ts';
import type { CommandContext } from '../context.ts';
import { exitCode, exitCodeOf } from '../exit-codes.ts';
import { printDocuments } from '../print-document.ts';
import { fileOptions } from '../run-options.ts';
import { exposedSecrets, sharedSecrets, type UsedSecrets } from '../shared-secrets.ts';
import { inShard, nameOf, targetsOf } from '../targets.ts';

/** Loads and checks the files. The errors are the result, so they go to standard output. */
export async function command(context: CommandContext): Promise<number> {
  const { arguments: options, io, output } = context;
  const targets = inShard(await targetsOf(io, options), options.shard);
  const found: (readonly [string, Diagnostic])[] = [];
  const valid = new Map<string, string>();
  const used: UsedSecrets[] = [];
  let code: number = exitCode.done;
  let files = 0;
  for (const target of targets) {
    await setImmediate();
    const own = fileOptions(io, options, target);
    const result = await validate({ ...own.options, onSecret: output.hide });
    const diagnostics = [...own.problems, ...(result.status === 'valid' ? result.warnings : result.diagnostics)];
    found.push(...diagnostics.map((diagnostic) => [nameOf(target), diagnostic] as const));
    code = Math.max(code, own.problems.length > 0 ? exitCode.invalid : exitCodeOf(result));
    files = Math.max(files, result.files);
    const name = targets.length > 1 ? `${target.tenant?.name} ` : '';
    if (result.status !== 'valid') continue;
    const { secretNames, uses } = result;
    used.push({ target, inputs: own.options, secretNames, uses });
    valid.set(nameOf(target), `${name}valid: ${contents(result.desired)} (${quantity(result.files, 'file')})`);
  }
  for (const [tenant, diagnostic] of exposedSecrets(used)) {
    found.push([tenant, diagnostic]);
    valid.delete(tenant);
    code = exitCode.invalid;
  }
  const diagnostics = [...ofTenants(found, targets.length), ...sharedSecrets(used)];
  const document = { type: 'diagnostics', command: 'validate', diagnostics, files } as const;
  await printDocuments(context, [document], {}, diagnostics.length === 0 ? [] : [document]);
  if (options.format === 'text' && valid.size > 0) output.result([...valid.values()].join('\n'));
  return code;
}

function contents({ sections }: Desired): string {
  const counts = kinds.flatMap(({ name }) => {
    const section = sections.get(name);
    return section === undefined ? [] : [`${name} ${section.items.length}`];
  });
  return counts.length === 0 ? 'nothing is managed' : counts.join(', ');
}
