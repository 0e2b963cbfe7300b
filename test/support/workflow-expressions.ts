// The expressions of GitHub Actions that the example workflows use.

export interface ExpressionContext {
  readonly values: Readonly<Record<string, unknown>>;
  readonly functions: Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;
}

/** Replaces every `${{ … }}` of a text. */
export function fillIn(text: string, context: ExpressionContext): string {
  return text.replaceAll(/\$\{\{(.*?)\}\}/gs, (_, expression: string) => {
    const value = evaluate(expression, context);
    return value === null || value === undefined ? '' : String(value);
  });
}

const common: ExpressionContext['functions'] = {
  fromJSON: (text) => JSON.parse(String(text)),
  contains: (text, part) => String(text ?? '').includes(String(part)),
  format: (text, ...args) => String(text).replaceAll(/\{(\d)\}/g, (_, at) => String(args[at] ?? '')),
};

export function evaluate(expression: string, { values, functions }: ExpressionContext): unknown {
  const tokens = expression.match(/'(?:[^']|'')*'|&&|\|\||==|!=|[!(),]|[\w.-]+/g) ?? [];
  let at = 0;
  const take = (token: string) => tokens[at] === token && ++at > 0;
  const or = (): unknown => {
    let left = and();
    while (take('||')) {
      const right = and();
      left = isTrue(left) ? left : right;
    }
    return left;
  };
  const and = (): unknown => {
    let left = equality();
    while (take('&&')) {
      const right = equality();
      left = isTrue(left) ? right : left;
    }
    return left;
  };
  const equality = (): unknown => {
    const left = unary();
    if (take('==')) return String(left ?? '') === String(unary() ?? '');
    if (take('!=')) return String(left ?? '') !== String(unary() ?? '');
    return left;
  };
  const unary = (): unknown => (take('!') ? !isTrue(unary()) : primary());
  const primary = (): unknown => {
    if (take('(')) {
      const value = or();
      expect(')');
      return value;
    }
    const token = tokens[at++] ?? '';
    if (token.startsWith("'")) return token.slice(1, -1).replaceAll("''", "'");
    if (take('(')) {
      const args: unknown[] = [];
      while (!take(')')) {
        args.push(or());
        take(',');
      }
      const call = functions[token] ?? common[token];
      if (call === undefined) throw new Error(`unknown function ${token}`);
      return call(...args);
    }
    if (/^\d+$/.test(token)) return Number(token);
    if (token === 'true' || token === 'false') return token === 'true';
    const [first = '', ...rest] = token.split('.');
    if (!(first in values)) throw new Error(`unknown context ${first}`);
    return rest.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], values[first]);
  };
  const expect = (token: string) => {
    if (!take(token)) throw new Error(`"${token}" expected in ${expression}`);
  };
  const value = or();
  if (at !== tokens.length) throw new Error(`unexpected "${tokens[at]}" in ${expression}`);
  return value;
}

export function isTrue(value: unknown): boolean {
  return value !== false && value !== null && value !== undefined && value !== '' && value !== 0;
}
