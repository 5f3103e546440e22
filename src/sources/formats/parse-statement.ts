import { isKnown, known, type Maybe } from '../../absence.js';
import type { ExpenseItem, UnitKind } from '../../listings/listing.js';
import { parseCount, parseMoney } from '../values/figures.js';
import { notUnderstood } from '../values/not-understood.js';
import { parseLine } from '../values/text.js';

const maxUnits = 100_000;
const maxBedrooms = 20;
const maxExpenses = 40;
const expenseRange = { min: '0', max: '10000000000' };

/**
 * A unit mix such as `2 x studio; 4 x 2BR`: units by number of bedrooms, one entry per number, smallest first. The word
 * after the number is required, since `4x2` can also mean four bedrooms and two baths. One unreadable part fails the
 * whole, since the rest would not be the property's mix.
 */
export function parseUnitMix(text: string): Maybe<readonly UnitKind[]> {
  const units = new Map<number, number>();
  for (const part of text.split(/[;,|]/)) {
    const [, count = '', studio, beds = ''] =
      /^\s*(\d+)\s*x\s*(?:(studios?)|(\d+)\s*-?(?:br|beds?|bedrooms?))\s*$/i.exec(part) ?? [];
    const [number, bedrooms] = [parseCount(count, 1, maxUnits), parseCount(studio ? '0' : beds, 0, maxBedrooms)];
    if (!isKnown(number) || !isKnown(bedrooms)) return notUnderstood('not_a_list');
    units.set(bedrooms.value, (units.get(bedrooms.value) ?? 0) + number.value);
  }
  return known([...units].sort(([a], [b]) => a - b).map(([bedrooms, count]) => ({ bedrooms, units: count })));
}

/**
 * Itemized operating expenses such as `taxes: 5,210; insurance: $3,100`, USD a year, each half-up to the cent. One
 * unreadable part fails the whole, since the rest would not be all expenses.
 */
export function parseExpenseItems(text: string): Maybe<readonly ExpenseItem[]> {
  const parts = text.split(/[;|]/);
  const items = parts.flatMap((part) => {
    const [, label = '', money = ''] = /^\s*([^:=]+?)\s*[:=]\s*(.+?)\s*$/.exec(part) ?? [];
    const [name, amount] = [parseLine(label, 60), parseMoney(money, expenseRange)];
    return isKnown(name) && isKnown(amount) ? { name: name.value, amount: amount.value } : [];
  });
  return items.length === parts.length && parts.length <= maxExpenses ? known(items) : notUnderstood('not_a_list');
}
