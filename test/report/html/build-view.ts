import { pageEnd, pageStart, viewArticle } from '../../../src/report/html/render-html.ts';
import { openPlaces } from '../../../src/report/html/rows.ts';
import { openSideBySide } from '../../../src/report/html/side-by-side.ts';
import { type PlanView, Row, type ViewSection } from '../../../src/report/view/plan-view.ts';

/** A row of a changed policy, with what differs from it. */
export function buildRow(fields: Partial<Row> = {}): Row {
  return new Row({
    section: 'changes',
    sign: '~',
    verb: 'change',
    kind: 'rate_limit_policies',
    key: 'oauth_authentication_api/client/third_party_clients',
    noun: 'policy',
    name: 'third_party_clients',
    what: 'limit 200 → 50',
    place: 'rate-limit-policies.yaml:10',
    source: { file: 'rate-limit-policies.yaml', line: 10, column: 5 },
    details: () => [{ label: 'request', text: 'PATCH /rate-limit-policies/rlp_1' }],
    ...fields,
  });
}

export function buildSection(fields: Partial<ViewSection> = {}): ViewSection {
  return {
    name: 'changes',
    title: 'Changes',
    weight: 'visible',
    rows: [buildRow()],
    notes: [],
    ...fields,
  };
}

export function buildView(fields: Partial<PlanView> = {}): PlanView {
  return {
    name: 'plan',
    tenant: { name: 'acme', baseUrl: 'https://login.acme.example/api/v2' },
    tenants: [],
    facts: [],
    headline: ['1 change'],
    sentences: [],
    sections: [buildSection()],
    remarks: [],
    sends: '',
    closing: [],
    ...fields,
  };
}

/** The page of a view. */
export function pageOf(view: PlanView): string {
  const page = { sideBySide: openSideBySide(), placeOf: openPlaces({}) };
  const article = viewArticle(view, { ...page, prefix: '' });
  return pageStart(article.title) + article.body.text + pageEnd;
}
