import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formats } from '../../src/contract/formats.ts';
import { normalUri, rateLimitPolicies } from '../../src/kinds/rate-limit-policies/index.ts';
import type { Policy } from '../../src/service/rate-limit-policies/types.generated.ts';
import { buildLivePolicy } from '../support/build-live-policy.ts';
import { desiredSection } from '../support/desired-section.ts';
import { keepNothing } from '../support/keep-rules.ts';
import { propertyRuns } from '../support/thorough.ts';

const equivalent = [
  ['HTTPS://acme.example/busy', 'https://acme.example/busy'],
  ['https://ACME.Example/busy', 'https://acme.example/busy'],
  ['https://acme.example:443/busy', 'https://acme.example/busy'],
  ['https://acme.example:/busy', 'https://acme.example/busy'],
  ['https://acme.example', 'https://acme.example/'],
  ['https://acme.example?x', 'https://acme.example/?x'],
  ['https://acme.example/%c3%a9', 'https://acme.example/%C3%A9'],
  ['https://acme.example/%7Ebusy', 'https://acme.example/~busy'],
  ['https://acme.example/a/./b/../busy', 'https://acme.example/a/busy'],
  ['https://acme.example/a/..', 'https://acme.example/'],
  ['https://acme.example/a/b/.', 'https://acme.example/a/b/'],
  ['https://[2001:DB8::1]:443/', 'https://[2001:db8::1]/'],
] as const;

const different = [
  ['https://acme.example/busy/', 'https://acme.example/busy'],
  ['https://acme.example/Busy', 'https://acme.example/busy'],
  ['https://acme.example/a//b', 'https://acme.example/a/b'],
  ['https://acme.example/a%2Fb', 'https://acme.example/a/b'],
  ['https://acme.example/?', 'https://acme.example/'],
  ['https://acme.example/#', 'https://acme.example/'],
  ['https://acme.example/?X', 'https://acme.example/?x'],
  ['https://acme.example:8443/', 'https://acme.example/'],
  ['https://acme.example:80/', 'https://acme.example/'],
  ['https://acme.example./', 'https://acme.example/'],
  ['https://acme.example/%2525', 'https://acme.example/%25'],
] as const;

describe('the normal form of a URI', () => {
  test.each(equivalent)('%s is %s', (one, other) => {
    expect(normalUri(one)).toBe(other);
  });

  test.each(different)('%s is not %s', (one, other) => {
    expect(normalUri(one)).not.toBe(normalUri(other));
  });

  test('law: normalizing twice changes nothing, and the result is a URI that means the same', () => {
    const part = fc.constantFrom('a', 'B', '.', '..', '/', '%41', '%c3%a9', '%2f', '~', '?', ':', '-');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const uri = `HTTPS://Acme.example/${parts.join('')}`;
        const normal = normalUri(uri);
        expect(normalUri(normal)).toBe(normal);
        expect(formats['strict-https-uri']?.(normal)).toBe(true);
        // The parser normalizes as well, but decodes no escapes.
        expect(normalUri(new URL(uri).href)).toBe(normal);
      }),
      propertyRuns(2000),
    );
  });
});

describe('redirect_uri', () => {
  const decided = (declared: string, live: string) => {
    const triple = { resource: 'oauth_authentication_api', consumer: 'client', consumer_selector: 'default' } as const;
    const redirect = (uri: string) => ({ action: 'redirect', limit: 5, redirect_uri: uri }) as const;
    const policy: Policy = { ...triple, configuration: redirect(declared) };
    return rateLimitPolicies.decide({
      desired: desiredSection([['oauth_authentication_api/client/default', policy]]),
      live: { readable: true, items: [buildLivePolicy({ configuration: redirect(live) })], filtered: false },
      keep: keepNothing,
      api: 'full',
      rotate: new Set(),
    });
  };

  test.each(equivalent)('declared %s and live %s are no difference', (declared, live) => {
    expect(decided(declared, live).actions).toEqual([]);
    expect(decided(live, declared).actions).toEqual([]);
  });

  test('a difference shows and sends both URIs as they are written', () => {
    const [action] = decided('HTTPS://acme.example/a', 'HTTPS://acme.example/b').actions;
    expect(action?.changes).toEqual([
      { field: 'configuration.redirect_uri', before: 'HTTPS://acme.example/b', after: 'HTTPS://acme.example/a' },
    ]);
    expect(action?.request.body).toMatchObject({ configuration: { redirect_uri: 'HTTPS://acme.example/a' } });
  });
});
