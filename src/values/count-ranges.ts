const counts = /\b\d+\b/g;

/** A text with a placeholder for each number: equal for texts that differ in counts alone. */
export function withoutCounts(text: string): string {
  return text.replaceAll(counts, '#');
}

/** The first text with the counts of all texts that differ from it in counts alone: `would delete 2 of 40 to 120 policies`. */
export function withCountRanges(texts: readonly string[]): string {
  const [first = ''] = texts;
  const same = texts.filter((text) => withoutCounts(text) === withoutCounts(first));
  const found = same.map((text) => Array.from(text.matchAll(counts), ([count]) => Number(count)));
  let index = 0;
  return first.replaceAll(counts, () => {
    const range = rangeText(found.map((ofText) => ofText[index] ?? 0));
    index += 1;
    return range;
  });
}

function rangeText(numbers: readonly number[]): string {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  return least === most ? `${least}` : `${least} to ${most}`;
}
