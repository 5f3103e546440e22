import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { loadContract } from '../../src/contract/load-contract.js';
import { createProver } from '../../src/contract/prover.js';
import { joinRendered } from '../../src/contract/rendered.js';
import { createValidators } from '../../src/contract/validators.js';
import { dealKind, type DealColumns, type DealFilter, type DealRank } from '../../src/feeds/query/deal-kind.js';
import { toPoint } from '../../src/feeds/query/map-point.js';
import type { RecordList } from '../../src/feeds/query/feed-kind.js';
import { createColumnIndexes, type ColumnIndexes } from '../../src/feeds/query/filter-rules.js';
import type { Sort } from '../../src/feeds/query/sort-rule.js';
import { createInMemoryBodies } from '../../src/feeds/store/in-memory-bodies.js';
import { createEmptyRecords } from '../../src/feeds/store/in-memory-records.js';
import { createSnapshot } from '../../src/feeds/query/snapshot.js';
import { median } from './median.js';
import { atMost, type Report } from './report.js';

/**
 * Measures filtered queries over so many records in memory: CPU per query of 50 records, never asked before, and what
 * the indexes take. The goals are those of a million.
 */
export async function measureQueries(report: Report, count: number): Promise<void> {
  const prover = createProver<string>(createValidators(loadContract()), 'DecimalString');
  const bodies = createInMemoryBodies({ full: prover });
  const { deals, draw, states } = drawDeals(count);
  const circle = () => ({ latitude: 30 + draw(13), longitude: -100 + draw(20) });
  const builtAt = performance.now();
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  const change = createEmptyRecords<DealRank, DealColumns>(dealKind).change();
  const incoming = bodies.inPlace(1, false);
  for (const deal of deals) {
    incoming.hold(deal.id, { full: { text: '"1.00"' }, basic: undefined });
    change.put(deal);
  }
  const records = await change.finish(turn);
  report.title(`${count} deals in memory`);
  await measureIndexes(report, records);
  const snapshot = await createSnapshot(dealKind, { version: 1, publishedAt: new Date(0), records }, turn);
  report.figure({ name: `${count} deals: built`, value: performance.now() - builtAt, unit: 'ms' });
  const queries: Record<string, (index: number) => DealFilter> = {
    nothing: () => ({}),
    state: () => ({ state: [states[draw(states.length)] ?? 'OH'] }),
    'state, price, cap': (index) => ({ state: ['OH'], minPriceCents: 20_000_000 + index, minCapHundredths: 700 }),
    'city, units': () => ({ city: `City ${draw(90)}`, minUnits: 10 }),
    'score over 60, Hot': () => ({ minScore: 60 + draw(30), status: ['Hot'] }),
    'five ranges': fiveRanges,
    'cap and price, no place': (index) => ({
      minCapHundredths: 800 + (index % 100),
      maxPriceCents: 50_000_000 + index,
    }),
    '3 ZIPs': () => ({ zip: [draw(1_658), draw(1_658), draw(1_658)].map((each) => placeOf(each).zip) }),
    'metro, type': () => ({ metro: [`metro ${draw(29)}`], propertyType: ['duplex', 'triplex'] }),
    'near, 10 miles': () => ({ near: { ...circle(), radiusMiles: 10 } }),
    'near, 100 miles': () => ({ near: { ...circle(), radiusMiles: 100 } }),
    'first seen since': () => ({ firstSeenSinceMs: draw(2 ** 30) * 100 }),
    'matches nothing': (index) => ({ state: ['OH'], minPriceCents: 900_000_000 + index }),
  };
  const around = { latitude: 35, longitude: -95, radiusMiles: 100 };
  const everywhere = snapshot.select({ near: around }, 1).total;
  const sorts: Record<string, readonly [(index: number) => DealFilter, Sort]> = {
    'sorted by price': [() => ({}), { by: 'price', descending: false }],
    'sorted by DSCR, of a state': [() => ({ state: ['OH'] }), { by: 'dscr', descending: true }],
    'sorted by cap, of three ZIPs': [queries['3 ZIPs'] ?? (() => ({})), { by: 'cap', descending: true }],
    [`sorted by distance, ${everywhere} matches`]: [() => ({ near: around }), { by: 'distance', descending: false }],
  };
  for (const [what, [filterOf, sort]] of [
    ...Object.entries(queries).map(([name, filterOf]) => [name, [filterOf, undefined]] as const),
    ...Object.entries(sorts),
  ]) {
    const run = (index: number) => {
      const { positions } = snapshot.select(filterOf(index), 50, undefined, undefined, sort);
      const ids = positions.map((position) => snapshot.records.at(position)?.id ?? '');
      return joinRendered(ids.flatMap((id) => bodies.find('full', id, 1) ?? []));
    };
    report.figure({ name: `${count} deals: ${what}`, value: measureCpu(run), unit: 'ms CPU' });
  }
  const counted = measureCpu((index) => snapshot.tally({ state: ['OH'], minDscrHundredths: 100 + (index % 99) }, []));
  report.figure({ name: `${count} deals: counted, state, DSCR`, value: counted, unit: 'ms CPU' });
}

/** CPU of one run in milliseconds, once it is compiled: of some rounds the median, as a busy machine disturbs a few. */
export function measureCpu(run: (index: number) => unknown, rounds = 9, size = 40): number {
  for (let index = 0; index < 100; index++) run(index);
  return median(
    Array.from({ length: rounds }, (_, round) => {
      const before = process.cpuUsage();
      for (let index = round * size; index < (round + 1) * size; index++) run(index);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000 / size;
    }),
  );
}

/** A question by five ranges, another for each index. */
export const fiveRanges = (index: number): DealFilter => ({
  maxCentsPerUnit: 9_000_000 + index,
  minDscrHundredths: 120,
  maxCapGapHundredths: 100,
  minYearBuilt: 1960,
  minPriceCutTenths: 20,
});

/** What one index of each kind takes: CPU, the longest slice, and memory that stays. */
async function measureIndexes(report: Report, records: RecordList<DealColumns>): Promise<void> {
  // Of the thread that answers: others compile and collect beside it. Nanoseconds come first in the line.
  const usedMs = () => parseInt(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8')) / 1_000_000;
  let [slice, began] = [0, 0];
  const turn = async () => {
    slice = Math.max(slice, usedMs() - began);
    await new Promise<void>((resolve) => setImmediate(resolve));
    began = usedMs();
  };
  const kinds: Record<string, (indexes: ColumnIndexes<DealColumns>) => Promise<unknown>> = {
    'list of states': ({ lists }) => lists('state', ({ state }) => state),
    'list of ZIPs': ({ lists }) => lists('zip', ({ zip }) => zip ?? ''),
    'range of prices': ({ range }) => range('priceCents', ({ priceCents }) => priceCents),
    'range of moments': ({ range }) => range('firstSeenMs', ({ firstSeenMs }) => firstSeenMs),
    'grid of points': ({ map }) => map('point', ({ point }) => point),
  };
  // Its garbage is not that of what is measured, and its code is compiled then.
  for (const create of Object.values(kinds)) await create(createColumnIndexes(records, turn));
  for (const [what, create] of Object.entries(kinds)) {
    const indexes = createColumnIndexes(records, turn);
    const memory = memoryNow();
    const before = process.cpuUsage();
    [slice, began] = [0, usedMs()];
    await create(indexes);
    const { user, system } = process.cpuUsage(before);
    const name = `${records.length} deals, index: ${what}`;
    report.figure({ name: `${name}, memory`, value: (memoryNow() - memory) / 1_000_000, unit: 'MB' });
    report.figure({ name: `${name}, time`, value: (user + system) / 1_000_000, unit: 's CPU' });
    report.figure({ name: `${name}, longest slice`, value: slice, unit: 'ms CPU', goal: atMost(10) });
  }
  const empty = memoryNow();
  const { lists, range } = createColumnIndexes(records, turn);
  for (const column of ['state', 'city', 'rentalStatus'] as const) await lists(column, (deal) => deal[column]);
  for (const column of ['priceCents', 'capHundredths', 'units'] as const) await range(column, (deal) => deal[column]);
  const memory = memoryNow();
  const whole = await dealKind.createIndex(records, turn);
  const taken = (memoryNow() - memory - (memory - empty)) / 1_000_000;
  const name = `${records.length} deals: filters and ${whole.sorts.size} orders beyond the specification's`;
  report.figure({ name, value: taken, unit: 'MB', goal: atMost((30 * records.length) / 100_000) });
}

export function memoryNow(): number {
  // What is let go of in the first is given back by the second.
  for (const _round of [1, 2]) collectGarbage();
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return arrayBuffers + heapUsed;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** So many deals, always the same, and what draws further figures. */
export function drawDeals(count: number) {
  const states = ['OH', 'TX', 'IN', 'MI', 'IL', 'WI', 'MO', 'NE', 'KY', 'PA', 'TN', 'AL', 'GA', 'NC', 'FL', 'OK', 'AZ'];
  const propertyTypes = ['duplex', 'triplex', 'fourplex', 'multifamily_5_plus', 'mixed_use', 'portfolio'];
  let seed = 1;
  const draw = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const deals = Array.from({ length: count }, (_, index) => ({
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    state: states[draw(states.length)] ?? 'OH',
    city: `City ${draw(90)}`,
    priceCents: 10_000_000 + draw(200_000_000),
    capHundredths: draw(10) === 0 ? undefined : 300 + draw(900),
    units: 2 + draw(60),
    dealScore: draw(101),
    confidenceHundredths: draw(101),
    rentalStatus: (['Hot', 'Warm', 'Pass'] as const)[draw(3)] ?? 'Pass',
    dscrComputed: draw(5) > 0,
    ...placeOf(draw(1_658)),
    wholesaleStatus: (['Hot', 'Warm', 'Pass'] as const)[draw(3)] ?? 'Pass',
    creativeStatus: (['Hot', 'Warm', 'Pass'] as const)[draw(3)] ?? 'Pass',
    reliability: draw(8) === 0 ? 'unknown' : 'ok',
    propertyType: propertyTypes[draw(propertyTypes.length)],
    firstSeenMs: draw(2 ** 30) * 100,
    lastCutMs: draw(3) === 0 ? draw(2 ** 30) * 100 : undefined,
    centsPerUnit: 1_000_000 + draw(20_000_000),
    dscrHundredths: draw(300),
    capUnderwrittenHundredths: draw(1_200),
    capGapHundredths: draw(600) - 200,
    yearBuilt: 1900 + draw(125),
    daysOnFeed: draw(400),
    priceCutTenths: draw(200),
    priceCutCents: draw(5_000_000),
    lastVerified: new Date(0),
    sources: 'bench',
  }));
  return { deals, draw, states };
}

/** One of some ZIPs, which lie around 29 metros. */
function placeOf(number: number) {
  const metro = number % 29;
  const [latitude, longitude] = [30 + (metro % 13) + (number % 97) / 300, -100 + (metro % 20) + (number % 89) / 300];
  return {
    zip: String(10_000 + number),
    county: `county ${metro}, oh`,
    countyFips: String(39_001 + metro),
    metro: `metro ${metro}`,
    point: toPoint(latitude, longitude),
  };
}
