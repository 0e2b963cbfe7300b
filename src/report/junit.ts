import { type Check, checksOf, type Passed, placeText, uniqueNames } from './checks.ts';
import type { ReportDocument } from './document.ts';
import type { FormatContext, Renderer } from './formats.ts';
import { repositoryPath } from './repository-path.ts';
import { xmlAttribute, xmlText } from './xml.ts';

/**
 * JUnit XML, for the test reports of GitLab, Jenkins and others: one suite for each kind, one test case for each item.
 * Names do not contain places, so that a test case keeps its history when lines move. There is always a test case:
 * Jenkins takes a report without one for an error.
 */
export const junitOf: Renderer = function* (documents, context) {
  const start = '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name=';
  // The sums of several would be known after the last one.
  if (documents.length > 1) yield `${start}"tenant-sync report">\n`;
  for (const document of documents) {
    const suites = suitesOf(document, context);
    const title = xmlAttribute(`tenant-sync ${titleOf(document)}`);
    if (documents.length === 1) yield `${start}${title}${countsOf(suites.flatMap(({ cases }) => cases))}>\n`;
    for (const line of suites.flatMap(suiteLines)) yield `${line}\n`;
  }
  yield '</testsuites>\n';
};

interface Suite {
  readonly name: string;
  readonly className: string;
  readonly cases: readonly Case[];
}

interface Case {
  readonly name: string;
  readonly result: Check['result'];
  readonly code: string;
  readonly text: string;
}

function titleOf(document: ReportDocument): string {
  return document.type === 'diagnostics' ? document.command : document.type;
}

function suitesOf(document: ReportDocument, { kinds, folder }: FormatContext): readonly Suite[] {
  const { found, passed } = checksOf(document, kinds);
  const groups = new Map<string, Case[]>();
  const add = (group: string, one: Case) => {
    const known = groups.get(group);
    if (known === undefined) groups.set(group, [one]);
    else known.push(one);
  };
  for (const check of passed) add(check.group, passedCase(check));
  for (const check of found) add(check.group, caseOf(check, folder));
  const tenant = tenantOf(document);
  return [...groups].map(([group, cases]) => {
    const names = uniqueNames(cases.map(({ name }) => name));
    return {
      name: tenant === null ? group : `${tenant}: ${group}`,
      className: `tenant-sync.${titleOf(document)}.${group}`,
      cases: cases.map((one, index) => ({ ...one, name: names[index] ?? one.name })),
    };
  });
}

function tenantOf(document: ReportDocument): string | null {
  if (document.type === 'plan' || document.type === 'drift') return document.plan.tenant.name;
  return document.type === 'outcomes' ? document.outcomes.plan.tenant.name : null;
}

function passedCase({ name, problem }: Passed): Case {
  return { name, result: problem === null ? 'passed' : 'failed', code: 'PLAN_INCOMPLETE', text: problem ?? '' };
}

function caseOf(check: Check, folder: string): Case {
  const place = placeText(check);
  const lines = [check.text, ...(place === null ? [] : [repositoryPath(place, folder)])];
  return { name: check.name, result: check.result, code: check.code, text: lines.join('\n') };
}

function suiteLines({ name, className, cases }: Suite): readonly string[] {
  return [
    `  <testsuite name=${xmlAttribute(name)}${countsOf(cases)} skipped="${count(cases, 'skipped')}">`,
    ...cases.flatMap((one) => caseLines(one, xmlAttribute(className))),
    '  </testsuite>',
  ];
}

function countsOf(cases: readonly Case[]): string {
  return ` tests="${cases.length}" failures="${count(cases, 'failed')}" errors="${count(cases, 'error')}"`;
}

function count(cases: readonly Case[], wanted: Check['result']): number {
  return cases.filter(({ result }) => result === wanted).length;
}

function caseLines({ name, result, code, text }: Case, className: string): readonly string[] {
  const start = `    <testcase name=${xmlAttribute(name)} classname=${className}`;
  const inside = insideOf(result, code, text);
  return inside === null ? [`${start}/>`] : [`${start}>`, `      ${inside}`, '    </testcase>'];
}

function insideOf(result: Check['result'], code: string, text: string): string | null {
  const [first = ''] = text.split('\n');
  const about = `type=${xmlAttribute(code)} message=${xmlAttribute(first)}`;
  switch (result) {
    case 'failed':
      return `<failure ${about}>${xmlText(text)}</failure>`;
    case 'error':
      return `<error ${about}>${xmlText(text)}</error>`;
    case 'skipped':
      return `<skipped>${xmlText(text)}</skipped>`;
    case 'passed':
      return text === '' ? null : `<system-out>${xmlText(text)}</system-out>`;
  }
}
