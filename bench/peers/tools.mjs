// How each tool is called, for the same task.
import { audience, benchClient } from './bench-client.mjs';

/** Names no host: the peer's requests to it are sent to the proxy (loopback.cjs). */
const peerHost = 'tenant.bench.invalid';

export const peerConnection = {
  AUTH0_DOMAIN: peerHost,
  AUTH0_CLIENT_ID: benchClient.client_id,
  AUTH0_CLIENT_SECRET: benchClient.client_secret,
  AUTH0_AUDIENCE: audience,
};

export function createTools({ cli, peerScript }) {
  return [
    {
      name: 'peer',
      command: ({ task, place, origin }) => ({
        script: peerScript,
        args: peerArguments(task, place),
        env: { BENCH_ORIGIN: origin, BENCH_HOST: peerHost },
        preload: ['loopback'],
      }),
    },
    {
      name: 'ours',
      command: ({ task, place, origin }) => ({
        script: cli,
        args: ourArguments(task, place),
        env: {
          TENANT_SYNC_BASE_URL: `${origin}/api/v2`,
          TENANT_SYNC_CLIENT_ID: benchClient.client_id,
          TENANT_SYNC_CLIENT_SECRET: benchClient.client_secret,
          TENANT_SYNC_AUDIENCE: audience,
        },
      }),
    },
  ];
}

function peerArguments(task, place) {
  const deploy = ['import', '--config_file', place?.peerConfig, '--input_file', place?.peerFolder];
  return {
    version: ['--version'],
    plan: [...deploy, '--dry-run'],
    apply: deploy,
    previewedApply: [...deploy, '--dry-run', '--apply'],
  }[task];
}

/** There is one way to apply: it plans first. */
function ourArguments(task, place) {
  const apply = ['apply', place?.ours, '--yes'];
  return { version: ['--version'], plan: ['plan', place?.ours], apply, previewedApply: apply }[task];
}
