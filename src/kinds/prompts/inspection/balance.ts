import type { Markup } from './liquid.ts';

/** Checks that elements are closed, along the tokens of a text. */
export interface Balance {
  open(name: string, at: number, selfClosing: boolean): void;
  close(name: string, at: number): void;
  end(): void;
  /** True inside of SVG and MathML, as far as tags show it. */
  isForeign(): boolean;
}

/** Open elements, innermost first. Lists share their ends, so that a branch costs nothing. */
type Open = { readonly name: string; readonly at: number; readonly below: Open } | null;

const empty = new Set(
  'area base br col embed hr img input link meta param source track wbr basefont bgsound frame keygen'.split(' '),
);
/** Elements that may stay open: the next one, or the end of their parent, closes them. */
const optional = new Set(
  'p li dt dd option optgroup thead tbody tfoot tr td th colgroup caption rb rt rtc rp html head body'.split(' '),
);
export function isEmpty(name: string): boolean {
  return empty.has(name);
}

const foreignRoots = new Set(['svg', 'math']);
const opensBranch = /^(?:if|unless|case|for|tablerow|ifchanged)$/;
const nextBranch = /^(?:else|elsif|when)$/;
const endsBranch = /^end(?:if|unless|case|for|tablerow|ifchanged)$/;

interface Block {
  readonly before: Open;
  /** What is open after each branch that is complete. */
  readonly ends: Open[];
  /** True if one of the branches is always taken. */
  isComplete: boolean;
  /** False before the first branch of a `case`. */
  isBranch: boolean;
}

/**
 * Where branches of Liquid leave different elements open, nothing is known from there on, and nothing is reported.
 *
 *   {% if x %}<b>{% else %}<i>{% endif %}…   unknown
 *   {% if x %}<b>y</b>{% endif %}            balanced
 */
export function balanceOf(tags: Markup['tags'], report: (message: string, at: number) => void): Balance {
  let open: Open = null;
  let isKnown = true;
  let foreign = 0;
  let next = 0;
  const blocks: Block[] = [];

  function follow(at: number): void {
    for (let tag = tags[next]; tag !== undefined && tag.at < at; tag = tags[next]) {
      next += 1;
      if (isKnown) branch(tag.name);
    }
  }

  function branch(name: string): void {
    const block = blocks.at(-1);
    if (opensBranch.test(name)) blocks.push({ before: open, ends: [], isComplete: false, isBranch: name !== 'case' });
    else if (block !== undefined && nextBranch.test(name)) {
      if (block.isBranch) block.ends.push(open);
      block.isBranch = true;
      block.isComplete ||= name === 'else';
      open = block.before;
    } else if (block !== undefined && endsBranch.test(name)) {
      blocks.pop();
      const ends = [...block.ends, open, ...(block.isComplete ? [] : [block.before])];
      if (ends.some((end) => !isSame(end, ends[0] ?? null))) isKnown = false;
    }
  }

  return {
    open(name, at, selfClosing) {
      follow(at);
      if (selfClosing && (foreign > 0 || foreignRoots.has(name))) return;
      if (foreignRoots.has(name)) foreign += 1;
      if (isKnown && !empty.has(name)) open = { name, at, below: open };
    },
    close(name, at) {
      follow(at);
      if (foreignRoots.has(name) && foreign > 0) foreign -= 1;
      if (!isKnown || empty.has(name)) return;
      if (!has(open, name)) {
        report(`</${name}> closes nothing`, at);
        return;
      }
      for (; open !== null && open.name !== name; open = open.below) {
        if (!optional.has(open.name)) report(`<${open.name}> is not closed`, open.at);
      }
      open = open?.below ?? null;
    },
    end() {
      follow(Number.POSITIVE_INFINITY);
      if (!isKnown) return;
      for (; open !== null; open = open.below) {
        if (!optional.has(open.name)) report(`<${open.name}> is not closed`, open.at);
      }
    },
    isForeign: () => foreign > 0,
  };
}

function has(open: Open, name: string): boolean {
  for (let element = open; element !== null; element = element.below) if (element.name === name) return true;
  return false;
}

function isSame(one: Open, other: Open): boolean {
  let [left, right] = [one, other];
  while (left !== right) {
    if (left === null || right === null || left.name !== right.name) return false;
    left = left.below;
    right = right.below;
  }
  return true;
}
