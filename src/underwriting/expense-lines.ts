import type { DecimalText } from '../decimal-text.js';

/** The lines of operating expenses. */
export const expenseLines = ['taxes', 'insurance', 'management', 'repairs', 'utilities', 'other', 'reserves'] as const;
export type ExpenseLine = (typeof expenseLines)[number];

/** One line, USD a year, and whether the declared or the stated amount is the greater one. */
export interface Expense {
  readonly amount: DecimalText;
  readonly basis: 'declared' | 'stated';
}

export type Expenses = Readonly<Record<ExpenseLine, Expense>>;

/** What a listing states of one line, USD a year with cents. */
export interface StatedLine {
  readonly line: ExpenseLine;
  readonly amount: DecimalText;
}
