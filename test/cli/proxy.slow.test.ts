// The built command with a tenant that only a proxy can reach. What Node trusts is settled when a process starts.
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Certificate, certificateFor } from '../client/self-signed-certificate.ts';
import { type BuiltResult, runBuilt } from '../support/built-command.ts';
import { startHttpProxy } from '../support/http-proxy.ts';
import { startTenant } from '../support/start-tenant.ts';
import { folder as tempFolder } from '../support/temp-folder.ts';

const host = 'tenant.example';
const password = 'planted-proxy-p%40ssword';
const user = 'user:planted-proxy-p@ssword';
const authorityName = 'An authority of a company';
let authority: Certificate;
beforeAll(() => {
  authority = certificateFor(authorityName);
});

/** An embedded tenant behind https, with a certificate of the authority. */
async function startSecureTenant() {
  const tenant = await startTenant({ rate_limit_policies: [] });
  const { port } = new URL(tenant.origin);
  const server = createServer(certificateFor(host, { ...authority, name: authorityName }), (incoming, outgoing) => {
    const { method, url } = incoming;
    // The embedded tenant responds to names of loopback only.
    const headers = { ...incoming.headers, host: `127.0.0.1:${port}` };
    const sent = request({ host: '127.0.0.1', port, method, path: url, headers }, (got) =>
      got.pipe(outgoing.writeHead(got.statusCode ?? 502, got.headers)),
    );
    incoming.pipe(sent);
  });
  const tenantPort = await listen(server);
  const folder = await tempFolder({
    'a.yaml': 'tenant: { name: acme }\nrate_limit_policies: []\n',
    'ca.pem': authority.cert,
  });
  const env = {
    ...tenant.env,
    TENANT_SYNC_BASE_URL: `https://${host}/api/v2`,
    TENANT_SYNC_AUDIENCE: '/api/v2/',
    NODE_EXTRA_CA_CERTS: `${folder}/ca.pem`,
  };
  onTestFinished(() => tenant.close());
  return { folder, env, tenantPort };
}

async function listen(server: ReturnType<typeof createTlsServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const inSync = (result: BuiltResult) => {
  expect(result.stderr).toBe('');
  expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('In sync.') });
};

describe('a tenant behind a proxy', () => {
  test('is read through a tunnel, whose user is not shown', async () => {
    const { folder, env, tenantPort } = await startSecureTenant();
    const proxy = await startHttpProxy({ targets: { [host]: tenantPort }, user });
    const HTTPS_PROXY = `http://user:${password}@${proxy.host}`;
    const result = await runBuilt(['plan', folder, '--debug'], { ...env, HTTPS_PROXY });
    expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('In sync.') });
    expect(new Set(proxy.requests)).toEqual(new Set([`CONNECT ${host}:443`]));
    expect(result.stdout + result.stderr).not.toMatch(/planted-proxy/);
  });

  test('is read through a proxy with https', async () => {
    const { folder, env, tenantPort } = await startSecureTenant();
    const tls = certificateFor('localhost', { ...authority, name: authorityName });
    const proxy = await startHttpProxy({ targets: { [host]: tenantPort }, tls });
    const HTTPS_PROXY = proxy.url.replace('127.0.0.1', 'localhost');
    inSync(await runBuilt(['plan', folder], { ...env, HTTPS_PROXY }));
  });

  test('is read through one that inspects TLS, if its authority is trusted', async () => {
    const { folder, env, tenantPort } = await startSecureTenant();
    const inspector = certificateFor('The authority of the proxy');
    const own = certificateFor(host, { ...inspector, name: 'The authority of the proxy' });
    const inspecting = createTlsServer(own, (client) => {
      const target = connectTls({ host: '127.0.0.1', port: tenantPort, servername: host, ca: authority.cert });
      target
        .on('error', () => client.destroy())
        .pipe(client.on('error', () => target.destroy()))
        .pipe(target);
    });
    inspecting.on('tlsClientError', () => {});
    const proxy = await startHttpProxy({ targets: { [host]: await listen(inspecting) } });
    const untrusted = await runBuilt(['plan', folder], { ...env, HTTPS_PROXY: proxy.url });
    expect(untrusted.code).toBe(1);
    expect(untrusted.stderr).toContain(
      `${host} cannot be reached through the proxy ${proxy.host}: UNABLE_TO_VERIFY_LEAF_SIGNATURE.`,
    );
    expect(untrusted.stderr).toContain(
      'or of the proxy if it inspects TLS; NODE_EXTRA_CA_CERTS adds a certificate authority',
    );
    const ca = await tempFolder({ 'ca.pem': inspector.cert });
    inSync(await runBuilt(['plan', folder], { ...env, HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: `${ca}/ca.pem` }));
  });

  test('is not read if its certificate is for another name', async () => {
    const { folder, env, tenantPort } = await startSecureTenant();
    const proxy = await startHttpProxy({ targets: { 'other.example': tenantPort } });
    const TENANT_SYNC_BASE_URL = 'https://other.example/api/v2';
    const result = await runBuilt(['plan', folder], { ...env, TENANT_SYNC_BASE_URL, HTTPS_PROXY: proxy.url });
    expect(result.code).toBe(1);
    expect(result.stderr).toContain(`through the proxy ${proxy.host}: ERR_TLS_CERT_ALTNAME_INVALID.`);
    expect(result.stderr).toContain('the certificate is for another name: check TENANT_SYNC_BASE_URL');
    expect(result.stderr).not.toContain('NODE_EXTRA_CA_CERTS');
  });

  test('is not read without the user of the proxy', async () => {
    const { folder, env, tenantPort } = await startSecureTenant();
    const proxy = await startHttpProxy({ targets: { [host]: tenantPort }, user });
    const result = await runBuilt(['plan', folder], { ...env, https_proxy: `http://${proxy.host}` });
    expect(result.code).toBe(1);
    expect(result.stderr).toContain(`The proxy ${proxy.host} cannot be used: the proxy responded with status 407.`);
  });
});

test('a tenant on loopback is reached without a proxy', async () => {
  const tenant = await startTenant({ rate_limit_policies: [] });
  onTestFinished(() => tenant.close());
  const folder = await tempFolder({ 'a.yaml': 'tenant: { name: acme }\nrate_limit_policies: []\n' });
  const proxy = await startHttpProxy();
  inSync(await runBuilt(['plan', folder], { ...tenant.env, HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url }));
  expect(proxy.requests).toEqual([]);
});
