import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
// Who gets what is sent to an address, also of one that no parser accepts, and the origins that a text names.
import { expect, test } from 'vitest';
import { hostOf, isCovered, originsIn } from '../../src/values/hosts.ts';

test.each<[string, string | null]>([
  ['https://shop.example/callback', 'shop.example'],
  ['HTTPS://Shop.Example:443/Callback', 'shop.example'],
  ['https://shop.example:8443', 'shop.example:8443'],
  ['https://user:pw@shop.example/x', 'shop.example'],
  ['https://shop.example@evil.example/x', 'evil.example'],
  ['https://evil.example\\@shop.example/x', 'evil.example'],
  ['https:evil.example', 'evil.example'],
  ['  https://shop.ex\nample/x ', 'shop.example'],
  ['https://ex%61mple.com', 'example.com'],
  ['https://münchen.example', 'xn--mnchen-3ya.example'],
  ['http://localhost:3000/cb', 'http://localhost:3000'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
  ['//shop.example/x', 'shop.example'],
  ['shop.example/x', 'shop.example'],
  ['SHOP.example:25', 'shop.example:25'],
  ['https://*.shop.example/cb', '*.shop.example'],
  ['https://{organization_name}.shop.example/cb', '{organization_name}.shop.example'],
  ['https://${var:HOST}/cb', '${var:host}'],
  ['https://a b.example/x?token=secret', 'a b.example'],
  ['https://user:pw@a b.example/x', 'a b.example'],
  ['com.example.app://Callback/x', 'com.example.app://callback'],
  ['com.example.app:/callback', 'com.example.app:'],
  ['com.example.app:callback?code=1', 'com.example.app:'],
  ['javascript:alert(1)', 'javascript:'],
  ['*', '*'],
  ['/login', null],
  ['?x', null],
  ['', null],
  ['   ', null],
])('%j', (address, host) => {
  expect(hostOf(address)).toBe(host);
});

test.each<[string, readonly string[], boolean]>([
  ['a.example', ['a.example'], true],
  ['a.example', ['b.example'], false],
  ['shop.a.example', ['*.a.example'], true],
  ['x.shop.a.example', ['*.a.example'], false],
  ['a.example', ['*.a.example'], false],
  ['shop.a.example:8443', ['*.a.example'], false],
  ['http://shop.a.example', ['*.a.example'], false],
  ['shop.aXexample', ['*.a.example'], false],
  ['*.a.example', ['shop.a.example'], false],
  ['pr-7.a.example', ['pr-*.a.example'], true],
  ['a.example', ['*'], false],
  ['localhost', ['*'], true],
])('%s is one of %j: %s', (host, known, expected) => {
  expect(isCovered(host, known)).toBe(expected);
});

test.each<[string, readonly string[]]>([
  ["fetch('https://api.example/v1?x')", ['https://api.example']],
  ["fetch('https://api.example/a'); fetch(`https://API.example/b`)", ['https://api.example']],
  ['<script src=//cdn.example/x.js>', ['https://cdn.example']],
  ['<a href="//cdn.example">', ['https://cdn.example']],
  ['{"url":"https:\\/\\/api.example\\/x"}', ['https://api.example']],
  ['url(//img.example/a.png)', ['https://img.example']],
  ['ws://live.example:8080/s', ['ws://live.example:8080']],
  ['"https://user:pw@api.example/x"', ['https://api.example']],
  ['`https://${tenant}.api.example/x`', ['https://${tenant}.api.example']],
  ['// a comment about //nothing', []],
  ['xmlns="http://www.w3.org/2000/svg"', []],
  ["require('axios')", []],
  ['a // b.example', []],
])('%s', (text, origins) => {
  expect(originsIn(text)).toEqual(origins);
});

test('no code asks URL.canParse, which is wrong once it is optimized', () => {
  const src = join(import.meta.dirname, '..', '..', 'src');
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => readFileSync(join(src, file), 'utf8').includes('URL.canParse('))).toEqual([]);
});
