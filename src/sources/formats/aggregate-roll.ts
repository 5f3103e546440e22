import { type SourceError, unreadable } from '../source-error.js';
import { readLines } from '../read/read-lines.js';

/** A field of a line: its first column, from 1, and its width. */
type FieldPlace = readonly [start: number, width: number];

/**
 * Columns of Dallas County's tax roll file that are read. One line is one account, year and jurisdiction; amounts have
 * two implied decimals. City, state and ZIP in columns 386 to 439 are the owner's, not the property's, and are not
 * read. Older files end at column 500, newer ones at 534. Source: Dallas County Tax Office, tax roll file layout.
 */
const rollLayout = {
  account: [1, 34],
  year: [35, 4],
  owner: [226, 40],
  /** `R` is real property. */
  rollCode: [440, 1],
  streetNumber: [441, 8],
  /** Street and an abbreviation of the city: `EXAMPLE AVE, DA`. */
  street: [449, 40],
  /** Includes penalties and interest. */
  totalDue: [490, 11],
} as const satisfies Record<string, FieldPlace>;

/** The shortest line with all of these fields. */
const minLineLength = 500;

const maxLineBytes = 4_096;
/** More accounts than any county has with unpaid taxes: the file is not a tax roll. */
const maxAccounts = 1_000_000;
/** Maximum number of unreadable lines reported one by one; all are counted. */
const maxKeptFaults = 1_000;

/** The debt of one account over all earlier years and jurisdictions. */
export interface RollAccount {
  readonly account: string;
  /** Plain decimal, USD. */
  readonly amount: string;
  /** Tax years with a balance after all credits of the year, ascending. */
  readonly years: readonly number[];
  /** Owner and address from the latest of these years. */
  readonly owner: string;
  readonly streetNumber: string;
  readonly street: string;
}

export interface RollTotals {
  readonly accounts: Iterable<RollAccount>;
  /** Numbers of unreadable lines, from 1; at most 1,000. */
  readonly faults: readonly number[];
  /** Total number of lines. */
  readonly lines: number;
}

/** An account's debt for one year over all jurisdictions, with owner and address from the last of its lines. */
interface YearSum extends Pick<RollAccount, 'owner' | 'streetNumber' | 'street'> {
  readonly cents: bigint;
}

/** By account and year. */
type Sums = Map<string, Map<number, YearSum>>;

/**
 * Totals a tax roll by account: only real property, only years before `currentYear`. Lines may be in any order; memory
 * is bounded by the accounts with debt.
 *
 * @throws SourceError when more than one line in a hundred is unreadable, which means that columns moved
 */
export async function aggregateRoll(stream: AsyncIterable<Buffer>, currentYear: number): Promise<RollTotals> {
  const sums: Sums = new Map();
  const faults: number[] = [];
  let lines = 0;
  let faulty = 0;
  for await (const bytes of readLines(stream, maxLineBytes)) {
    if (bytes === undefined)
      throw unreadable('The file has no lines of the expected length. Check what was delivered.');
    const line = withoutLineEnd(bytes);
    if (line.length === 0) continue;
    lines += 1;
    if (!addLine(sums, line, currentYear)) {
      faulty += 1;
      if (faults.length < maxKeptFaults) faults.push(lines);
    }
    if (sums.size > maxAccounts) throw noTaxRoll('has more accounts than any county');
  }
  if (faulty > Math.max(1, lines / 100)) throw noTaxRoll(`has ${faulty} of ${lines} lines with another layout`);
  return { accounts: toAccounts(sums), faults, lines };
}

/** False when the line does not have the layout. */
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

/** The field's bytes as text, trimmed. */
function readFieldAt(line: Buffer, [start, width]: FieldPlace): string {
  return line.toString('latin1', start - 1, start - 1 + width).trim();
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

function withoutLineEnd(bytes: Buffer): Buffer {
  if (bytes.at(-1) !== 0x0a) return bytes;
  return bytes.subarray(0, bytes.at(-2) === 0x0d ? -2 : -1);
}

function noTaxRoll(what: string): SourceError {
  return unreadable(`The tax roll ${what}. Check the file and its layout; nothing is retired.`);
}
