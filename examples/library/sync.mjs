// Plans, prints the plan, and applies it: node sync.mjs FOLDER [--yes]
//
// The library reads no environment and prints nothing. This program does both, and ends with the exit codes of the commands.
// Ctrl-C finishes the requests in flight and sends no more. The next run resumes.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { apply, plan } from 'tenant-sync';

const [folder = '.', confirmation] = process.argv.slice(2);
const { env } = process;

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());

const options = {
  files: folder,
  tenant: {
    baseUrl: env.TENANT_SYNC_BASE_URL ?? '',
    credentials: {
      clientId: env.TENANT_SYNC_CLIENT_ID ?? '',
      // Or privateKey: its private key in PEM.
      clientSecret: env.TENANT_SYNC_CLIENT_SECRET ?? '',
    },
  },
  signal: stop.signal,
};

const planned = await plan(options);
if (planned.status !== 'planned' && planned.status !== 'refused') end(planned);
for (const { action, id, request } of planned.plan.actions) {
  console.log(`${action} ${id}: ${request.method} ${request.path}`);
}
for (const { code, kind, key, message } of planned.plan.findings) console.log(`${code} ${kind}/${key}: ${message}`);
if (planned.status === 'refused') end(planned);
if (planned.plan.actions.length === 0) {
  console.log('in sync');
  process.exit(0);
}

const applied = await apply({
  ...options,
  // Exactly these items, as they were planned: an item that has changed in between is a conflict and is left alone.
  saved: planned.plan,
  confirm: async () => confirmation === '--yes',
  secret: (name) => env[name],
  stateFolder: env.TENANT_SYNC_STATE_DIR ?? join(homedir(), '.local', 'state', 'tenant-sync'),
  onEvent: (event) => {
    if (event.type === 'action_ended') console.log(`${event.outcome.outcome}: ${event.action.id}`);
    if (event.type === 'waiting') console.log(`waiting ${Math.ceil(event.ms / 1000)} s: ${event.reason}`);
  },
});
end(applied);

function end(result) {
  if (result.status === 'applied') {
    const { done, failed, not_attempted: notAttempted, unknown, conflict } = result.outcomes.summary;
    console.log(`${done} done, ${failed} failed, ${notAttempted} not attempted, ${unknown} unknown, ${conflict} conflicts`);
  }
  for (const { code, message, hint } of [...(result.refusals ?? []), ...(result.diagnostics ?? [])]) {
    console.error(`${code}: ${message}${hint === undefined ? '' : ` (${hint})`}`);
  }
  const codes = { invalid: 3, refused: 4, locked: 4, failed: 1, stopped: 130 };
  process.exit(result.status === 'applied' ? appliedCode(result) : codes[result.status]);
}

/** If nothing failed, an item that changed in the meantime is a conflict. */
function appliedCode({ complete, outcomes: { summary, verification } }) {
  if (complete) return 0;
  const isConflict = summary.conflict > 0 && summary.failed + summary.unknown === 0;
  return isConflict && verification?.result !== 'not_read' ? 4 : 1;
}
