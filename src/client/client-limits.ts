import type { ClientLimits } from '../model/client.ts';

const defaults: ClientLimits = {
  tries: 5,
  timeoutMs: 30_000,
  maxWaitMs: 120_000,
  totalMs: 600_000,
  maxResponseBytes: 16 * 1024 * 1024,
  maxPages: 10_000,
  concurrency: 16,
};

export function clientLimits(given: Partial<ClientLimits> = {}): ClientLimits {
  return { ...defaults, ...given };
}
