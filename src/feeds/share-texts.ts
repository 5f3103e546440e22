const held = new Map<string, string>();

/** The same columns with some of their texts held once, however many records have them: those of which there are few. */
export function shareTexts<Columns extends object>(columns: Columns, keys: readonly (keyof Columns)[]): Columns {
  const shared = { ...columns };
  for (const key of keys) {
    const text = columns[key];
    // The text that is held is the same text.
    if (typeof text === 'string') shared[key] = share(text) as Columns[keyof Columns];
  }
  return shared;
}

function share(text: string): string {
  const known = held.get(text);
  if (known === undefined) held.set(text, text);
  return known ?? text;
}
