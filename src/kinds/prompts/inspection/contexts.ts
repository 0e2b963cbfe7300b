import { createHash } from 'node:crypto';
import { branchAt, type LiquidTag, liquidCharacters, liquidIn, type Markup } from './liquid.ts';
import { type Reading, readTokens } from './reading.ts';

/** Something at an offset, and the markup that it is a part of. */
interface Placed {
  readonly subject: string;
  readonly from: number;
  readonly to: number;
  /** True if Liquid prints it elsewhere. */
  readonly isKept: boolean;
}

/** Tags that set what others print or compare. */
const setters = new Set(['assign', 'endcapture', 'increment', 'decrement', 'cycle', 'liquid']);

/**
 * What decides whether something in a text is active, and what it is. Where it is the same, nothing became active:
 *
 *   - whether it is a tag, or in a value, a comment or a text, and in which elements
 *   - the block of Liquid that it is in, with all its conditions, and what sets variables
 *   - the outputs in it
 *   - the complete text, if its structure depends on Liquid
 */
export function contextsOf(
  original: string,
  markup: Markup,
  isUncertain: boolean,
  report: (message: string, at: number) => void,
): (one: Placed) => string {
  const { tags } = markup;
  const isStopped = tags.some(({ isFlow }) => isFlow);
  const digestOf = digests();
  const all = digestOf(sourcesOf(tags));
  const set = digestOf(sourcesOf(tags.filter(({ name }) => setters.has(name))));
  const blockOf = blocks(tags, (members) => {
    const hasCapture = members.some(({ name }) => name === 'capture');
    return `${digestOf(sourcesOf(members))} ${hasCapture ? all : ''}`;
  });
  const branches = new Map<number, string>([[0, '']]);

  function branchContext(branch: number): string {
    const found = branches.get(branch);
    if (found !== undefined) return found;
    const { first, digest } = blockOf(branch);
    const context = `${branch - first} ${digest} ${set}`;
    branches.set(branch, context);
    return context;
  }

  const describe = (branch: number, text: string) => digestOf(`${text} ${branchContext(branch)}`);
  const reading: Reading = readTokens(markup, describe, report);
  const structure = isUncertain || isStopped || reading.isUncertain ? digestOf(original) : '';
  const common = `${markup.error === null ? '' : 'broken'} ${structure}`;

  return ({ subject, from, to, isKept }) => {
    const place = `${reading.regionAt(from)} ${reading.elementsAt(from)} ${branchContext(branchAt(tags, from))}`;
    const outputs = liquidCharacters.test(subject) ? `${digestOf(sourcesOf(liquidIn(tags, from, to)))} ${set}` : '';
    return [common, isKept ? all : '', place, outputs].join(' | ');
  };
}

interface Block {
  readonly first: number;
  readonly members: LiquidTag[];
  digest: string;
}

/** The outermost block of each branch: its first branch, and what `describe` makes of all its tags. */
function blocks(
  tags: readonly LiquidTag[],
  describe: (members: readonly LiquidTag[]) => string,
): (branch: number) => Pick<Block, 'first' | 'digest'> {
  const found = new Map<number, Block>();
  let current: Block | null = null;
  for (const tag of tags) {
    if (tag.branch === 0) {
      // The end of the block, which has what it captured.
      if (tag.name.startsWith('end')) current?.members.push(tag);
      current = null;
      continue;
    }
    current ??= { first: tag.branch, members: [], digest: '' };
    if (tag.name !== '') current.members.push(tag);
    found.set(tag.branch, current);
  }
  for (const block of new Set(found.values())) block.digest = describe(block.members);
  return (branch) => found.get(branch) ?? { first: branch, digest: '' };
}

function sourcesOf(tags: readonly LiquidTag[]): string {
  return tags.map(({ source }) => source).join('\n');
}

function digests(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const digest = known.get(text) ?? createHash('sha256').update(text).digest('base64url');
    known.set(text, digest);
    return digest;
  };
}
