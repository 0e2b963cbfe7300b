import type { ClientLimits } from '../model/client.ts';

const defaults: ClientLimits = { tries: 5, timeoutMs: 30_000, maxWaitMs: 120_000, maxAnswerBytes: 16 * 1024 * 1024, maxPages: 10_000, concurrency: 8 };

export function clientLimits(given: Partial<ClientLimits> = {}): ClientLimits {
  return { ...defaults, ...given };
}
