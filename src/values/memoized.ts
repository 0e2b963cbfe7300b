/** The function, with every result computed once; `most` are kept, and then forgotten together. */
export function memoized<Key, Value>(
  compute: (key: Key) => Value,
  most = Number.POSITIVE_INFINITY,
): (key: Key) => Value {
  const known = new Map<Key, { readonly value: Value }>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found.value;
    const value = compute(key);
    if (known.size >= most) known.clear();
    known.set(key, { value });
    return value;
  };
}

/** The same for objects: a result is kept as long as its object. */
export function memoizedByObject<Key extends object, Value extends object>(
  compute: (key: Key) => Value,
): (key: Key) => Value {
  const known = new WeakMap<Key, Value>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const value = compute(key);
    known.set(key, value);
    return value;
  };
}

/** The value, computed when it is first needed. */
export function once<Value>(compute: () => Value): () => Value {
  const value = memoized((_: null) => compute());
  return () => value(null);
}
