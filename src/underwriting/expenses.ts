import type { DecimalText } from '../decimal-text.js';
import { isKnown, type Maybe } from '../absence.js';
import type { AssumptionSet, ByState } from './assumption-set.js';
import { Exact, exactOf, publish, publishedExact, shareOf } from './decimal.js';
import { expenseLines, type Expense, type ExpenseLine, type Expenses, type StatedLine } from './expense-lines.js';
import { lineOfLabel } from './expense-labels.js';
import type { RentedUnits } from './unit-mix.js';
import type { UnderwritingInputs } from './underwriting-inputs.js';

/** What expenses depend on, beside what the listing states of them. */
export interface ExpenseFacts {
  readonly units: number;
  readonly mix: readonly RentedUnits[];
  /** As published, USD a year. */
  readonly effectiveGrossIncome: Exact;
}

/**
 * The lines in cents, and their sum: each is the greater of the declared and the stated amount, since a low tax bill is
 * often reassessed at the sale, and a statement is often incomplete. Stated amounts can only raise.
 */
export function expensesOf(
  inputs: UnderwritingInputs,
  facts: ExpenseFacts,
  set: AssumptionSet,
): { readonly expenses: Expenses; readonly sum: Exact } {
  const stated = new Map(statedLines(inputs).map(({ line, amount }) => [line, amount]));
  const declared = declaredLines(inputs, facts, set);
  let sum = nothing;
  const expenses: Partial<Record<ExpenseLine, Expense>> = {};
  for (const line of expenseLines) {
    const [least, told] = [publishedExact(declared[line]), stated.get(line)];
    const isMore = told !== undefined && least.lt(told);
    sum = sum.plus(isMore ? told : least);
    expenses[line] = isMore ? { amount: told, basis: 'stated' } : { amount: publish(least, 2), basis: 'declared' };
  }
  return { expenses: expenses as Expenses, sum };
}

const nothing = new Exact(0);
const noLines: readonly StatedLine[] = [];

function declaredLines(
  { state, yearBuilt, ownerPaysUtilities }: UnderwritingInputs,
  { units, mix, effectiveGrossIncome }: ExpenseFacts,
  set: AssumptionSet,
): Readonly<Record<ExpenseLine, Exact>> {
  const share = (pct: DecimalText): Exact => shareOf(effectiveGrossIncome, exactOf(pct));
  const perUnit = (amount: DecimalText): Exact => exactOf(amount).times(units);
  const utilities = perUnit(set.utilitiesPerUnit);
  return {
    taxes: share(inState(set.taxesPctOfEgi, state)),
    insurance: perUnit(inState(set.insurancePerUnit, state)),
    management: share(set.managementPctOfEgi),
    repairs: perUnit(repairsPerUnit(yearBuilt, set)),
    utilities: ownerPaysUtilities ? utilities.plus(allowancesOf(mix, set)) : utilities,
    other: perUnit(set.otherPerUnit),
    reserves: perUnit(set.reservesPerUnit),
  };
}

function inState({ byState, elsewhere }: ByState, state: string): DecimalText {
  return Object.hasOwn(byState, state) ? (byState[state] ?? elsewhere) : elsewhere;
}

/** An unknown year counts as old. */
function repairsPerUnit(yearBuilt: Maybe<number>, { repairsPerUnit: steps }: AssumptionSet): DecimalText {
  const year = isKnown(yearBuilt) ? yearBuilt.value : 0;
  return steps.builtFrom.find(({ builtFrom }) => year >= builtFrom)?.amount ?? steps.earlierOrUnknown;
}

/** What the tenants' utilities would cost the owner, USD a year. */
function allowancesOf(mix: readonly RentedUnits[], { utilityAllowances }: AssumptionSet): Exact {
  return mix.reduce(
    (sum, { bedrooms, units }) => sum.plus(new Exact(utilityAllowances[bedrooms] ?? 0).times(12 * units)),
    new Exact(0),
  );
}

/**
 * What the listing states, summed by line, in cents. Its column of taxes counts where that is more than the tax items.
 */
export function statedLines({ expenseItems, taxes }: UnderwritingInputs): readonly StatedLine[] {
  if (!isKnown(expenseItems) && !isKnown(taxes)) return noLines;
  const lines = new Map<ExpenseLine, Exact>();
  for (const { name, amount } of isKnown(expenseItems) ? expenseItems.value : []) {
    const line = lineOfLabel(name);
    lines.set(line, (lines.get(line) ?? new Exact(0)).plus(amount));
  }
  if (isKnown(taxes)) lines.set('taxes', Exact.max(lines.get('taxes') ?? 0, taxes.value));
  return Array.from(lines, ([line, amount]) => ({ line, amount: publish(amount, 2) }));
}
