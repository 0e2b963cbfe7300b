// Documents of several tenants: what all of them have in common, and what is peculiar to each.

import type { Plan } from '../../src/model/plan.generated.ts';
import type { ReportDocument } from '../../src/report/document.ts';
import { buildAction, deletePolicy } from '../support/build-action.ts';
import { buildFinding, buildOutcomes, buildPlan, buildRefusal } from '../support/build-plan.ts';

const tenantOf = (name: string): Plan['tenant'] => ({
  name,
  base_url: `https://${name}.acme.example/api/v2`,
  api: 'full',
});
const policy = 'oauth_authentication_api/client/';

/** Changes of a base layer; ids and states differ by tenant. */
function baseChanges(name: string) {
  return [
    deletePolicy('client_id:legacy', `rlp_${name}_1`, {
      effects: [
        {
          code: 'POLICY_FALLBACK',
          severity: 'critical',
          message: 'falls back to default: allow (now: block above 20/s)',
          kind: 'rate_limit_policies',
          key: `${policy}client_id:legacy`,
          reach: 'all',
        },
      ],
    }),
    buildAction({
      key: `${policy}default`,
      action: 'update',
      reason: 'different',
      before: { id: `rlp_${name}_2`, limit: 100 },
      after: { limit: 50 },
      changes: [{ field: 'configuration.limit', before: 100, after: 50 }],
      source: { file: 'base/policies.yaml', line: 3, column: 5 },
    }),
  ];
}

const unreachable: ReportDocument = {
  type: 'diagnostics',
  tenant: 'hooli',
  command: 'plan',
  files: 0,
  diagnostics: [
    {
      code: 'SERVICE_UNREACHABLE',
      severity: 'error',
      message: 'hooli: https://hooli.acme.example cannot be reached.',
      hint: 'check the base URL and the network',
    },
  ],
};

const plans: readonly Plan[] = [
  plan('acme-dev', { actions: baseChanges('dev') }),
  plan('acme-prod', { actions: baseChanges('prod') }),
  plan('globex', {
    actions: [...baseChanges('globex'), deletePolicy('client_id:globex-crm', 'rlp_g')],
    refusals: [buildRefusal([`rate_limit_policies/${policy}client_id:globex-crm#rlp_g`], { live: 2 })],
    findings: [
      buildFinding('LIVE_PROTECTED', { message: 'on the tenant but not declared; kept because it is protected' }),
    ],
  }),
  plan('initech', {}),
  plan('umbrella', {}),
];

function plan(name: string, parts: Partial<Plan>): Plan {
  return buildPlan({ tenant: tenantOf(name), ...parts });
}

/** The outcome of every action of a plan: all done, or on globex the last one failed. */
function outcomesOf(of: Plan): ReportDocument {
  const outcomes = of.actions.map(({ id, key }) =>
    key.endsWith('globex-crm')
      ? ({ id, outcome: 'failed', status: 403, message: 'status 403: insufficient scope' } as const)
      : ({ id, outcome: 'done', status: 204, message: null } as const),
  );
  return { type: 'outcomes', outcomes: buildOutcomes({ ...of, refusals: [] }, outcomes) };
}

/** Plans, drift and outcomes of the same tenants; one of them cannot be reached. */
export const fleet: Readonly<Record<'plan' | 'drift' | 'apply', readonly ReportDocument[]>> = {
  plan: [...plans.map((one) => ({ type: 'plan', plan: one, diagnostics: [] }) as const), unreachable],
  drift: [...plans.map((one) => ({ type: 'drift', plan: one, diagnostics: [] }) as const), unreachable],
  apply: plans.map(outcomesOf),
};
