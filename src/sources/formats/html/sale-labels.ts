/** A page's lines under each normalized label. */
export type SaleLabels = Record<string, readonly string[]>;

/**
 * Adds lines under a label. A repeated label keeps its first value; lines without a label continue the previous one.
 * Returns the label now current.
 */
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
