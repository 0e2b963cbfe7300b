import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { plainStyle } from '../../src/report/terminal.ts';
import { standInKinds } from '../support/stand-in-kinds.ts';
import { renderPlan } from './render.ts';
import { hostilePlan, sampleReports } from './sample-reports.ts';

const context = { style: plainStyle, kinds: standInKinds, folder: '' };

describe('JSON', () => {
  const schemas = join(import.meta.dirname, '../../schemas');
  const read = (name: string) => JSON.parse(readFileSync(join(schemas, `${name}.schema.json`), 'utf8'));
  const ajv = new Ajv2020({
    schemas: ['kinds', 'plan', 'outcomes', 'diagnostics'].map(read),
    strict: false,
    validateFormats: false,
  });

  test.each(Object.entries(sampleReports).filter(([name]) => !name.includes('hostile')))(
    '%s matches its schema',
    (name, render) => {
      const schema = name.startsWith('diagnostics') ? 'diagnostics' : name.startsWith('outcomes') ? 'outcomes' : 'plan';
      expect(ajv.validate(`${schema}.schema.json`, JSON.parse(render('json'))), ajv.errorsText()).toBe(true);
    },
  );

  test('of a plan is the plan in both views', () => {
    expect(JSON.parse(renderPlan(hostilePlan, 'plan', 'json', context))).toEqual(hostilePlan);
    expect(renderPlan(hostilePlan, 'drift', 'json', context)).toBe(renderPlan(hostilePlan, 'plan', 'json', context));
  });
});
