// Compares tenant-sync with auth0-deploy-cli on the same embedded tenant in the same state: `npm run bench:peers`. The method and
// its limits: docs/internals/peers.md. Everything except the installation of the peer stays on loopback.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { accidents, groups, quickAccidents, quickGroups } from './peers/cases.mjs';
import { installPeer, peerVersion } from './peers/install-peer.mjs';
import { leftBehind } from './peers/left-behind.mjs';
import { createMeasure } from './peers/measure.mjs';
import { runMeasured } from './peers/run-measured.mjs';
import { leftBehindTable, measuredTable } from './peers/table.mjs';
import { createTools } from './peers/tools.mjs';

const root = join(import.meta.dirname, '..');
const cli = join(root, 'dist/cli/main.cjs');
const document = join(root, 'docs/internals/peers.md');

const { values: options } = parseArgs({
  options: {
    /** Two runs and fewer rows: a smoke test. */
    quick: { type: 'boolean', default: false },
    /** Writes the tables into docs/internals/peers.md. */
    write: { type: 'boolean', default: false },
    /** Runs of each tool in each row; the tables show medians. */
    rounds: { type: 'string', default: '5' },
    /** A folder that keeps the peer between runs. */
    installed: { type: 'string' },
    /** Only rows with this text in their name. */
    only: { type: 'string', default: '' },
    /** Only tables with this text in their title. */
    table: { type: 'string', default: '' },
  },
});
if (options.write && (options.quick || options.only !== '' || options.table !== ''))
  throw new Error('--write needs the complete benchmark, without --quick, --only and --table');

const place = /(<!-- table -->\n)[\s\S]*(<!-- \/table -->)/;
if (options.write && !place.test(await readFile(document, 'utf8')))
  throw new Error(`${document} has no markers for the tables`);

const rounds = options.quick ? 2 : Number(options.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error(`--rounds ${options.rounds} is not a number of runs`);
const [wantedGroups, wantedAccidents] = options.quick ? [quickGroups, quickAccidents] : [groups, accidents];
const folder = await mkdtemp(join(tmpdir(), 'tenant-sync-peers-'));
try {
  const peer = await installPeer(await peerFolder());
  const parts = [];
  // Printed as soon as it is measured, so that a row that fails late does not lose the others.
  for await (const part of compare(peer)) {
    process.stdout.write(`${part}\n\n`);
    parts.push(part);
  }
  if (options.write) await writeInto(document, parts.join('\n\n'));
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function peerFolder() {
  const place = resolve(options.installed ?? join(folder, 'peer'));
  await mkdir(place, { recursive: true });
  return place;
}

/** The tables as Markdown, after a line with the versions and the machine. */
async function* compare({ script, sdkVersion }) {
  const tools = createTools({ cli, peerScript: script });
  yield caption(sdkVersion);
  // Warms the file cache: both tools load their code at start-up.
  for (const tool of tools) await runMeasured(tool.command({ task: 'version' }));
  const measure = createMeasure({ cli, tools, folder, rounds });
  for (const { title, serve, cases } of wantedGroups.filter((group) => group.title.includes(options.table))) {
    const rows = [];
    for (const task of cases.filter(isWanted))
      rows.push({ ...task, ...(await timed(`${title}: ${task.name}`, () => measure(task, serve))) });
    if (rows.length > 0) yield measuredTable(title, rows);
  }
  const left = [];
  for (const accident of wantedAccidents.filter(isWanted)) {
    left.push({
      ...accident,
      ...(await timed(`reset: ${accident.name}`, () => leftBehind({ cli, tools, folder }, accident))),
    });
  }
  if (left.length > 0) yield leftBehindTable(left);
}

function caption(sdkVersion) {
  const processors = cpus();
  const machine = `Node ${process.version}, ${process.platform}, ${processors.length} × ${processors[0]?.model.trim()}`;
  const runs = rounds === 1 ? 'one run each' : `medians of ${rounds} runs`;
  return `auth0-deploy-cli ${peerVersion} (auth0 ${sdkVersion}) / tenant-sync (ratio), ${runs}. ${machine}.`;
}

function isWanted({ name }) {
  return name.includes(options.only);
}

/** Prints the row and its duration to stderr. */
async function timed(name, work) {
  const started = performance.now();
  const result = await work();
  process.stderr.write(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${name}\n`);
  return result;
}

async function writeInto(file, text) {
  const before = await readFile(file, 'utf8');
  await writeFile(
    file,
    before.replace(place, (_, start, end) => `${start}\n${text}\n\n${end}`),
  );
}
