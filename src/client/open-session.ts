import { setMaxListeners } from 'node:events';
import type { ClientEvent, ClientLimits, ConnectOptions } from '../model/client.ts';
import type { Clock } from '../model/clock.ts';
import { clientCredentials } from './client-credentials.ts';
import { clientLimits } from './client-limits.ts';
import type { LineTerms } from './open-line.ts';
import { openTokenWire } from './open-token-wire.ts';
import { type QuotaGate, quotaGate } from './quota/quota-gate.ts';
import { type RetryBudget, retryBudget } from './quota/retry-budget.ts';
import { type SecretMask, secretMask } from './secret-mask.ts';
import { tokenRequester } from './token-requester.ts';
import { staticToken, type TokenSource } from './token-source.ts';

/** What the reading and the writing side of one connection share: the token above all. */
export interface Session {
  readonly host: string;
  /** Path of the base URL. */
  readonly basePath: string;
  readonly limits: ClientLimits;
  readonly clock: Clock;
  /** The caller's signal, or the end of the connection. */
  readonly signal: AbortSignal;
  readonly mask: SecretMask;
  readonly tokens: TokenSource;
  /** For every request to the base URL. */
  readonly gate: QuotaGate;
  readonly budget: RetryBudget;
  readonly debug: boolean;
  /** For every wire to the base URL's origin; tokens go nowhere else. */
  readonly wireTerms: LineTerms & { readonly userAgent: string; readonly signal: AbortSignal };
  emit(event: ClientEvent): void;
  reached(): boolean;
  /** Cuts waits and reading short. */
  end(): Promise<void>;
}

export function openSession(options: ConnectOptions): Session {
  const url = new URL(options.baseUrl);
  const limits = clientLimits(options.limits);
  const mask = secretMask();
  const ended = new AbortController();
  const signal = options.signal === undefined ? ended.signal : AbortSignal.any([options.signal, ended.signal]);
  // Every request under way listens to it.
  setMaxListeners(0, signal);
  let reached = false;
  const onAnswer = () => {
    reached = true;
  };
  const emit = options.onEvent ?? (() => {});
  const base = { limits, clock: options.clock, signal, mask, emit, budget: retryBudget(), reached: () => reached };
  const share = Math.min(1, Math.max(0.05, options.quotaShare ?? 0.9));
  const lineTerms = { limits, onAnswer, signal, userAgent: options.userAgent ?? 'tenant-sync' };
  const source = openTokens(options, base, lineTerms);
  return {
    ...base,
    host: url.host,
    basePath: url.pathname.replace(/\/+$/, ''),
    tokens: source.tokens,
    gate: quotaGate({ ...base, share }),
    debug: options.debug ?? false,
    wireTerms: { ...lineTerms, origin: url.origin },
    end: async () => {
      ended.abort(new Error('the connection was closed'));
      await source.close();
    },
  };
}

function openTokens(
  { credentials }: ConnectOptions,
  base: Pick<Session, 'limits' | 'clock' | 'signal' | 'mask' | 'emit' | 'budget' | 'reached'>,
  lineTerms: Omit<Session['wireTerms'], 'origin'>,
): { readonly tokens: TokenSource; close(): Promise<void> } {
  if ('token' in credentials) {
    base.mask.hide(credentials.token);
    return { tokens: staticToken(credentials.token), close: async () => {} };
  }
  const { clientId, clientSecret, authUrl, audience } = credentials;
  base.mask.hide(clientSecret);
  const wire = openTokenWire({ ...lineTerms, authUrl });
  const form = {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    audience,
  } as const;
  // Another host, with another clock and limits of its own: so it has a gate of its own.
  const gate = quotaGate({ ...base, share: 1 });
  const request = tokenRequester({ ...base, gate, wire, form, host: new URL(authUrl).host });
  return { tokens: clientCredentials(request, base.clock), close: wire.destroy };
}
