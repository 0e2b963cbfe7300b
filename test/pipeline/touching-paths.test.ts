// The paths whose changes may change a plan.
import { expect, test } from 'vitest';
import { touchingPaths } from '../../src/pipeline/settings.ts';

const pathsOf = (folder: string, options: readonly string[] = [], paths: readonly string[] = []) =>
  touchingPaths({ folder, options, paths }, '/srv/repo');

test('the folder, and attributes of git at it and above', () => {
  expect(pathsOf('tenant')).toEqual(['tenant', '.gitattributes']);
  expect(pathsOf('infra/tenant')).toEqual(['infra/tenant', '.gitattributes', 'infra/.gitattributes']);
  expect(pathsOf('.')).toEqual(['.']);
});

test('the paths that a job names', () => {
  expect(pathsOf('tenant', [], ['package-lock.json'])).toEqual(['tenant', 'package-lock.json', '.gitattributes']);
});

test.each([
  ['--var-file=vars/prod.yaml', ['vars/prod.yaml']],
  ['--varFile=./vars/../prod.yaml', ['prod.yaml']],
  ['--var-file=/srv/repo/prod.yaml', ['prod.yaml']],
  ['--var-file=/run/secrets/prod.yaml', []],
  ['--var-file=../prod.yaml', []],
  ['--var=file=a.yaml', []],
])('the file of %s', (option, expected) => {
  const found = pathsOf('tenant', [option]);
  expect(found.filter((path) => path !== 'tenant' && !path.endsWith('.gitattributes'))).toEqual(expected);
});
