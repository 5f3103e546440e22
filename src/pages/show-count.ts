/** Formats a count: "12,345". */
export function showCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}
