import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isKnown } from '../../../src/absence.js';
import type { Report } from '../../../generated/types.gen.js';
import { loadContract } from '../../../src/contract/load-contract.js';
import { createValidators } from '../../../src/contract/validators.js';
import { deep } from '../../support/depth.js';
import { anyDeal } from './arbitrary-deal.js';
import { reportRules } from './report-rules.js';
import { writeReport } from './write-report.js';

const numRuns = deep(400, 150);

/** Reports of many generated deals with random county records, any input of which may be absent. */
const reports = fc.sample(anyDeal, { numRuns }).map((deal) => writeReport(deal));

function forEveryReport(hold: (report: Report) => void): void {
  for (const report of reports) hold(report);
}

describe('a report, recomputed from itself', () => {
  it('fits the contract for any absence: null exactly with a reason, never a zero or a guess', () => {
    const check = createValidators(loadContract()).at<Report>('#/components/schemas/Report');
    forEveryReport((report) => assert.ok(check(report), JSON.stringify(check.faults()[0])));
  });

  for (const [sentence, hold] of Object.entries(reportRules)) it(sentence, () => forEveryReport(hold));

  it('is tested with and without loans, unit mixes, itemized expenses and county records, and with every limit', () => {
    const count = (test: (report: Report) => boolean): number => reports.filter(test).length;
    assert.ok(count(({ underwriting: { loan } }) => loan !== null) > numRuns / 4);
    assert.ok(count(({ underwriting: { sensitivity } }) => sensitivity !== null) > numRuns / 4);
    for (const field of ['unit_mix', 'stated_lines'] as const) {
      const stands = count(({ underwriting }) => (underwriting[field] ?? []).length > 0);
      // A unit mix covers the units of one deal in seven; a bound near that would fail for some seeds.
      assert.ok(stands > numRuns / 40 && stands < numRuns, `${field} ${stands}`);
    }
    for (const list of ['signals', 'auctions'] as const)
      assert.ok(
        [true, false].every((some) => count((report) => report[list].length > 0 === some) > numRuns / 10),
        list,
      );
    const bindings = new Set(reports.flatMap(({ offer_range: offer }) => offer?.binding_constraint ?? []));
    assert.deepEqual([...bindings].sort(), ['list_price', 'target_cap']);
  });

  it('reacts plausibly: more rent gives more income, higher interest gives less coverage', () => {
    forEveryReport(({ deal, underwriting: { sensitivity } }) => {
      for (const { driver, change, noi, dscr } of sensitivity ?? []) {
        const [base, moved] = [Number(deal.noi_underwritten), Number(noi)];
        const up = Number(change) > 0;
        if (driver === 'rent') assert.ok(up ? moved > base : moved < base);
        if (driver === 'vacancy' || driver === 'expenses') assert.ok(up ? moved < base : moved > base);
        if (driver === 'rate') assert.equal(noi, deal.noi_underwritten);
        if (dscr !== null && driver === 'rate') assert.ok(Number.isFinite(Number(dscr)));
      }
    });
  });
  it('names a source for every field with a value, and for no other', () => {
    const own = new Set([
      ...['id', 'source', 'absent', 'provenance', 'rationales', 'motivation_signals', 'data_quality'],
      ...['underwriting_inputs', 'score_inputs'],
    ]);
    forEveryReport(({ deal, provenance }) => {
      const named = provenance.flatMap(({ fields }) => fields).filter((field) => field in deal);
      const present = Object.entries(deal).filter(([name, value]) => value !== null && !own.has(name));
      assert.deepEqual(named.sort(), present.map(([name]) => name).sort());
    });
  });
  it('marks a county derived only from the ZIP as computed, not stated', () => {
    const counted = { stated_by_source: 0, computed: 0 };
    for (const listed of fc.sample(anyDeal, { numRuns })) {
      const { deal, provenance } = writeReport(listed);
      if (deal.county === null) continue;
      const basis = isKnown(listed.listing.county) ? 'stated_by_source' : 'computed';
      const named = provenance.filter(({ fields }) => fields.includes('county'));
      assert.deepEqual(
        named.map((each) => each.basis),
        [basis],
      );
      counted[basis] += 1;
    }
    assert.ok(Math.min(...Object.values(counted)) > 0);
  });
  it('marks a cap rate that its source calls pro forma', () => {
    let found = 0;
    for (const listed of fc.sample(anyDeal, { numRuns: 20 })) {
      for (const isCapRateProForma of [undefined, true as const]) {
        const listing = { ...listed.listing, ...(isCapRateProForma && { isCapRateProForma }) };
        const { deal, provenance } = writeReport({ ...listed, listing });
        if (deal.cap_rate === null) continue;
        const named = provenance.filter(({ fields }) => fields.includes('cap_rate'));
        assert.deepEqual(
          named.map((each) => each.basis),
          [isCapRateProForma ? 'pro_forma' : 'stated_by_source'],
        );
        found += 1;
      }
    }
    assert.ok(found > 10);
  });
  it('has no arbitrary figure: each is recomputed, or is a fact without consequences', () => {
    const noticed = new Set<string>();
    const all = new Set<string>();
    // A figure without effect in one report, such as an unused limit, may have one in another.
    for (const report of reports)
      for (const path of numbersIn(report)) {
        const name = nameOf(path);
        all.add(name);
        if (!isFact(name) && !noticed.has(name) && isNoticed(report, path)) noticed.add(name);
      }
    assert.ok(noticed.size > 60, `${noticed.size} figures are computed again`);
    assert.deepEqual([...all].filter((name) => !noticed.has(name) && !isFact(name)).sort(), []);
  });
});

type Path = readonly (string | number)[];

/** The places of numbers, as JSON numbers or as decimal texts. */
function numbersIn(value: unknown, path: Path = []): Path[] {
  if (typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))) return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => numbersIn(each, [...path, name]));
}

/** True when a rule fails after a change of the number's last digit. */
function isNoticed(report: Report, path: Path): boolean {
  const changed = structuredClone(report);
  const parent = path.slice(0, -1).reduce<object>((node, name) => Reflect.get(node, name) as object, changed);
  const name = path.at(-1) ?? '';
  const value: unknown = Reflect.get(parent, name);
  Reflect.set(parent, name, typeof value === 'number' ? value + 1 : nudge(String(value)));
  return Object.values(reportRules).some((hold) => {
    try {
      hold(changed);
      return false;
    } catch {
      return true;
    }
  });
}

function nudge(text: string): string {
  const last = Number(text.at(-1));
  return `${text.slice(0, -1)}${last === 9 ? 8 : last + 1}`;
}

/** The name of a number, for any entry of a list. */
function nameOf(path: Path): string {
  return path.map((part) => (/^\d+$/.test(String(part)) ? '*' : part)).join('.');
}

/** Numbers that the report states without computing: observed and declared ones. */
const facts: readonly RegExp[] = [
  /\.(thresholds|assumption_set)\./,
  /^deal\.(zip|days_on_feed)$/,
  /^underwriting\.(rent_fiscal_year)$/,
  /^signals\.\*\.years_owed$/,
  /^auctions\.\*\.(appraised_value|opening_bid)$/,
  // They need the feed.
  /^market\.(deals|measures\.\*\.median)$/,
  /^feed_version$/,
];

function isFact(name: string): boolean {
  return facts.some((fact) => fact.test(name));
}
