// What each tool reads, written from one declared state. Deletions are allowed to both.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';

/** Answers the places of the files. */
export async function writeFiles(folder, { rate_limit_policies, roles, prompts }, peerConnection) {
  const declared = {
    policies: rate_limit_policies?.map(({ id: _id, created_at: _created, updated_at: _updated, ...item }) => item),
    roles: roles?.map(({ id: _id, ...item }) => item),
    prompts,
  };
  const place = { ours: join(folder, 'ours'), peerFolder: join(folder, 'peer'), peerConfig: join(folder, 'peer.json') };
  await writeOurs(place.ours, declared);
  const included = await writePeers(place.peerFolder, declared);
  await writeFile(
    place.peerConfig,
    JSON.stringify({ ...peerConnection, AUTH0_ALLOW_DELETE: true, AUTH0_INCLUDED_ONLY: included }),
  );
  return place;
}

async function writeOurs(folder, { policies, roles, prompts }) {
  const tenant = { name: 'bench', guards: { max_delete_percent: 100, max_delete_count: 100_000 } };
  const sections = {
    tenant,
    ...(policies && { rate_limit_policies: policies }),
    ...(roles && { roles }),
    ...(prompts && { prompts }),
  };
  await write(join(folder, 'tenant.yaml'), stringify(sections));
}

/** As its own export to a directory would: of its two forms the one that it checks once and not twice. Answers the kinds. */
async function writePeers(folder, { policies, roles, prompts }) {
  for (const [index, item] of (policies ?? []).entries())
    await write(join(folder, 'rate-limit-policies', `${index}.json`), JSON.stringify(item));
  for (const item of roles ?? []) await write(join(folder, 'roles', `${item.name}.json`), JSON.stringify(item));
  if (prompts) await writePeersPartials(join(folder, 'prompts'), prompts);
  return [...(policies ? ['rateLimitPolicies'] : []), ...(roles ? ['roles'] : []), ...(prompts ? ['prompts'] : [])];
}

/** A list of all texts, each in a file of its own. */
async function writePeersPartials(folder, prompts) {
  const listed = {};
  for (const [prompt, { partials }] of Object.entries(prompts)) {
    const screens = {};
    for (const [screen, points] of Object.entries(partials)) {
      screens[screen] = [];
      for (const [name, text] of Object.entries(points)) {
        const template = join('partials', prompt, screen, `${name}.liquid`);
        await write(join(folder, template), text);
        screens[screen].push({ name, template });
      }
    }
    listed[prompt] = [screens];
  }
  await write(join(folder, 'partials.json'), JSON.stringify(listed));
}

async function write(file, text) {
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, text);
}
