import fc from 'fast-check';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { describe, expect, test } from 'vitest';
import type { Plan } from '../../src/model/plan.generated.ts';
import { type FormatContext, joined, type ReportDocument } from '../../src/report/document.ts';
import { type FormatName, formatRow } from '../../src/report/formats.ts';
import { plainStyle } from '../../src/report/terminal.ts';
import { buildAction, deletePolicy, putPartials, removePermissions } from '../support/build-action.ts';
import { buildFinding, buildOutcomes, buildPlan, buildRefusal } from '../support/build-plan.ts';
import { standInKinds } from '../support/stand-in-kinds.ts';
import { propertyRuns, thorough } from '../support/thorough.ts';
import { hostileText } from './hostile-text.ts';
import { runnerCommands } from './runner-commands.ts';

/**
 * Every string goes through every format, in the place of every text that files or a tenant decide on. What a parser of
 * the format then reads is the structure of the report, and the original text.
 */
const perSet = 40;
const strings = fc.sample(hostileText, { ...propertyRuns(1), numRuns: thorough ? 50_000 : 1_000 });
const sets = Array.from({ length: strings.length / perSet }, (_, index) =>
  strings.slice(index * perSet, (index + 1) * perSet),
);

const context: FormatContext = {
  style: plainStyle,
  kinds: standInKinds,
  folder: 'tenants/acme',
  version: '1.2.3',
  filesUrl: 'https://forge.example/blob',
};

/** The plan of a set, and in turn its drift, its outcomes, or diagnostics. */
function documentsOf(set: readonly string[], index: number): readonly ReportDocument[] {
  let used = 0;
  const next = () => set[used++ % set.length] ?? '';
  const record = (...values: readonly unknown[]) => Object.fromEntries(values.map((value) => [next(), value]));
  const source = () => ({ file: next(), line: 1, column: 1 });
  const effect = () =>
    ({ code: 'ROLE_CREATED', severity: 'warning', message: next(), kind: 'roles', key: next() }) as const;
  const change = () => ({ field: next(), before: next(), after: record(next()) });
  const plan = buildPlan({
    tenant: { name: next(), base_url: next(), api: 'documented' },
    selection: { only: [next()], except: [next()], rotate: [next()] },
    complete: false,
    actions: [
      deletePolicy(next(), next(), { source: source(), before: record(next(), next()), effects: [effect()] }),
      removePermissions(next(), [next(), next()]),
      putPartials(next(), record(record(next())) as never),
      buildAction({ key: next(), action: 'update', reason: 'different', changes: [change()] }),
    ],
    findings: [
      buildFinding('LIVE_DIFFERENT', { key: next(), message: next(), changes: [change()], source: source() }),
      buildFinding('LIVE_UNREADABLE', { kind: 'prompts', key: next(), message: next() }),
      buildFinding('LIVE_PROTECTED', { kind: 'event_streams', key: next(), message: next(), source: source() }),
    ],
    left_out: [{ kind: 'event_streams', key: next(), what: next() }],
    refusals: [buildRefusal([next(), next()], { message: next(), approve: next() })],
    digest: next(),
  });
  const first: ReportDocument = { type: 'plan', plan, diagnostics: [] };
  // Every second set has another document as well; of many sets, every eighth.
  const rest = thorough ? 8 : 2;
  return index % rest === 0 ? [first, otherOf(index / rest, plan, next)] : [first];
}

function otherOf(index: number, plan: Plan, next: () => string): ReportDocument {
  if (index % 3 === 0) return { type: 'drift', plan, diagnostics: [] };
  if (index % 3 === 1) {
    const outcomes = plan.actions.map(({ id }, place) => ({
      id,
      outcome: (['failed', 'unknown', 'done', 'not_attempted'] as const)[place] ?? 'done',
      status: null,
      message: place === 2 ? null : next(),
    }));
    return { type: 'outcomes', outcomes: buildOutcomes(plan, outcomes) };
  }
  const source = { file: next(), line: 1, column: 1 };
  const excerpt = { line: 3, column: 2, width: 3, text: next() };
  return {
    type: 'diagnostics',
    command: 'validate',
    diagnostics: [
      { code: 'CONFIG_UNKNOWN_FIELD', severity: 'error', message: next(), hint: next(), source, excerpt },
      { code: 'ENV_INVALID', severity: 'warning', message: next() },
    ],
    files: 1,
  };
}

type Check = (text: string, document: ReportDocument) => void;

async function throughAll(format: FormatName, check: Check): Promise<void> {
  const render = await formatRow(format).load();
  for (const [index, set] of sets.entries()) {
    for (const document of documentsOf(set, index)) {
      const text = await joined(render([document], context));
      expect(text).not.toMatch(unseen);
      if (format !== 'github') expect(runnerCommands(text)).toEqual([]);
      check(text, document);
    }
  }
}

/** Terminal escapes, and characters that show nothing or change what is shown around them. */
const unseen = /[\x00-\x09\x0b-\x1f\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

describe(`${strings.length} hostile strings`, { timeout: thorough ? 300_000 : 30_000 }, () => {
  test('text', () => throughAll('text', () => {}));

  test('github: only its own commands', () =>
    throughAll('github', (text) => {
      for (const { form, name, properties } of runnerCommands(text)) {
        expect(form).toBe('::');
        expect(['error', 'warning', 'notice']).toContain(name);
        expect(['file', 'line', 'col', 'title']).toEqual(expect.arrayContaining(Object.keys(properties)));
      }
    }));

  test('json restores the document', () =>
    throughAll('json', (text, document) => {
      const parsed = JSON.parse(text);
      if (document.type === 'plan' || document.type === 'drift') expect(parsed).toEqual(plain(document.plan));
      if (document.type === 'outcomes') expect(parsed).toEqual(plain(document.outcomes));
      if (document.type === 'diagnostics')
        expect(parsed.diagnostics.map(({ message }: { readonly message: string }) => message)).toEqual(
          document.diagnostics.map(({ message }) => message),
        );
    }));

  test('markdown is only the markup of the report', () =>
    throughAll('markdown', (text) => {
      expect(text.length).toBeLessThan(65_536);
      const html = micromark(text, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });
      for (const { name, attributes, outsideCode } of readHtml(html)) {
        expect(markdownElements).toContain(name);
        for (const [attribute, value] of Object.entries(attributes))
          expect(`${attribute}=${value}`).toMatch(/^(class=language-(diff|text)|align=(left|right))$/);
        // Mentions and references are found in text, after Markdown is rendered.
        expect(outsideCode).not.toMatch(/@|#\d|GH-\d|https?:|www\.|:[a-z]+:/);
      }
    }));

  test('html has no markup of its texts', () =>
    throughAll('html', (text) => {
      for (const { name, attributes } of readHtml(text)) {
        expect(['img', 'object', 'embed', 'base', 'form']).not.toContain(name);
        for (const [attribute, value] of Object.entries(attributes)) {
          expect(attribute).not.toMatch(/^on|^(srcset|formaction)$/);
          // The icon, so that a browser asks for none; the row of a change; a line of a file.
          if (['href', 'src', 'action'].includes(attribute)) expect(value).toMatch(address);
        }
      }
    }));
});

const address = /^(?:data:,|#item-\d+|https:\/\/forge\.example\/blob\/[\w.!~*'()%/-]+#L\d+)$/;

const markdownElements = [
  ...['html', 'head', 'body', 'h2', 'h3', 'h4', 'p', 'strong', 'em', 'details', 'summary', 'code', 'pre', 'br', 'hr'],
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td', 'ul', 'li'],
];

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Every element, with its own text if that is not in code. */
function readHtml(html: string): (Element & { readonly outsideCode: string })[] {
  const elements: (Element & { readonly outsideCode: string })[] = [];
  const walk = (node: DefaultTreeAdapterTypes.Node, isCode: boolean) => {
    const children = 'childNodes' in node ? node.childNodes : [];
    if ('tagName' in node) {
      const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
      const texts = children.map((child) => ('value' in child ? child.value : ''));
      elements.push({
        name: node.tagName,
        attributes,
        outsideCode: isCode || node.tagName === 'code' ? '' : texts.join(''),
      });
    }
    for (const child of children) walk(child, isCode || ('tagName' in node && node.tagName === 'code'));
  };
  walk(parse(html), false);
  return elements;
}
