/**
 * How the runner of GitHub Actions finds commands in a log: `::name properties::message` at the start of a line once white
 * space is trimmed, or `##[name properties]message` anywhere in it. Written from its rules, and stricter: any name counts.
 */
export interface RunnerCommand {
  readonly form: '::' | '##[';
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
}

export function runnerCommands(output: string): RunnerCommand[] {
  return output.split(/\r\n|\r|\n/).flatMap((line) => colonCommand(line) ?? bracketCommand(line) ?? []);
}

function colonCommand(line: string): RunnerCommand | undefined {
  const text = line.trimStart();
  const end = text.indexOf('::', 2);
  if (!text.startsWith('::') || end < 0) return undefined;
  const [name = '', ...rest] = text.slice(2, end).split(' ');
  const pairs = rest
    .join(' ')
    .split(',')
    .filter((pair) => pair.includes('='))
    .map((pair) => [
      pair.slice(0, pair.indexOf('=')),
      resolve(pair.slice(pair.indexOf('=') + 1), { '%0D': '\r', '%0A': '\n', '%3A': ':', '%2C': ',' }),
    ]);
  return {
    form: '::',
    name,
    properties: Object.fromEntries(pairs),
    message: resolve(text.slice(end + 2), { '%0D': '\r', '%0A': '\n' }),
  };
}

function bracketCommand(line: string): RunnerCommand | undefined {
  const start = line.indexOf('##[');
  const end = line.indexOf(']', start);
  if (start < 0 || end < 0) return undefined;
  return { form: '##[', name: line.slice(start + 3, end), properties: {}, message: line.slice(end + 1) };
}

function resolve(text: string, escapes: Readonly<Record<string, string>>): string {
  return Object.entries({ ...escapes, '%25': '%' }).reduce((result, [from, to]) => result.replaceAll(from, to), text);
}
