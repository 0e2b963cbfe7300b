// The tables of docs/internals/peers.md: in each cell the peer, tenant-sync, and how many times more the peer takes.
const columns = [
  ['requests', 'requests', String],
  ['writes', 'writes', String],
  ['wall time', 'wallMs', duration],
  ['CPU time', 'cpuMs', duration],
  ['peak memory', 'peakMb', (mb) => `${mb.toFixed(0)} MB`],
];

export function measuredTable(title, rows) {
  const lines = rows.map(({ name, fewest, peer, ours }) => [
    name,
    fewest === undefined ? '' : String(fewest),
    ...columns.map(([, key, form]) => compared(peer[key], ours[key], form)),
  ]);
  return markdown(['', 'fewest requests', ...columns.map(([heading]) => heading)], lines, title);
}

export function leftBehindTable(rows) {
  const lines = rows.flatMap(({ name, peer, ours }) => [
    [name, 'auth0-deploy-cli', ...leftCells(peer)],
    ['', 'tenant-sync', ...leftCells(ours)],
  ]);
  return markdown(
    ['', 'tool', 'exit code', 'requests', 'kept items still there', 'as declared'],
    lines,
    'After a reset in the middle of an apply',
  );
}

function leftCells({ exitCode, requests, left, kept, asDeclared }) {
  return [String(exitCode), String(requests), `${left} of ${kept}`, asDeclared ? 'yes' : 'no'];
}

function compared(peer, ours, form) {
  if (peer === 0 && ours === 0) return '0';
  const ratio = ours === 0 ? '' : ` (${(peer / ours).toFixed(peer / ours < 10 ? 1 : 0)}×)`;
  return `${form(peer)} / ${form(ours)}${ratio}`;
}

function duration(ms) {
  return ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function markdown(headings, lines, title) {
  const row = (cells) => `| ${cells.join(' | ')} |`;
  return [`**${title}**`, '', row(headings), row(headings.map(() => '---')), ...lines.map(row)].join('\n');
}
