import type { ExpenseLine } from './expense-lines.js';

/**
 * The line to which the words of an expense statement belong, `labels-2.0.0` of 2026-11-27. Source: the items that
 * brokers' and lenders' operating statements name. Closed: a label without any of these words is `other`; of several
 * words the first entry counts, so that a payroll tax belongs to the payroll.
 */
const table: readonly (readonly [line: ExpenseLine, words: readonly string[]])[] = [
  ['repairs', ['payroll', 'wages']],
  ['taxes', ['tax', 'taxes']],
  ['insurance', ['insurance']],
  ['management', ['management', 'mgmt']],
  ['reserves', ['reserve', 'reserves', 'capex']],
  [
    'utilities',
    ['utilities', 'utility', 'water', 'sewer', 'trash', 'garbage', 'refuse', 'gas', 'electric', 'electricity', 'heat'],
  ],
  ['repairs', ['repair', 'repairs', 'maintenance', 'turnover', 'cleaning', 'contract']],
];

/** The line of a label: "Water & sewer" is utilities, "Property tax" taxes, "Legal" other. */
export function lineOfLabel(label: string): ExpenseLine {
  const said = new Set(label.toLowerCase().split(/[^a-z]+/));
  return table.find(([, words]) => words.some((word) => said.has(word)))?.[0] ?? 'other';
}
