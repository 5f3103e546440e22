/** The radius of a dot on a map, in its units: its area grows with its share of the largest count, from 0 to 1. */
export function dotRadius(share: number): number {
  // Whole figures and halves draw as well, and look like nothing else on the page.
  return Math.round(2 * (smallest + widestGrowth * Math.sqrt(share))) / 2;
}

const smallest = 4;
const widestGrowth = 6;
