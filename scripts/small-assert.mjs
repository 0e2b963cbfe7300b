// The two functions of node:assert that the argument parser asks for; the module itself takes longer to load than the parser.
export function strictEqual(actual, expected, message) {
  if (!Object.is(actual, expected)) throw message instanceof Error ? message : new Error(message);
}

export function notStrictEqual(actual, expected, message) {
  if (Object.is(actual, expected)) throw message instanceof Error ? message : new Error(message);
}
