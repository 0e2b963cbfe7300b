/**
 * The one order of texts: by code point, so that it depends on neither machine nor language. The default order of
 * JavaScript compares UTF-16 units and puts emoji before U+E000.
 */
export function compareText(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const one = left.charCodeAt(index);
    const other = right.charCodeAt(index);
    if (one !== other) return rank(one) - rank(other);
  }
  return left.length - right.length;
}

/** Surrogates encode code points above every other unit. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/**
 * The order in which people sort names: digits in them are compared as numbers, so `item-9` is before `item-10`. Texts
 * that differ in leading zeros only are compared by code point.
 */
export function compareNaturally(left: string, right: string): number {
  return compareParts(partsOf(left), partsOf(right)) || compareText(left, right);
}

/** The items in the order in which people sort their names; each name is taken apart once. */
export function inNaturalOrder<Item>(items: readonly Item[], nameOf: (item: Item) => string): Item[] {
  return items
    .map((item) => {
      const name = nameOf(item);
      return { item, name, parts: partsOf(name) };
    })
    .sort((one, other) => compareParts(one.parts, other.parts) || compareText(one.name, other.name))
    .map(({ item }) => item);
}

function partsOf(text: string): readonly string[] {
  return text.match(digitsOrOthers) ?? [];
}

function compareParts(ones: readonly string[], others: readonly string[]): number {
  for (const [index, one] of ones.entries()) {
    const other = others[index];
    if (other === undefined) return 1;
    const order = isNumber(one) && isNumber(other) ? compareNumbers(one, other) : compareText(one, other);
    if (order !== 0) return order;
  }
  return ones.length - others.length;
}

const digitsOrOthers = /[0-9]+|[^0-9]+/g;

function isNumber(text: string): boolean {
  return /^[0-9]/.test(text);
}

/** Of any length. */
function compareNumbers(left: string, right: string): number {
  const [one, other] = [left.replace(/^0+/, ''), right.replace(/^0+/, '')];
  return one.length - other.length || compareText(one, other);
}
