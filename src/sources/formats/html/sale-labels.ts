/** What a page says under each of its labels, in plain words, line by line. */
export type SaleLabels = Record<string, readonly string[]>;

/** Labels that a page repeats keep their first value; a line without a label continues the one before it. */
export function addLabel(
  labels: SaleLabels,
  label: string,
  lines: readonly string[],
  before: string | undefined,
): string | undefined {
  if (label === '') {
    if (before !== undefined) labels[before] = [...(labels[before] ?? []), ...lines];
    return before;
  }
  labels[label] ??= lines;
  return label;
}
