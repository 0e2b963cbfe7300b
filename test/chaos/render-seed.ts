import { effectsOf } from './checks/steps-and-items.ts';
import type { History, Step } from './history.ts';
import type { PlayedSeed } from './play-seed.ts';

/** Everything that happened under a seed, as text. */
export function renderSeed({ seed, scenario, schedule, histories, violations }: PlayedSeed): string {
  return [
    `seed ${seed}`,
    ...Object.entries(scenario.files).flatMap(([file, text]) => [`--- ${file}`, text.trimEnd()]),
    '--- schedule',
    JSON.stringify(schedule, null, 2),
    ...histories.flatMap((history, index) => [`--- run ${index + 1}`, ...renderRun(history)]),
    '--- violations',
    ...(violations.length === 0 ? ['none'] : violations.map(({ invariant, message }) => `${invariant}: ${message}`)),
  ].join('\n');
}

function renderRun(history: History): string[] {
  const { command, steps, told, elapsedMs, signal } = history;
  const start = steps.find((step) => step.type === 'request')?.at ?? 0;
  const actions =
    told.plan?.actions.map(
      ({ id, action }, index) =>
        `  ${action} ${id}: ${told.outcomes?.[index]?.outcome ?? 'not told'} ${told.outcomes?.[index]?.message ?? ''}`,
    ) ?? [];
  const findings = told.plan?.findings.map(({ code, kind, key }) => `  ${code} ${kind}/${key}`) ?? [];
  const talk =
    told.plan === null
      ? told.texts.slice(0, 2).map((text) => `  ${text.trim()}`)
      : told.texts.slice(1, 2).map((text) => `  ${text.trim()}`);
  return [
    `${command} answered ${told.code} after ${elapsedMs} ms${signal === null ? '' : `, signal ${signal}`}`,
    ...steps.map((step) => `  ${renderStep(step, start)}`),
    ...actions,
    ...findings,
    ...talk.filter((text) => text.trim() !== ''),
  ];
}

function renderStep(step: Step, start: number): string {
  const effects = effectsOf(step).map(
    ({ kind, target, change, gained, lost }) =>
      `${change} ${kind} ${target}${[...gained.map((name) => ` +${name}`), ...lost.map((name) => ` -${name}`)].join('')}`,
  );
  const what =
    step.type === 'foreign'
      ? 'somebody else'
      : `${step.at - start} ms ${step.method} ${step.path}${step.query} → ${step.status ?? 'broken'}${step.intended === false ? ' (no intent)' : ''}`;
  return effects.length === 0 ? what : `${what}: ${effects.join('; ')}`;
}
