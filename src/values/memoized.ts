/** The function, with every result computed once. */
export function memoized<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, { readonly value: Value }>();
  return (key) => {
    const found = known.get(key) ?? { value: compute(key) };
    known.set(key, found);
    return found.value;
  };
}

/** The value, computed when it is first needed. */
export function once<Value>(compute: () => Value): () => Value {
  const value = memoized((_: null) => compute());
  return () => value(null);
}
