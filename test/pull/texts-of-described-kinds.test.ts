// Texts that a description gives files of their own: a new item, and one that refers to a file already.
import { expect, test } from 'vitest';
import { emptySource } from '../../src/config/files/overlaid-source.ts';
import { describedKind } from '../../src/items/described-kind.ts';
import type { WrittenFiles } from '../../src/model/desired.ts';
import { type ItemChange, openNames } from '../../src/pull/item-changes.ts';
import { newTexts } from '../../src/pull/new-texts.ts';
import { type Boat, description, reading } from '../support/boats.ts';
import { desiredItem } from '../support/desired-section.ts';

const newNames = openNames([]);
const kind = describedKind<Boat, Boat>(description);

const yaml = `event_streams:
  - name: Sloop # the first
    code: { file: scripts/sloop.js }
`;
const before = { name: 'Sloop', code: 'return 1;\n' };
const item = desiredItem('Sloop', before);
const place = { file: 'boats.yaml', pointer: '/event_streams/0', value: before, at: item.at };
const declared = { kind, item, value: before, places: [place], texts: new Map([['/code', 'scripts/sloop.js']]) };
const files: WrittenFiles = {
  ...{ at: '', items: [declared], header: null },
  yaml: new Map([['boats.yaml', yaml]]),
  texts: new Map([['scripts/sloop.js', before.code]]),
};

async function textsOf(written: WrittenFiles, change: ItemChange) {
  const { edited, created, texts } = await newTexts({
    ...{ written, changes: [change], protect: [], ignored: [], idle: new Set(), source: emptySource },
    sections: new Set(written.items.map((one) => one.kind.name)),
  });
  return Object.fromEntries([...edited, ...created, ...texts]);
}

function adopted(live: Boat) {
  const one = { boat_id: 'b1', name: 'Sloop', ...live };
  const pulled = kind.pull.adopt(before, one, newNames, reading([one]));
  if (!('written' in pulled)) throw new Error(pulled.inexpressible);
  return textsOf(files, { change: 'edit', kind, key: 'Sloop', item: declared, value: pulled.written });
}

test('the file that an item refers to has the live text, as it is', async () => {
  expect(await adopted({ code: 'return 2;\r\n\r\n' })).toEqual({ 'scripts/sloop.js': 'return 2;\r\n\r\n' });
});

test('no text is no file', async () => {
  expect(await adopted({})).toEqual({ 'boats.yaml': yaml.replace('{ file: scripts/sloop.js }', '""') });
});

test('a new item refers to a new file', async () => {
  const live = { boat_id: 'b2', name: 'Yawl/2', code: 'return;', token: null };
  const pulled = kind.pull.declare(live, newNames, reading([live]));
  const value = 'written' in pulled ? pulled.written : null;
  const none = { ...files, items: [], yaml: new Map(), texts: new Map() };
  expect(await textsOf(none, { change: 'add', kind, key: 'Yawl/2', value })).toEqual({
    'event-streams/Yawl-2/code.js': 'return;',
    'event-streams.yaml': `event_streams:
  - name: Yawl/2
    urls: []
    code: { file: event-streams/Yawl-2/code.js }
    token: \${env:TENANT_VAR_YAWL_2_TOKEN}
`,
  });
});
