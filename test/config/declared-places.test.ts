import { expect, test } from 'vitest';
import { type Declared, placeBelow } from '../../src/config/declared.ts';
import { parseYaml } from '../../src/config/yaml/parse-yaml.ts';
import { sourceText } from '../../src/diagnostics/source-text.ts';
import { layeredTo } from '../../src/model/layering.ts';

const item = declaredIn(
  ['base.yaml', 'event_streams:\n  - name: orders\n    status: enabled\n    destination: { type: webhook }\n'],
  ['prod.yaml', 'event_streams:\n  - name: others\n  - name: orders\n    status: disabled\n'],
);

function declaredIn(...files: readonly (readonly [file: string, text: string])[]): Declared {
  const pointers = ['/event_streams/0', '/event_streams/1'];
  const places = files.map(([name, text], index) => {
    const file = parseYaml(sourceText(name, text), () => expect.unreachable(name));
    return { file: file as NonNullable<typeof file>, pointer: pointers[index] as string };
  });
  return { key: 'orders', named: 'name', layering: layeredTo(1), value: {}, places: places as never };
}

test.each([
  ['/status', 'prod.yaml', '/event_streams/1/status'],
  ['/destination/type', 'base.yaml', '/event_streams/0/destination/type'],
  ['', 'prod.yaml', '/event_streams/1'],
  // What no file has is missing in the last one.
  ['/subscriptions', 'prod.yaml', '/event_streams/1/subscriptions'],
])('of several declarations, %j is where the last one with it is', (below, file, pointer) => {
  const place = placeBelow(item, below);
  expect([place.file.source.file, place.pointer]).toEqual([file, pointer]);
});
