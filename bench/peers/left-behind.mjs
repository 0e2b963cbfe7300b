// What a tool leaves in the tenant when a connection is reset in the middle of its apply. One run each: nothing here is timed.
import { comparable } from './live-state.mjs';
import { prepare, runOnTenant } from './measure.mjs';

/** `kept` counts what both states hold, before the run; `left` how much of that is still there. */
export async function leftBehind({ cli, tools, folder }, accident) {
  const prepared = await prepare(folder, accident);
  const before = itemsOf(comparable(accident.live));
  const declared = new Set(itemsOf(comparable(accident.declared)));
  const kept = before.filter((item) => declared.has(item));
  const found = {};
  for (const tool of tools) {
    const run = await runOnTenant({
      cli,
      tool,
      task: { ...accident, task: 'apply' },
      serve: ['--fault', accident.fault],
      ...prepared,
    });
    const live = new Set(itemsOf(run.live));
    found[tool.name] = {
      exitCode: run.exitCode,
      requests: run.requests,
      kept: kept.length,
      left: kept.filter((item) => live.has(item)).length,
      asDeclared: live.size === declared.size && [...declared].every((item) => live.has(item)),
    };
  }
  return found;
}

function itemsOf({ policies, roles }) {
  return [
    ...policies,
    ...Object.entries(roles).flatMap(([name, permissions]) => permissions.map((permission) => `${name} ${permission}`)),
  ];
}
