/** Caches the value of the most recent key only. A rejected promise is not kept: the next call makes it again. */
export function memoizeLast<Key, Value, Rest extends readonly unknown[]>(
  make: (key: Key, ...rest: Rest) => Value,
): (key: Key, ...rest: Rest) => Value {
  let latest: { readonly key: Key; readonly value: Value } | undefined;
  return (key, ...rest) => {
    if (latest?.key === key) return latest.value;
    const made = { key, value: make(key, ...rest) };
    latest = made;
    if (made.value instanceof Promise) made.value.catch(() => (latest = latest === made ? undefined : latest));
    return made.value;
  };
}
