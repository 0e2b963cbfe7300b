// Which layer of a tenant pull writes into.
import { didYouMean, nearestWord } from '../diagnostics/near-names.ts';
import { layersOf } from '../model/file-source.ts';
import { invalidOption } from './exit-codes.ts';
import type { Arguments } from './parse-arguments.ts';
import { few, type Target } from './targets.ts';

/**
 * The target with the place of its new files in the layer of --layer, or in its last one if no other tenant has that.
 * Throws a CommandError.
 */
export function editedTarget(
  target: Target,
  { layer, fixApprovals, folder }: Pick<Arguments, 'layer' | 'fixApprovals' | 'folder'>,
): Target {
  const { files, tenant, project } = target;
  if (tenant === null) {
    if (layer === undefined) return target;
    throw invalidOption(`${folder} is the folder of one tenant, so it has no layer "${layer}".`, 'omit --layer');
  }
  if (fixApprovals)
    throw invalidOption(
      '--fix-approvals is for the folder of one tenant.',
      'delete the codes where they are written, in tenant-sync.yaml or in a layer',
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
    throw invalidOption(
      message,
      `add --layer ${name} to change it for all of them, or another layer of ${tenant.name}`,
    );
  }
  return { ...target, files: { ...files, at: edited.at ?? '' } };
}
