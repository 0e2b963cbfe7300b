import { describe, expect, test } from 'vitest';
import { renderProblems } from './render.ts';

describe('diagnostics', () => {
  test.each([
    [[], 0, 'No problems\n'],
    [[], 5, 'No problems in 5 files\n'],
    [['warning'], 1, '1 warning in 1 file\n'],
    [['error', 'error', 'error', 'warning'], 5, '3 errors, 1 warning in 5 files\n'],
    [['error'], 0, '1 error\n'],
  ] as const)('%j in %i files', (severities, files, summary) => {
    const source = { file: 'a.yaml', line: 1, column: 2 };
    const diagnostics = severities.map((severity) => ({
      code: 'CONFIG_TOO_LONG' as const,
      severity,
      message: 'm',
      source,
    }));
    expect(renderProblems(diagnostics, 'text', files).endsWith(summary)).toBe(true);
  });

  test('files are not counted if a diagnostic is about something else', () => {
    const diagnostic = { code: 'ENV_INVALID', severity: 'error', message: 'm' } as const;
    expect(renderProblems([diagnostic], 'text', 5).endsWith('\n1 error\n')).toBe(true);
  });

  test('a file name cannot be a workflow command', () => {
    const text = renderProblems(
      [
        {
          code: 'CONFIG_YAML_SYNTAX',
          severity: 'error',
          message: 'm',
          source: { file: '::error::.yaml', line: 1, column: 2 },
        },
      ],
      'text',
      1,
    );
    expect(text.split('\n')[0]).toBe(': :error::.yaml:1:2  error  CONFIG_YAML_SYNTAX');
  });
});
