// Where the attributes of a partial lead. "{}" in a row is Liquid.
import { describe, expect, test } from 'vitest';
import { targetsIn, type UrlTarget } from '../../src/kinds/prompts/inspection/urls.ts';

function named(target: UrlTarget): string {
  if (target.type === 'script') return `runs ${target.scheme}`;
  return target.type === 'origin' ? target.origin : target.type;
}

const targets = (element: string, name: string, value: string) =>
  targetsIn(element, name, value.replaceAll('{}', '\ue000')).map(named);

describe('an address', () => {
  test.each<readonly [string, readonly string[]]>([
    ['inside', ['x', '/x', '1a:b', 'https:x', 'https:/x', 'https://page.invalid/x', 'https://[', 'x/javascript:a']],
    ['inside', ['mailto:a', 'tel:a', 'sms:a', 'blob:a', 'about:a', 'data:text/plain,a', 'data:image/png,a']],
    ['inside', ['data:x/text/html,a', 'data:a/application/b']],
    ['inside', ['/a{}', '\\a{}', '?{}', '#{}', '.{}', 'a/{}', 'a\\{}', 'a?{}', 'a#{}', '/b{}javascript:', '1:/{}']],
    ['a:', ['a:b', 'A:b', 'a:b/{}']],
    ['a+b.-1:', ['A+b.-1:x']],
    ['xjavascript:', ['xjavascript:a']],
    ['xdata:', ['xdata:text/html,{}']],
    ['file:', ['file:///x']],
    ['a://b', ['a://b', 'a://b/{}']],
    ['ftp://a', ['ftp://a', 'ftp:a']],
    ['wss://a', ['wss://a/b']],
    ['http://page.invalid', ['http://page.invalid']],
    ['http://x', ['http:x', 'http:/x']],
    ['https://x', ['https:\\\\x', '//x/{}']],
    ['https://c:8080', ['https://c:8080/x', 'https://a:b@c:8080']],
    ['https://a', ['HTTPS://A', ' //a ', '/\t/a', '/\n/a', '/\u001f/a', '\\/a', '/\\a', '///a', '//a?{}', '//a#{}']],
    ['runs javascript:', ['javascript:a', 'JAVASCRIPT:a', 'java\tscript:a', '\u001fjavascript:a', ' javascript:{}']],
    ['runs vbscript:', ['vbscript:a']],
    [
      'runs data:',
      ['text/html', 'text/javascript', 'text/css', 'text/xml', ' \ttext/html'].map((type) => `data:${type},a`),
    ],
    ['runs data:', ['DATA:TEXT/HTML,a', 'data:application/x,a', 'data: application/x,a', 'data:image/svg+xml,a']],
    ['dynamic', ['{}', '/{}', '//{}', '//a{}', '\\{}', '\\/{}', '/\\{}', 'a{}', 'a:{}', 'a:/{}', 'A:/{}', 'a+1.-:{}']],
    ['dynamic', ['https:{}', '///a{}', 'a://b{}', '{}javascript:', 'data:image/png,/{}', 'DATA:a/{}', 'data:\na/b{}']],
  ])('leads to %s: %j', (expected, values) => {
    for (const value of values) expect([value, ...targets('a', 'href', value)]).toEqual([value, expected]);
  });
});

test('nothing leads nowhere', () => {
  expect(['href', 'style', 'srcset', 'x'].flatMap((name) => targets('a', name, ''))).toEqual([]);
});

describe('an attribute', () => {
  const addresses =
    'src href xlink:href action formaction poster data background manifest codebase classid lowsrc dynsrc profile to from by';
  const lists = 'srcset imagesrcset ping archive attributionsrc';
  const texts =
    'alt title value placeholder label content id class name for form type lang dir role slot part tabindex width height ' +
    'maxlength minlength size rows cols colspan rowspan pattern min max step list autocomplete inputmode srcdoc ' +
    'http-equiv datetime xmlns xmlns:a aria-a aria- data-a';

  test.each<readonly [string, string, string, readonly string[]]>([
    ['is an address', addresses, 'a:b c:d,e:f;g:h', ['a:']],
    ['is a list of addresses', lists, 'a:b c:d,e:f;g:h', ['a:', 'c:', 'e:', 'g:']],
    ['is a list of addresses', 'values', 'a:b c:d,e:f;g:h', ['a:', 'g:']],
    ['has addresses', 'xsrc srcx xlink b-to tob xping pings xvalues valuesx', 'a:b c:d,e:f;g:h', []],
    ['is a style too', 'to from by values srcset', 'url(//b)', ['https://b', 'inside']],
    ['is no style', 'href', 'url(//b)', ['inside']],
    ['is no style', 'style', 'a:b', []],
    ['is made', `${lists} values`, '/a {} //b', ['dynamic']],
    ['is a text', texts, '//a.example', []],
    ['is a text', texts, 'data:text/html,a', []],
    ['is a text', texts, '{}', []],
    ['is a text that runs', texts, 'javascript:a', ['runs javascript:']],
    ['is no text', 'xmlnsa data- balt alta x-data-a aria x-aria-a', '//b', ['https://b', 'https://b']],
  ])('%s: %s="%s"', (_what, names, value, expected) => {
    for (const name of names.split(' ')) expect([name, ...targets('p', name, value)]).toEqual([name, ...expected]);
  });

  test.each<readonly [string, readonly string[]]>([
    ['javascript:a', ['runs javascript:']],
    ['data: text/html', ['runs data:', 'runs data:']],
    ['data:image/svg+xml', ['runs data:']],
    [' /\n/a', ['https://a']],
    ['b:/ /a', ['b:']],
    ['B+c.d-1: \\ \\a', ['b+c.d-1:', 'dynamic']],
    [' b:/ /a', ['b:']],
    ['b: //a', ['b:', 'https://a']],
    ['b c:/ /a', []],
    ['1:/ /a', []],
    ['/ x /a', []],
    ['b', []],
    ['//a //b', ['inside', 'https://a', 'https://b']],
    ['{}', ['dynamic']],
    ['wss:a', ['wss://a']],
  ])('of an unknown name may be an address or a style: %s', (value, expected) => {
    expect(targets('p', 'x', value)).toEqual(expected);
  });

  test.each<readonly [string, string]>([
    ['0; url=//a', 'https://a'],
    ["0;url='//a' x", 'https://a'],
    ['URL = "//a"b\n"c', 'https://a'],
    ["0; url='//a\n'b", 'https://a'],
    ['5 //a', 'https://a'],
    ['0.5,//a', 'https://a'],
    [' \t//a', 'https://a'],
    ['0; URL=javascript:a', 'runs javascript:'],
    ["'javascript:a'", 'runs javascript:'],
    ['0; {}', 'dynamic'],
    ['b:c', 'b:'],
    ['5', 'inside'],
    ['url//a', 'inside'],
    ['x; url=b:c', 'inside'],
  ])('of a refresh: %s', (value, expected) => {
    expect(targets('meta', 'content', value)).toEqual([expected]);
    expect(targets('meta', 'title', value)).toEqual([]);
  });
});

describe('a style', () => {
  test.each<readonly [string, readonly string[]]>([
    [
      'no address',
      ['javascript:a', 'a:b', '/a/b', 'xhttp:a', 'http: a', 'http:)', 'http:;', 'http:/', 'xdata:text/css'],
    ],
    ['no address', ['data:image/svg+xml,a', 'http:', 'ht tp:a', '/ /a', 'url(a)']],
    ['inside', ['https:a', 'https:/a', '//', 'https://']],
    [
      'https://a',
      ['url(//a)', '/\t/a', 'h\tttps://a', '//a//b', '1a://a', 'b c//a', ...[...`'")<>; `].map((end) => `//a${end}b`)],
    ],
    ['http://a', ['http:///a', 'HTTP:a', 'http:/a', 'http:a//b', ...[...`'")<>; `].map((end) => `http:a${end}b`)]],
    ['wss://a', ['wss:a']],
    ['ws://a', ['ws:a']],
    ['ftp://a', ['ftp:a']],
    ['a+b.c-1://d', ['A+b.c-1://d', 'x a+b.c-1://d']],
    [`${'a'.repeat(30)}://b`, [`${'a'.repeat(30)}://b`]],
    ['https://b', [`${'a'.repeat(31)}://b`]],
    ['runs data:', ['data:text/css,a', 'data: text/html', 'DATA:text/css,http:b', 'data:text/css;http:b']],
    ['dynamic', ['\\', '{}', 'http:\\/a', '//a //b {}']],
  ])('leads to %s: %j', (expected, values) => {
    for (const value of values)
      expect([value, ...targets('p', 'style', value)]).toEqual(expected === 'no address' ? [value] : [value, expected]);
  });

  test.each([...`'") `])('after %s, data ends and the next address begins', (end) => {
    expect(targets('p', 'style', `data:text/css${end}//b`)).toEqual(['runs data:', 'https://b']);
  });
});
