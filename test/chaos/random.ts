/** Everything that a seed decides comes from here, in one order: the same seed makes the same schedule on every machine. */
export interface Random {
  /** From 0 up to 1. */
  next(): number;
  /** Both ends included. */
  int(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** Each item with this probability, in their order. */
  some<Item>(items: readonly Item[], probability: number): Item[];
  /** A source of its own, so that one part of a schedule does not move when another takes more numbers. */
  branch(name: string): Random;
}

export function seededRandom(seed: number): Random {
  const next = mulberry32(seed);
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[int(0, items.length - 1)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
    some: (items, probability) => items.filter(() => next() < probability),
    branch: (name) => seededRandom(hashOf(`${seed} ${name}`)),
  };
}

/** Tommy Ettinger's Mulberry32: small, and good enough to spread schedules. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}
