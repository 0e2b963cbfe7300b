// Secrets are learned while a run goes on: credentials first, tokens when they are issued. Whatever a masker keeps of the
// earlier ones to be fast, a text that it has seen before is masked like a new one.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Io } from '../../src/cli/io.ts';
import { openOutput } from '../../src/cli/output.ts';
import { withoutSecrets } from '../../src/cli/print-document.ts';
import { openSanitizer } from '../../src/client/transport/sanitizer.ts';
import { openMasker } from '../../src/secrets/masker.ts';
import { buildAction } from '../support/build-action.ts';
import { buildPlan } from '../support/build-plan.ts';
import { propertyRuns } from '../support/thorough.ts';

/** What learns secrets and shows texts. */
interface Shown {
  readonly hide: (secret: string) => void;
  readonly show: (text: string) => string;
}

function outputTo(of: 'stdout' | 'stderr') {
  const written: string[] = [];
  const sink = { isTTY: false, write: (text: string) => void written.push(text) };
  const silent = { isTTY: false, write: () => {} };
  const io = { env: {}, argv: [], stdout: silent, stderr: silent, [of]: sink } as unknown as Io;
  return { output: openOutput(io), last: () => written.at(-1) ?? '' };
}

const maskers: Readonly<Record<string, () => Shown>> = {
  'a masker': () => {
    const { hide, mask } = openMasker({ shortest: 4 });
    return { hide, show: mask };
  },
  'a masker of complete secrets': () => {
    const { hide, mask } = openMasker({ shortest: 1, prefixes: false });
    return { hide, show: mask };
  },
  'whether a text has a secret': () => {
    const { hide, contains } = openMasker({ shortest: 8, prefixes: false });
    return { hide, show: (text) => (contains(text) ? '***' : text) };
  },
  'a message of the client': () => {
    const { hide, sanitize } = openSanitizer();
    return { hide, show: sanitize };
  },
  'a message of the service': () => {
    const { hide, sanitizeMessage } = openSanitizer({ isKnownText: () => true });
    return { hide, show: (text) => sanitizeMessage(text, []) };
  },
  'the result': () => {
    const { output, last } = outputTo('stdout');
    return {
      hide: output.hide,
      show: (text) => {
        output.result(text);
        return last();
      },
    };
  },
  'messages for people': () => {
    const { output, last } = outputTo('stderr');
    return {
      hide: output.hide,
      show: (text) => {
        output.talk(text);
        return last();
      },
    };
  },
  'a document': () => documentWith((text) => ({ field: text })),
  'a name in a document': () => documentWith((text) => ({ [text]: 1 })),
};

/** One document for each text, as a run keeps it until all tenants have ended. */
function documentWith(before: (text: string) => Record<string, unknown>): Shown {
  const { hide, mask } = outputTo('stdout').output;
  const documents = new Map<string, Parameters<typeof withoutSecrets>[0]>();
  return {
    hide,
    show: (text) => {
      const plan = buildPlan({ actions: [buildAction({ key: 'a', action: 'update', before: before(text) })] });
      const document = documents.get(text) ?? { type: 'plan' as const, plan, diagnostics: [] };
      documents.set(text, document);
      return JSON.stringify(withoutSecrets(document, mask));
    },
  };
}

/** More than a masker looks for one by one; short ones after long ones and the other way round. */
const anySecrets = fc.uniqueArray(fc.stringMatching(/^[a-zA-Z0-9]{8,40}$/), { minLength: 2, maxLength: 30 });

describe('a secret that is learned after a text was shown is masked in that text', () => {
  test.each(Object.entries(maskers))('%s', (_name, open) => {
    fc.assert(
      fc.property(anySecrets, fc.boolean(), fc.boolean(), (secrets, isLong, isShownFirst) => {
        const { hide, show } = open();
        const texts = secrets.map((secret, index) => (isLong ? `n${index}: ${secret} .` : secret));
        if (isShownFirst) for (const text of texts) show(text);
        for (const [index, secret] of secrets.entries()) {
          hide(secret);
          for (const [earlier, text] of texts.slice(0, index + 1).entries()) {
            expect(show(text)).toContain('***');
            expect(show(text)).not.toContain(secrets[earlier]);
          }
        }
      }),
      propertyRuns(60),
    );
  });
});
