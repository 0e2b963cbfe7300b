// A service that stores a redirect_uri in another spelling than it was sent in.
import { expect, test } from 'vitest';
import { tenantResources } from '../../src/embedded-tenant/kinds/registry.generated.ts';
import type { TenantResource, TenantRoute } from '../../src/model/tenant-resource.ts';
import type { Configuration } from '../../src/service/rate-limit-policies/types.generated.ts';
import { policyFile } from '../config/file-texts.ts';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

/** Every policy is stored with the URI as the parser of Node writes it. */
const normalizing: readonly TenantResource[] = tenantResources.map((resource) =>
  resource.section === 'rate_limit_policies'
    ? { ...resource, routes: resource.routes.map((route) => (isWrite(route) ? normalized(route) : route)) }
    : resource,
);

function isWrite({ operation }: TenantRoute): boolean {
  return operation.method === 'POST' || operation.method === 'PATCH';
}

function normalized(route: TenantRoute): TenantRoute {
  return {
    ...route,
    respond(request, context) {
      const body = request.body as { readonly configuration: Configuration };
      const { configuration } = body;
      if (configuration.action !== 'redirect') return route.respond(request, context);
      const redirect_uri = new URL(configuration.redirect_uri).href;
      return route.respond(
        { ...request, body: { ...body, configuration: { ...configuration, redirect_uri } } },
        context,
      );
    },
  };
}

test('a created and an updated policy are verified, and the next plan is empty', async () => {
  const tenant = await tenantWith({ rate_limit_policies: [] }, { resources: normalizing });
  const run = async (command: string, uri: string, ...options: string[]) => {
    const file = policyFile(`{ action: redirect, limit: 5, redirect_uri: "${uri}" }`);
    return runCommand([command, await folder({ 'a.yaml': file }), ...options], { env: tenant.env });
  };
  for (const uri of ['HTTPS://Acme.example:443/a/../busy', 'https://acme.EXAMPLE']) {
    const applied = await run('apply', uri, '--yes', '--format', 'json');
    expect(applied.code, applied.stderr).toBe(0);
    expect(JSON.parse(applied.stdout)).toMatchObject({ verification: { result: 'verified', not_shown: [] } });
    expect((await run('plan', uri, '--exit-code')).code).toBe(0);
    expect((await run('drift', uri)).code).toBe(0);
  }
  expect(tenant.tenant.snapshot().rate_limit_policies?.[0]?.configuration).toEqual({
    action: 'redirect',
    limit: 5,
    redirect_uri: 'https://acme.example/',
  });
});
