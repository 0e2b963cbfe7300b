// Rate limit policies that name their client, in a plan with an earlier commit as its base.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Plan } from '../../src/model/plan.generated.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { buildLivePolicy } from '../support/build-live-policy.ts';
import { runCommand } from '../support/run-command.ts';
import { scratchRepository } from '../support/scratch-repository.ts';
import { testClient } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const prefix = 'oauth_authentication_api/client/';
const client = (client_id: string, name: string) => ({ client_id, name, client_secret: 'secret-of-it', scopes: [] });
const policyOf = (id: string, limit: number) =>
  buildLivePolicy({ id: `rlp_${id}`, consumer_selector: `client_id:${id}`, configuration: { action: 'block', limit } });

const declared = (text: string, limit: number) =>
  `  - { ${text}, configuration: { action: block, limit: ${limit} } }\n`;
const head = 'rate_limit_policies:\n';
const shop = declared('client: Web shop', 100);
const old = declared('client: Old shop', 5);

interface Given {
  readonly base: string;
  readonly now: string;
  readonly limits?: readonly [shop: number, old: number];
}

async function scene({ base, now, limits: [ofShop, ofOld] = [100, 5] }: Given) {
  const seed: Seed = {
    clients: [testClient, client('shop1', 'Web shop'), client('old1', 'Old shop')],
    rate_limit_policies: [policyOf('shop1', ofShop), policyOf('old1', ofOld)],
  };
  const { env, tenant } = await tenantWith(seed);
  const repository = await scratchRepository({ 'all.yaml': base });
  const ref = repository.git('rev-parse', 'HEAD');
  await repository.write({ 'all.yaml': now });
  const run = (...[command = '', ...options]: readonly string[]) =>
    runCommand([command, repository.path, ...options], { env: { ...repository.env, ...env } });
  const plan = async (...options: readonly string[]) => {
    const report = join(await folder({}), 'plan.json');
    const { code, stderr } = await run('plan', '--base', ref, '--report', `json=${report}`, ...options);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('error')]);
    const { actions } = JSON.parse(await readFile(report, 'utf8')) as Plan;
    return actions.map(({ action, kind, key, origin }) => `${action} ${kind}/${key.replace(prefix, '')}: ${origin}`);
  };
  const live = () => (tenant.snapshot().rate_limit_policies ?? []).map((one) => one.consumer_selector);
  return { run, plan, ref, live };
}

test('one that the files do not have any more is deleted, whether they name other clients or not', async () => {
  for (const left of [shop, declared('consumer_selector: "client_id:shop1"', 100)]) {
    const { plan, run, ref, live } = await scene({ base: head + left + old, now: head + left });
    const wanted = ['delete rate_limit_policies/client:Old shop: change'];
    expect(await plan()).toEqual(wanted);
    expect(await plan('--changed')).toEqual(wanted);
    const saved = join(await folder({}), 'saved.json');
    await run('plan', '--base', ref, '--changed', '--out', saved);
    expect(await run('apply', '--plan', saved, '--yes')).toMatchObject({ code: 0 });
    expect(live()).toEqual(['client_id:shop1']);
  }
});

test('a change, a drift and both are told apart', async () => {
  const now = declared('client: Web shop', 50);
  expect(await (await scene({ base: head + shop + old, now: head + now + old })).plan()).toEqual([
    'update rate_limit_policies/client:Web shop: change',
  ]);
  const moved = await scene({ base: head + shop + old, now: head + now + old, limits: [80, 4] });
  expect(await moved.plan()).toEqual([
    'update rate_limit_policies/client:Old shop: drift',
    'update rate_limit_policies/client:Web shop: both',
  ]);
});

test('a name in place of an id changes nothing on the tenant', async () => {
  const base = head + declared('consumer_selector: "client_id:shop1"', 100) + old;
  const { plan } = await scene({ base, now: head + shop + old });
  expect([await plan(), await plan('--changed')]).toEqual([[], []]);
});

test('a renamed client keeps its policy, which is no change', async () => {
  const clients = (text: string) => `clients:\n  - { ${text} }\n`;
  const renamed = shop.replace('Web shop', 'Shop');
  const base = clients('name: Web shop') + head + shop + old;
  const now = clients('name: Shop, renamed_from: Web shop') + head + renamed + old;
  const { plan } = await scene({ base, now, limits: [80, 5] });
  expect(await plan()).toEqual(['update rate_limit_policies/client:Shop: drift', 'update clients/Shop: change']);
});
