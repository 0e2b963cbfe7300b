import type { FileSource } from '../../model/file-source.ts';
import { compareText } from '../../values/text-order.ts';

/**
 * Several folders as the files of one tenant. Their names begin with different paths, of which none contains another.
 * New files belong to the last one.
 */
export function layeredSource(layers: readonly FileSource[]): FileSource {
  const layerOf = (path: string) => layers.find(({ at = '' }) => path.startsWith(at));
  return {
    at: layers.at(-1)?.at ?? '',
    layers,
    list: async () => {
      const listings = (await Promise.all(layers.map((layer) => layer.list()))).filter((listing) => listing !== null);
      if (listings.length === 0) return null;
      const files = listings.flatMap((listing) => listing.files).sort(compareText);
      return { files, problems: listings.flatMap(({ problems }) => problems) };
    },
    read: async (path) => (await layerOf(path)?.read(path)) ?? { ok: false, reason: 'outside', detail: '' },
    namesIn: async (folder) => (await layerOf(`${folder}/`)?.namesIn(folder)) ?? [],
  };
}
