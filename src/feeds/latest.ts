/** Makes something of a key once, and keeps it until another key is asked for: nothing is held of what is over. */
export function createLatest<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  let latest: { readonly key: Key; readonly value: Value } | undefined;
  return (key) => {
    if (latest?.key !== key) latest = { key, value: make(key) };
    return latest.value;
  };
}
