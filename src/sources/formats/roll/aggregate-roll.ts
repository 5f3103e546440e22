import { SourceError } from '../../source-error.js';
import { readStreamLines } from './read-stream-lines.js';
import { minLineLength, readFieldAt, rollLayout } from './texas-roll-layout.js';

const maxLineBytes = 4_096;
/** Far more accounts than a county has parcels with unpaid taxes: the file is then not what it was taken for. */
const maxAccounts = 1_000_000;
/** Lines that cannot be read and are kept one by one; all are counted. */
const maxKeptFaults = 1_000;

/** What one account owes over all its earlier years and jurisdictions. */
export interface RollAccount {
  readonly account: string;
  /** Plain decimal, USD. */
  readonly amount: string;
  /** Tax years of which something is owed after all credits of the year, ascending. */
  readonly years: readonly number[];
  /** Owner and place as the latest of these years has them. */
  readonly owner: string;
  readonly streetNumber: string;
  readonly street: string;
}

export interface RollTotals {
  readonly accounts: Iterable<RollAccount>;
  /** Numbers of lines that cannot be read, counted from 1; at most 1,000 of them. */
  readonly faults: readonly number[];
  /** Lines read in all. */
  readonly lines: number;
}

/** What an account owes of one year over all jurisdictions, and owner and place as the last of its lines has them. */
interface YearSum extends Pick<RollAccount, 'owner' | 'streetNumber' | 'street'> {
  readonly cents: bigint;
}

/** By account and year. */
type Sums = Map<string, Map<number, YearSum>>;

/**
 * Adds up a tax roll by account: real property only, years before `currentYear` only. Lines may stand in any order;
 * memory is bounded by the accounts that owe something. A file of which more than one line in a hundred cannot be read
 * has moved its columns, and fails.
 */
export async function aggregateRoll(stream: AsyncIterable<Buffer>, currentYear: number): Promise<RollTotals> {
  const sums: Sums = new Map();
  const faults: number[] = [];
  let lines = 0;
  let faulty = 0;
  for await (const line of readStreamLines(stream, maxLineBytes)) {
    if (line.length === 0) continue;
    lines += 1;
    if (!addLine(sums, line, currentYear)) {
      faulty += 1;
      if (faults.length < maxKeptFaults) faults.push(lines);
    }
    if (sums.size > maxAccounts) throw unreadable('holds more accounts than a county has');
  }
  if (faulty > Math.max(1, lines / 100)) throw unreadable(`has ${faulty} of ${lines} lines in another layout`);
  return { accounts: toAccounts(sums), faults, lines };
}

/** False when the line is not of the layout. */
function addLine(sums: Sums, line: Buffer, currentYear: number): boolean {
  if (line.length < minLineLength) return false;
  const due = readFieldAt(line, rollLayout.totalDue);
  const year = readFieldAt(line, rollLayout.year);
  if (!/^-?\d{1,11}$/.test(due) || !/^(19|20)\d\d$/.test(year)) return false;
  if (/^-?0+$/.test(due) || Number(year) >= currentYear) return true;
  if (readFieldAt(line, rollLayout.rollCode) !== 'R') return true;
  const account = readFieldAt(line, rollLayout.account);
  if (account === '') return false;
  const years = sums.get(account) ?? new Map<number, YearSum>();
  years.set(Number(year), {
    cents: (years.get(Number(year))?.cents ?? 0n) + BigInt(due),
    owner: readFieldAt(line, rollLayout.owner),
    streetNumber: readFieldAt(line, rollLayout.streetNumber),
    street: readFieldAt(line, rollLayout.street),
  });
  sums.set(account, years);
  return true;
}

function* toAccounts(sums: Sums): Generator<RollAccount> {
  for (const [account, byYear] of sums) {
    const cents = [...byYear.values()].reduce((sum, year) => sum + year.cents, 0n);
    const owed = [...byYear].filter(([, year]) => year.cents > 0n).sort(([one], [other]) => one - other);
    const latest = owed.at(-1)?.[1];
    if (cents <= 0n || latest === undefined) continue;
    const amount = `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
    const { owner, streetNumber, street } = latest;
    yield { account, amount, years: owed.map(([year]) => year), owner, streetNumber, street };
  }
}

function unreadable(what: string): SourceError {
  return new SourceError(
    'delivery_unreadable',
    `The tax roll ${what}. Check the file and its layout; nothing is retired.`,
  );
}
