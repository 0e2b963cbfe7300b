import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  commandMessage,
  commandProperty,
  joinLines,
  jsonText,
  markdownCode,
  markdownFence,
  terminalText,
} from '../../src/report/escape.ts';
import { propertyRuns } from '../support/thorough.ts';
import { hostileText } from './hostile-text.ts';
import { markdownOutsideCode } from './markdown-outside-code.ts';
import { runnerCommands } from './runner-commands.ts';

const runs = propertyRuns(3000);

describe('terminal text', () => {
  test.each([
    ['plain', 'a b ~', 'a b ~'],
    ['letters of the world stay', 'é 顧客 👋', 'é 顧客 👋'],
    ['line ends and tabs', 'a\r\n\tb', 'a\\r\\n\\tb'],
    ['escape sequences', '\x1b[2K', '\\x1b[2K'],
    ['DEL and C1', '\x7f\x9b', '\\x7f\\x9b'],
    ['line and paragraph separators', '\u2028\u2029', '\\u2028\\u2029'],
    ['bidirectional controls', '\u202eabc\u2066', '\\u202eabc\\u2066'],
    ['blanks that are no space', 'a b\u00a0c\u2003d\u3000\u2800', 'a b\\xa0c\\u2003d\\u3000\\u2800'],
    ['private use', 'a\ue000\u{f0000}', 'a\\ue000\\u{f0000}'],
    ['zero width', 'a\u200bb\u200d\ufeff\u00ad', 'a\\u200bb\\u200d\\ufeff\\xad'],
    ['variation selectors and fillers', '\ufe0f\u3164', '\\ufe0f\\u3164'],
    ['tags beyond the first plane', '\u{e0041}', '\\u{e0041}'],
    ['lone surrogates', '\ud83d!', '\\ud83d!'],
    ['old workflow commands', '##[error]x ###[group]', '# #[error]x ## #[group]'],
  ])('%s', (_name, text, expected) => {
    expect(terminalText(text)).toBe(expected);
  });

  test('has no invisible characters', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(terminalText(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|##\[/u);
      }),
      runs,
    );
  });
});

describe('lines', () => {
  test.each([
    ['none', [], ''],
    ['two', ['a', 'b'], 'a\nb\n'],
    ['a command', ['::error::x'], ': :error::x\n'],
    ['a command after white space', ['a', ' \u00a0::error::x', 'b::c'], 'a\n \u00a0: :error::x\nb::c\n'],
    ['an old command made of two texts', [`##${'['}error]`], '# #[error]\n'],
  ])('%s', (_name, lines, expected) => {
    expect(joinLines(lines)).toBe(expected);
  });

  test('contain no command', () => {
    fc.assert(
      fc.property(fc.array(hostileText), (texts) => {
        expect(runnerCommands(joinLines(texts))).toEqual([]);
      }),
      runs,
    );
  });
});

describe('JSON', () => {
  test('escapes invisible characters and breaks commands', () => {
    expect(jsonText({ a: '\x7f\u2028\u202e\u{e0041}##[x' })).toBe(
      '{\n  "a": "\\u007f\\u2028\\u202e\\udb40\\udc41##\\u005bx"\n}\n',
    );
  });

  test('restores the original', () => {
    fc.assert(
      fc.property(fc.dictionary(hostileText, fc.jsonValue()), hostileText, (values, text) => {
        const document = { values, text };
        const json = jsonText(document);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(document)));
        expect(runnerCommands(json)).toEqual([]);
        expect(json).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      }),
      runs,
    );
  });
});

describe('Markdown', () => {
  test.each([
    ['plain', 'a|b', '`a|b`'],
    ['nothing', '', '` `'],
    ['backticks inside', 'a``b`c', '```a``b`c```'],
    ['backticks at the edge', '`a', '`` `a ``'],
    ['spaces at both edges', ' a ', '`  a  `'],
    ['only spaces', '  ', '`  `'],
    ['a mention', '@team #1', '`@team #1`'],
  ])('code span: %s', (_name, text, expected) => {
    expect(markdownCode(text)).toBe(expected);
  });

  test.each([
    ['no backticks', ['a'], '```'],
    ['short runs', ['``', 'a`'], '```'],
    ['a long run', ['x', 'a ```` b'], '`````'],
  ])('fence: %s', (_name, lines, expected) => {
    expect(markdownFence(lines)).toBe(expected);
  });

  test('no text leaves its code span or fence', () => {
    fc.assert(
      fc.property(hostileText, hostileText, (first, second) => {
        const lines = [terminalText(first), terminalText(second)];
        const fence = markdownFence(lines);
        const document = [
          'A',
          `${markdownCode(first)} and ${markdownCode(second)}`,
          'B',
          fence,
          ...lines,
          fence,
          'C',
        ].join('\n');
        expect(markdownOutsideCode(document)).toBe('A\nCODE and CODE\nB\nC');
      }),
      runs,
    );
  });
});

describe('workflow commands', () => {
  test('escape what the runner unescapes', () => {
    expect(commandMessage(['100%', 'a\r\nb', '::stop::'])).toBe('100%25%0Aa\\r\\nb%0A: :stop::');
    expect(commandProperty('a:b,c%\n')).toBe('a%3Ab%2Cc%25\\n');
  });

  test('decode to their texts and nothing else', () => {
    fc.assert(
      fc.property(hostileText, hostileText, (title, message) => {
        const commands = runnerCommands(`::error title=x${commandProperty(title)}::x${commandMessage([message])}`);
        expect(commands).toEqual([
          {
            form: '::',
            name: 'error',
            properties: { title: `x${terminalText(title)}` },
            message: `x${joinLines([terminalText(message)]).trimEnd()}`,
          },
        ]);
      }),
      runs,
    );
  });
});
