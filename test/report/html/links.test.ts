// Links of the HTML report: to the files, and from an effect to its change.
import { parse } from 'parse5';
import { expect, test } from 'vitest';
import { html } from '../../../src/report/html/markup.ts';
import { openPlaces } from '../../../src/report/html/rows.ts';
import { buildRow, buildSection, buildView, pageOf } from './build-view.ts';
import { attributeOf, elementsOf, textOf } from './read-html.ts';

const filesUrl = 'https://forge.example/acme/identity/blob/0123456789abcdef0123456789abcdef01234567';
const linkTo = (file: string, url: string | null = filesUrl) => {
  const placeOf = openPlaces({ filesUrl: url });
  const [link] = elementsOf(parse(html`${placeOf('roles.yaml:6', { file, line: 6, column: 3 })}`.text), 'a');
  return link === undefined ? null : attributeOf(link, 'href');
};

test.each([
  ['tenants/acme/roles.yaml', `${filesUrl}/tenants/acme/roles.yaml#L6`],
  [
    'tenants/acme/partials/a b/ä?x#1%2f.liquid',
    `${filesUrl}/tenants/acme/partials/a%20b/%C3%A4%3Fx%231%252f.liquid#L6`,
  ],
  [`tenants/acme/"><img src=x onerror='x'>`, `${filesUrl}/tenants/acme/%22%3E%3Cimg%20src%3Dx%20onerror%3D'x'%3E#L6`],
  ['../shared/roles.yaml', null],
  ['a/./b.yaml', null],
  ['a\ud800.yaml', null],
])('the location of %j is the line of the file', (file, expected) => {
  expect(linkTo(file)).toBe(expected);
});

test('a location outside of the repository, or without a forge, is plain text', () => {
  expect(linkTo('/etc/roles.yaml')).toBe(null);
  expect(linkTo('../elsewhere/roles.yaml')).toBe(null);
  expect(linkTo('roles.yaml', null)).toBe(null);
  expect(openPlaces({ filesUrl })('not in the files', null)).toBe('not in the files');
});

test('every effect links to the change of its item, and only these changes have an id', () => {
  const effect = (name: string, names: readonly string[] = []) =>
    buildRow({ sign: '!', verb: null, name, names, count: Math.max(1, names.length), what: 'falls back' });
  const deletion = (name: string, key = name) => buildRow({ sign: '-', verb: 'delete', name, key });
  const page = parse(
    pageOf(
      buildView({
        sections: [
          buildSection({ name: 'effects', rows: [effect('app'), effect('', ['bot', 'gone']), effect('gone')] }),
          buildSection({
            name: 'deletions',
            rows: [deletion('quiet'), deletion('bot'), deletion('app'), deletion('app', 'duplicate')],
          }),
        ],
      }),
    ),
  );
  const links = elementsOf(page, 'a').map((link) => [textOf(link), attributeOf(link, 'href')]);
  expect(links).toEqual([
    ['app', '#item-2'],
    ['bot', '#item-1'],
  ]);
  const targets = elementsOf(page, 'li').filter((one) => /^item-/.test(attributeOf(one, 'id') ?? ''));
  const shown = targets.map((one) => [attributeOf(one, 'id'), /bot|app/.exec(textOf(one))?.[0]]);
  expect(shown).toEqual([
    ['item-1', 'bot'],
    ['item-2', 'app'],
  ]);
});

test('an origin is shown only where it is not the change of the files', () => {
  const origins = (...of: readonly ('change' | 'drift' | 'both')[]) => {
    const page = pageOf(buildView({ sections: [buildSection({ rows: of.map((origin) => buildRow({ origin })) })] }));
    return page.match(/class="(?:origin|with-origins)"/g) ?? [];
  };
  expect(origins('change', 'change')).toEqual([]);
  expect(origins('change', 'drift', 'both')).toEqual(['class="with-origins"', 'class="origin"', 'class="origin"']);
});
