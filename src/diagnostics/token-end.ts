const quoted = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*'/y;
const plain = /[^\n\r]*?(?=:?[ \t]*(?:[\n\r]|$)|[ \t]+#|:[ \t]|[ \t]*[,\]}])/y;

/** Where the YAML text that starts at an offset seems to end; only for underlining. */
export function tokenEnd(text: string, start: number): number {
  for (const pattern of [quoted, plain]) {
    pattern.lastIndex = start;
    if (pattern.test(text) && pattern.lastIndex > start) return pattern.lastIndex;
  }
  return start + 1;
}
